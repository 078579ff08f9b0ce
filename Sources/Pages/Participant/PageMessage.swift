import Basics
import Bundles
import Quantities
import Session
import Study

/// What a page tells the station.
struct PageMessage: Hashable, Sendable {
  /// The number of the stream that the page listens to.
  var client: Int
  var content: Content

  enum Content: Hashable, Sendable {
    /// It asks for the station's time, and reports the last answer.
    case clock(ping: Int, last: Reply?)
    /// It reports the last answer of a series.
    case clocked(Reply)
    /// A screen was painted, or pictures on it.
    case painted(screen: Int, Frame, [PaintedPicture])
    case answer(Answer)
    /// What was entered and not confirmed yet.
    case draft(screen: Int, Draft)
    /// The mark of a continuous rating was moved, in percent.
    case rating(screen: Int, Int)
    /// A key was pressed whose presses the step records.
    case key(screen: Int, String, made: Double)
    /// The picture at an address could not be loaded.
    case broken(String)
    /// The participant needs help.
    case help(made: Double)
    /// The participant wants to stop.
    case stop(made: Double)
    case window(PageWindow)
  }

  /// When a question for the time was sent and answered, by the page's clock.
  struct Reply: Hashable, Sendable {
    var ping: Int
    var sent: Double
    var received: Double
  }

  /// What the participant did on a screen, and when by the page's clock.
  struct Answer: Hashable, Sendable {
    var screen: Int
    var deed: Deed
    var made: Double
    var firstContact: Double?
    var changes: Int
    var device: InputDevice
    /// When the screen was painted, since the message that says so may come later.
    var painted: Frame?
  }

  /// What was done on a screen.
  enum Deed: Hashable, Sendable {
    /// What says no time of its own.
    case plain(ScreenAnswer.Deed)
    /// The questions of a form were answered.
    case answers([String: Part])
  }

  /// The answer to one of the questions that are asked at once.
  struct Part: Hashable, Sendable {
    var value: AnswerValue
    /// When its entry was touched for the first time.
    var firstContact: Double?
    var changes: Int
    var device: InputDevice
  }

  /// What was entered and not confirmed, as a page that is loaded again is given it.
  struct Draft: Hashable, Sendable {
    var value: JSONValue
    var changes: Int
    /// The first contact, by the clock of a page whose document began at the origin.
    var firstContact: Double?
    var origin: Double?

    var json: JSONValue {
      var members: [String: JSONValue] = ["value": value, "changes": .integer(changes)]
      if let firstContact, let origin {
        (members["first_ms"], members["origin"]) = (.number(firstContact), .number(origin))
      }
      return .object(members)
    }
  }

  /// A picture as it was painted.
  struct PaintedPicture: Hashable, Sendable {
    /// The digest of its file.
    var sha256: String
    var size: PictureSize
  }

  /// When a screen was painted, and how far two frames are apart, in milliseconds of the page's clock.
  struct Frame: Hashable, Sendable {
    var time: Double
    var distance: Double
  }
}

/// The window that a page is shown in.
struct PageWindow: Hashable, Sendable {
  var isVisible: Bool
  var hasFocus: Bool
  var isFullScreen: Bool
  /// Device pixels for a CSS pixel: the screen's and the zoom's.
  var ratio: Double
  /// The size in CSS pixels.
  var width: Int
  var height: Int
  /// When its document began, in milliseconds of the browser's calendar: that of another document differs.
  var origin: Double
  /// When it became so, by the page's clock.
  var time: Double
}

extension PageMessage {
  /// The maximum number of pictures on a screen: one, and those of 100 choices.
  fileprivate static let maxPictures = 101
  /// The maximum number of questions of a form.
  fileprivate static let maxQuestions = 100

  /// Reads a message; `nil` if it is invalid.
  init?(_ bytes: [UInt8]) {
    guard let object = try? JSONReader.read(bytes).value, let client = object.count("client"),
      let content = Content(object)
    else { return nil }
    (self.client, self.content) = (client, content)
  }
}

extension PageMessage.Content {
  fileprivate init?(_ object: JSONValue) {
    switch object["kind"] {
    case "clock":
      guard let ping = object.count("ping") else { return nil }
      self = .clock(ping: ping, last: object["last"].flatMap(PageMessage.Reply.init))
    case "clocked":
      guard let last = object["last"].flatMap(PageMessage.Reply.init) else { return nil }
      self = .clocked(last)
    case "painted":
      guard let screen = object.count("number"), let frame = PageMessage.Frame(object, "at_ms"),
        let listed = object["pictures"]?.array, listed.count <= PageMessage.maxPictures
      else { return nil }
      let pictures = listed.compactMap(PageMessage.PaintedPicture.init)
      guard pictures.count == listed.count else { return nil }
      self = .painted(screen: screen, frame, pictures)
    case "answer":
      guard let answer = PageMessage.Answer(object) else { return nil }
      self = .answer(answer)
    case "draft":
      guard let screen = object.count("number"), let value = object["value"], let changes = object.count("changes")
      else { return nil }
      self = .draft(
        screen: screen,
        PageMessage.Draft(
          value: value, changes: changes, firstContact: object.time("first_ms"), origin: object.time("origin")))
    case "rating":
      guard let screen = object.count("number"), let value = object.count("value"), value <= 100 else { return nil }
      self = .rating(screen: screen, value)
    case "key":
      guard let screen = object.count("number"), let key = object["key"]?.string, key.utf8.count <= 16,
        let made = object.time("made_ms")
      else { return nil }
      self = .key(screen: screen, key, made: made)
    case "broken":
      guard let address = object["picture"]?.string else { return nil }
      self = .broken(address)
    case "help":
      guard let made = object.time("made_ms") else { return nil }
      self = .help(made: made)
    case "stop":
      guard let made = object.time("made_ms") else { return nil }
      self = .stop(made: made)
    case "window":
      guard let window = PageWindow(object) else { return nil }
      self = .window(window)
    default: return nil
    }
  }
}

extension PageMessage.Reply {
  fileprivate init?(_ object: JSONValue) {
    guard let ping = object.count("ping"), let sent = object.time("sent_ms"), let received = object.time("received_ms")
    else { return nil }
    (self.ping, self.sent, self.received) = (ping, sent, received)
  }
}

extension PageMessage.Frame {
  fileprivate init?(_ object: JSONValue, _ key: String) {
    guard let time = object.time(key), let distance = object.time("frame_ms"), (0...1000).contains(distance) else {
      return nil
    }
    (self.time, self.distance) = (time, distance)
  }
}

extension PageMessage.PaintedPicture {
  fileprivate init?(_ object: JSONValue) {
    guard let sha256 = object["sha256"]?.string, sha256.utf8.count == 64, let width = object.time("width"),
      let height = object.time("height"), width >= 0, height >= 0
    else { return nil }
    let millimetres = object.time("width_mm").flatMap { $0 > 0 ? $0 : nil }
    self.sha256 = sha256
    size = PictureSize(width: width, height: height, widthInMillimetres: millimetres)
  }
}

extension PageMessage.Answer {
  fileprivate init?(_ object: JSONValue) {
    guard let screen = object.count("number"), let made = object.time("made_ms"), let changes = object.count("changes"),
      let device = object["device"]?.string.flatMap(InputDevice.init), device != .line,
      let deed = PageMessage.Deed(object)
    else { return nil }
    (self.screen, self.deed, self.made, self.changes, self.device) = (screen, deed, made, changes, device)
    (firstContact, painted) = (object.time("first_ms"), PageMessage.Frame(object, "painted_ms"))
  }
}

extension PageMessage.Answer {
  /// What a page shows as entered when the station refuses it; `nil` for what cannot be refused.
  func draft(origin: Double?) -> PageMessage.Draft? {
    deed.draft(origin: origin).map {
      PageMessage.Draft(value: $0, changes: changes, firstContact: firstContact, origin: origin)
    }
  }
}

extension PageMessage.Deed {
  /// What it is with times of the station's clock.
  func deed(_ moment: (Double?) -> Moment?) -> ScreenAnswer.Deed {
    switch self {
    case .plain(let deed): deed
    case .answers(let parts):
      .answers(
        parts.mapValues {
          FormAnswer(
            value: $0.value, firstContact: moment($0.firstContact), changes: $0.changes, device: $0.device)
        })
    }
  }

  fileprivate func draft(origin: Double?) -> JSONValue? {
    switch self {
    case .plain(.value(let value)): try? JSONValue(encoding: value)
    case .plain: nil
    case .answers(let parts): .object(parts.mapValues { $0.draft(origin: origin) })
    }
  }

  fileprivate init?(_ object: JSONValue) {
    guard object["do"] == "answers" else {
      guard let deed = ScreenAnswer.Deed(object) else { return nil }
      self = .plain(deed)
      return
    }
    guard case .object(let members)? = object["value"], members.count <= PageMessage.maxQuestions else { return nil }
    let parts = members.compactMapValues(PageMessage.Part.init)
    guard parts.count == members.count else { return nil }
    self = .answers(parts)
  }
}

extension PageMessage.Part {
  fileprivate func draft(origin: Double?) -> JSONValue {
    let value = (try? JSONValue(encoding: value)) ?? .null
    let draft = PageMessage.Draft(value: value, changes: changes, firstContact: firstContact, origin: origin)
    return .object((draft.json.object ?? [:]).merging(["device": .string(device.rawValue)]) { $1 })
  }

  fileprivate init?(_ object: JSONValue) {
    guard let value = object["value"].flatMap(AnswerValue.init(json:)), let changes = object.count("changes"),
      let device = object["device"]?.string.flatMap(InputDevice.init), device != .line
    else { return nil }
    (self.value, firstContact, self.changes, self.device) = (value, object.time("first_ms"), changes, device)
  }
}

extension ScreenAnswer.Deed {
  fileprivate init?(_ object: JSONValue) {
    switch object["do"] {
    case "goOn": self = .goOn
    case "skip": self = .skip
    case "back": self = .back
    case "value":
      guard let value = object["value"].flatMap(AnswerValue.init(json:)) else { return nil }
      self = .value(value)
    case "side":
      guard let side = object["value"]?.string.flatMap(HeadphoneCheckStep.Side.init) else { return nil }
      self = .side(side)
    case "drawing":
      guard let drawing = object["value"]?.string.flatMap(SignatureDrawing.init(path:)) else { return nil }
      self = .drawing(drawing)
    case "gain":
      guard let gain = object.time("value") else { return nil }
      self = .gain(gain)
    default: return nil
    }
  }
}

extension AnswerValue {
  fileprivate init?(json: JSONValue) {
    switch json {
    case .bool(let isTrue): self = .boolean(isTrue)
    case .number(let number): self.init(number: number)
    case .string(let text): self = .text(text)
    case .array(let elements):
      let values = elements.compactMap(\.string)
      guard values.count == elements.count else { return nil }
      self = .choices(values)
    case .null, .object: return nil
    }
  }
}

extension PageWindow {
  fileprivate init?(_ object: JSONValue) {
    guard let isVisible = object["visible"]?.bool, let hasFocus = object["focused"]?.bool,
      let isFullScreen = object["fullScreen"]?.bool, let ratio = object.time("ratio"),
      let width = object.count("width"), let height = object.count("height"), let origin = object["origin"]?.number,
      let time = object.time("at_ms")
    else { return nil }
    (self.isVisible, self.hasFocus, self.isFullScreen) = (isVisible, hasFocus, isFullScreen)
    (self.ratio, self.width, self.height) = (ratio, width, height)
    (self.origin, self.time) = (origin, time)
  }
}

extension JSONValue {
  /// A whole number that is not negative.
  fileprivate func count(_ key: String) -> Int? { self[key]?.integer.flatMap { $0 >= 0 ? $0 : nil } }

  /// A number that can be a time in milliseconds.
  fileprivate func time(_ key: String) -> Double? { self[key]?.number.flatMap { $0.magnitude < 1e12 ? $0 : nil } }
}
