import Basics
import Quantities
import Study

/// The contents of the participant's screen.
///
/// Nothing of it is cut off: what does not fit the terminal is scrolled, with a mark while there is more below.
struct ParticipantScreen: Sendable {
  var title = ""
  var texts: [String] = []
  var document: [ConsentStep.Section] = []
  var spoken = ""
  var remaining: Duration?
  /// Whether a fixation cross is shown.
  var hasCross = false
  var entry: OpenEntry?
  /// The mark of a continuous rating.
  var rating: AnalogueEntry?
  var hint = ""
  /// The trial's number in the session, at the bottom: `2 / 8`.
  var position = ""
  /// The mark below a text whose end is not on the screen.
  var more = ""
  /// What stands on the screen alone while the trial is paused; `nil` while it is not.
  var paused: String?
  /// How many characters of the text are above the first row, spaces apart, so that the place stays when the size changes;
  /// `nil` to begin with the question.
  var above: Int? = 0
  /// What the arrow keys are for.
  var reading = Reading.first

  /// What the arrow keys are for on a screen that is scrolled.
  enum Reading: Hashable, Sendable {
    /// They scroll, and nothing else does anything, until the end was seen.
    case first
    /// They are the answer's, which is kept on the screen.
    case done
    /// They scroll until another key is pressed.
    case again
  }

  /// The maximum line width, for easy reading.
  private static let widest = 72

  /// The rows, centred on the terminal, or as many as fit of a text that is scrolled.
  func rows(_ size: TerminalSize) -> [String] { layout(size).rows }

  /// Where everything stands on a terminal of a size.
  func layout(_ size: TerminalSize) -> ScreenLayout {
    if let paused { return ParticipantScreen(title: paused, position: position).layout(size) }
    let width = max(1, min(size.columns - 2, Self.widest))
    func wrapped(_ text: String) -> [String] { text.isEmpty ? [] : text.visibleLines.wrapped(to: width) }
    var document = ScreenLayout.Document()
    document.add(wrapped(title), isBold: true)
    for text in texts { document.add(wrapped(text)) }
    for section in self.document {
      document.add(wrapped(section.title ?? ""), isBold: true)
      document.add(wrapped(section.text))
    }
    if !spoken.isEmpty { document.add(wrapped("“\(spoken)”")) }
    if let remaining { document.add([remaining.clockText(rounding: .up)]) }
    if hasCross { document.add(["+"]) }
    if let rating { document.add(rating.rows(width: width)) }
    if let entry {
      document.startQuestion()
      document.add(wrapped(entry.question.prompt ?? ""))
      document.add(entry.entry.rows(width: width))
    }
    return ScreenLayout(
      document, hint: wrapped(hint), more: more.visibleLines.cut(to: size.columns), position: position, size: size,
      width: width, above: above, follows: reading == .done || rating != nil && reading == .first)
  }
}

// MARK: Keys

extension ParticipantScreen {
  /// The key that leads between an answer and the text above, where both do not fit.
  private static let rereads = OperatorKey.letter("\t")

  /// Takes a key with which the text is read; whether nothing else is to be done with it.
  mutating func reads(_ key: OperatorKey, on size: TerminalSize) -> Bool {
    switch reading {
    case .first:
      _ = scroll(key, on: size)
      return true
    case .again:
      if scroll(key, on: size) { return true }
      reading = .done
      return key == Self.rereads
    case .done:
      guard entry != nil else { return scroll(key, on: size) }
      guard key == Self.rereads, layout(size).isScrolled else { return false }
      reading = .again
      return true
    }
  }

  /// Takes a key that moves a text that is longer than the screen; whether nothing else is to be done with it.
  mutating func scroll(_ key: OperatorKey, on size: TerminalSize) -> Bool {
    let layout = layout(size)
    guard layout.isScrolled else { return false }
    let page = max(1, layout.height - 1)
    let lines: Int
    switch key {
    case .arrow(.down): lines = 1
    case .arrow(.up): lines = -1
    case .jump(.pageDown), .letter(" "): lines = page
    case .jump(.pageUp): lines = -page
    case .jump(.end): lines = Int(Int32.max)
    case .jump(.home): lines = -Int(Int32.max)
    default: return false
    }
    let place = layout.above(after: lines)
    let moves = place != layout.above(after: 0)
    // At the end of the text, the arrow is the answer's.
    if !moves, key == .arrow(.down), entry != nil { return false }
    above = place
    if moves, reading == .done { reading = .again }
    return true
  }
}

extension String {
  /// Its lines wrapped to a width: between words, and within words that are wider.
  func wrapped(to width: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      var lines: [String] = []
      var current = ""
      // A running sum: measuring the whole line for each character would take quadratic time.
      var columns = 0
      func breakLine() {
        if !current.isEmpty { lines.append(current) }
        (current, columns) = ("", 0)
      }
      func put(_ word: Substring) {
        let own = word.displayWidth
        if !current.isEmpty, columns + 1 + own <= width {
          current += " " + word
          columns += 1 + own
          return
        }
        breakLine()
        for character in word {
          let own = character.displayWidth
          if columns + own > width { breakLine() }
          current.append(character)
          columns += own
        }
      }
      for word in line.split(separator: " ") { put(word) }
      return lines + [current]
    }
  }
}
