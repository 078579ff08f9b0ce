import Basics
package import Bundles
package import Quantities
package import Session
package import Study
import Synchronization

/// An event of the page that is reported to the operator.
package enum PageEvent: Hashable, Sendable {
  case called(ParticipantCall)
  case happened(PageIncident)
  /// What a step says to the operator.
  case noticed(String)
}

/// Shows a session to its participant in a browser of this computer, and passes on what the participant does there.
///
/// The station has the whole state of the screen: a page that is loaded again, or a browser that is started again, is shown
/// what the one before was.
package final class ParticipantPage: Presenter, PageSite {
  private let clock: any StationClock
  private let phrases: Phrases
  private let files: PageFiles
  private let pictures: [StudyPicture]
  private let monitor: MonitorFacts
  private let report: @Sendable (PageEvent) -> Void
  /// Shows the operator what the participant sees.
  private let follow: @Sendable (String) -> Void
  private let state: Mutex<PageState>

  /// After how long without a message a page does not respond: it asks for the time every five seconds.
  private static let patience = Duration.seconds(15)

  /// The resolution of the times of inputs: those of an X server are whole milliseconds.
  private static let inputResolution = Duration.milliseconds(1)

  /// The maximum number of questions for the time that are open.
  private static let maxPings = 16

  /// A page that asks for a moment's patience.
  ///
  /// - Parameters:
  ///   - clock: the session's clock.
  ///   - phrases: the station's words in the participant's language.
  ///   - pictures: the pictures of the study, with their files.
  ///   - monitor: the monitor that shows it.
  ///   - report: says to the operator what happens on the page.
  ///   - follow: shows the operator what the participant sees.
  package init(
    clock: any StationClock = MonotonicClock(), phrases: Phrases, pictures: [StudyPicture: [UInt8]] = [:],
    monitor: MonitorFacts = MonitorFacts(),
    report: @escaping @Sendable (PageEvent) -> Void,
    follow: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.clock, self.phrases, self.monitor, self.report, self.follow) = (clock, phrases, monitor, report, follow)
    files = PageFiles.participant.adding(pictures)
    self.pictures = pictures.keys.sorted { $0.sha256 < $1.sha256 }
    state = Mutex(PageState())
  }

  // MARK: What a trial shows

  /// Passes what the participant does on to a trial, until it is passed on to another.
  package func answer(to answers: (@Sendable (ParticipantInput, Moment) -> Void)?) {
    state.withLock { $0.answers = answers }
  }

  /// Who takes what the participant does.
  package var answers: (@Sendable (ParticipantInput, Moment) -> Void)? { state.withLock { $0.answers } }

  /// Whether the participant wants to stop, and goes on with nothing yet.
  package var asksToStop: Bool { state.withLock { $0.asksToStop } }

  package var showsProgress: Bool { false }

  package var isPage: Bool { true }

  package var keyUncertainty: Duration? { nil }

  package func show(_ screen: Screen) {
    change { state in
      guard let answers = state.answers else { return }
      let before = state.shown.source?.screen
      let isSame = before?.number == screen.number && before?.step == screen.step && before?.trial == screen.trial
      // To go on after a pause is to decide.
      if before?.isPaused == true, !screen.isPaused { state.asksToStop = false }
      if isSame {
        state.shown.source = (screen, answers)
        // A page takes one answer to each number, and has one entry for it; what was entered, and when it was first
        // painted, stays.
        if screen.notice != before?.notice || (screen.entry == nil) != (before?.entry == nil) {
          state.shown.number += 1
        }
      } else {
        state.shown = ShownScreen(number: state.shown.number + 1, source: (screen, answers))
        let question = screen.question.map { ", question \($0.number) of \($0.count)" } ?? ""
        state.after.append { [follow] in follow("the page shows “\(screen.step)”\(question)") }
        if state.asksToStop, !screen.isPaused { pass(.awaitsDecision, at: clock.now, to: answers, &state) }
      }
      send(state)
    }
  }

  /// Asks for patience, unless a phrase is shown already.
  package func showWait() {
    if state.withLock({ $0.shown.source != nil }) { show(.wait) }
  }

  /// Shows a phrase and nothing else: that the station attends to something, or the session's end.
  package func show(_ phrase: Phrase) {
    state.withLock { state in
      state.shown = ShownScreen(number: state.shown.number + 1, phrase: phrase)
      send(state)
    }
  }

  /// A phrase and nothing else, with which the participant can call the operator unless it is the last one.
  private func notice(_ state: PageState) -> JSONValue {
    let isEnd = [.end, .declined].contains(state.shown.phrase)
    var members: [String: JSONValue] = [
      "kind": "screen", "number": .integer(state.shown.number), "language": .string(phrases.tag),
      "direction": phrases.isRightToLeft ? "rtl" : "ltr", "title": .string(phrases[state.shown.phrase]), "texts": [],
      "buttons": [], "help": .bool(!isEnd), "stop": .bool(!isEnd),
    ]
    if state.asksToStop, !isEnd {
      (members["asksToStop"], members["notice"]) = (true, .string(phrases[.stopCalled]))
    }
    return .object(members)
  }

  /// What the page is to show.
  private func json(_ state: PageState) -> JSONValue {
    state.shown.source?.screen.json(
      number: state.shown.number, phrases, monitor, draft: state.shown.draft, asksToStop: state.asksToStop)
      ?? notice(state)
  }

  private func send(_ state: PageState) { state.stream?.show(json(state).encoded()) }

  package func tell(_ event: PresentedEvent, of step: Step) {
    switch event {
    case .concluded: showWait()
    case .noticed(let text): report(.noticed(text))
    case .started, .sounded, .remaining, .heartRate, .sampled, .signalled, .noise, .answered, .left: break
    }
  }

  /// The keyboard of the terminal is the operator's.
  package func take(_ key: OperatorKey, at moment: Moment) -> KeyEffect {
    key.command(whileAsking: false).map { .command($0) } ?? .none
  }

  /// The session is over: what is shown stays.
  package func end() {
    state.withLock { state in
      state.isOver = true
      state.stream?.end(JSONValue.object(["kind": "over"]).encoded())
    }
  }

  // MARK: What a browser asks for

  package func file(at path: String) -> PageFile? { files[path] }

  /// Whether a browser shows it.
  package var isOpen: Bool { state.withLock { $0.stream.map { !$0.isOver } ?? false } }

  /// How often a page began to listen.
  var clients: Int { state.withLock { $0.client } }

  package func open() -> PageStream {
    state.withLock { state in
      // One page is the participant's: the newest, which may be the same one, loaded again.
      state.stream?.end(JSONValue.object(["kind": "taken"]).encoded())
      state.client += 1
      (state.heard, state.isUnresponsive) = (clock.now, false)
      var first: [String: JSONValue] = [
        "kind": "page", "client": .integer(state.client), "words": words,
        "pictures": .array(pictures.map { .string(PageFiles.address(of: $0)) }),
      ]
      first["monitor_mm"] = monitor.width.map { .number($0) }
      (state.shown.painted, state.shown.frame, state.shown.paints) = (painted(state), nil, [])
      let stream = PageStream(first: JSONValue.object(first).encoded())
      (state.stream, state.pageClock, state.pings) = (stream, PageClock(), [:])
      stream.show(json(state).encoded())
      if state.isOver { stream.end(JSONValue.object(["kind": "over"]).encoded()) }
      return stream
    }
  }

  package func close(_ stream: PageStream) {
    change { state in
      guard state.stream === stream, !state.isOver else { return }
      state.stream = nil
      happened(.lost, at: clock.now, &state)
    }
  }

  package func watch() {
    change { state in
      // A browser gives a hidden page little time of its own.
      guard state.stream != nil, !state.isOver, !state.isUnresponsive, state.window?.isVisible ?? true,
        state.heard.duration(to: clock.now) > Self.patience
      else { return }
      state.isUnresponsive = true
      happened(.unresponsive, at: clock.now, &state)
    }
  }

  /// The browser has ended, and is started again.
  package func restart() { state.withLock { $0.isRestarted = true } }

  /// The words of the page's own buttons and notices.
  private var words: JSONValue {
    let named: [(String, Phrase)] = [
      ("next", .next), ("missing", .missing), ("help", .help), ("helpCalled", .helpCalled),
      ("stop", .stop), ("stopAsk", .stopAsk), ("stopConfirm", .stopConfirm), ("stopCancel", .stopCancel),
      ("lost", .wait), ("taken", .taken), ("over", .end), ("clear", .delete), ("draw", .draw),
      ("day", .day), ("month", .month), ("year", .year), ("hours", .hours), ("minutes", .minutes),
    ]
    let words = [String: JSONValue](uniqueKeysWithValues: named.map { ($0.0, .string(phrases[$0.1])) })
    return .object(words.merging(phrases.digits.map { ["digits": .string($0)] } ?? [:]) { $1 })
  }

  package var name: String { "participant" }

  package func take(_ bytes: [UInt8]) -> UInt32 {
    let now = clock.now
    guard let message = PageMessage(bytes) else { return 400 }
    return change { state in
      guard message.client == state.client else { return 409 }
      state.heard = now
      if state.isUnresponsive {
        state.isUnresponsive = false
        happened(.responsive, at: now, &state)
      }
      take(message.content, at: now, &state)
      return 204
    }
  }

  private func take(_ message: PageMessage.Content, at now: Moment, _ state: inout PageState) {
    switch message {
    case .clock(let ping, let last):
      if let last { take(last, &state) }
      guard state.pings.count < Self.maxPings else { return state.pings = [:] }
      state.pings[ping] = now
      let reply: JSONValue = [
        "kind": "clock", "ping": .integer(ping), "at_ns": .string("\(now.nanoseconds)"),
      ]
      state.stream?.tell(reply.encoded())
    case .clocked(let last): take(last, &state)
    case .painted(let screen, let frame, let pictures):
      guard screen == state.shown.number else { return }
      // A page that was loaded again paints what was painted before.
      let isFirst = state.shown.painted == nil && state.shown.frame == nil
      note(frame, &state)
      let further = Set(pictures.map(\.sha256)).subtracting(state.shown.pictured)
      state.shown.pictured.formUnion(further)
      if isFirst || !further.isEmpty { state.shown.paints.append((frame, pictures)) }
      passOnPaints(&state)
    case .answer(let answer): take(answer, at: now, &state)
    case .draft(let screen, let draft):
      if screen == state.shown.number { state.shown.draft = draft.json }
    case .rating(let screen, let percent):
      guard screen == state.shown.number else { return }
      pass(.marked(percent), at: now, to: state.shown.source?.answers, &state)
    case .key(let screen, let name, let made):
      guard screen == state.shown.number else { return }
      let made = moment(of: made, at: now, state)
      pass(.key(name, made: made), at: made.moment, to: state.shown.source?.answers, &state)
    case .broken(let address):
      if pictures.contains(where: { PageFiles.address(of: $0) == address }) {
        happened(.pictureBroken, at: now, &state)
      }
    case .help(let made): call(.help, made, at: now, &state)
    case .stop(let made):
      state.asksToStop = true
      call(.stop, made, at: now, &state)
      pass(.awaitsDecision, at: now, to: state.answers, &state)
      send(state)
    case .window(let window):
      let moment = state.pageClock.moment(of: window.time)?.moment ?? now
      for incident in state.incidents(with: window) { happened(incident, at: moment, &state) }
      (state.window, state.isRestarted) = (window, false)
    }
  }

  private func happened(_ incident: PageIncident, at moment: Moment, _ state: inout PageState) {
    state.after.append { [report] in report(.happened(incident)) }
    pass(.page(incident), at: moment, to: state.answers, &state)
  }

  private func call(_ call: ParticipantCall, _ made: Double, at now: Moment, _ state: inout PageState) {
    state.after.append { [report] in report(.called(call)) }
    pass(.called(call), at: state.pageClock.moment(of: made)?.moment ?? now, to: state.answers, &state)
  }

  private func pass(
    _ input: ParticipantInput, at moment: Moment, to answers: (@Sendable (ParticipantInput, Moment) -> Void)?,
    _ state: inout PageState
  ) {
    if let answers { state.after.append { answers(input, moment) } }
  }

  /// Changes the state, and says to others what follows from it.
  private func change<Result: Sendable>(_ body: (inout PageState) -> Result) -> Result {
    let (result, after) = state.withLock { state in
      let result = body(&state)
      defer { state.after = [] }
      return (result, state.after)
    }
    for act in after { act() }
    return result
  }

  private func take(_ reply: PageMessage.Reply, _ state: inout PageState) {
    guard let station = state.pings.removeValue(forKey: reply.ping) else { return }
    state.pageClock.take(.init(sent: reply.sent, received: reply.received, station: station))
    passOnPaints(&state)
  }

  /// Tells the trial what was painted, once the page's clock is known.
  private func passOnPaints(_ state: inout PageState) {
    guard let source = state.shown.source else { return }
    while let paint = state.shown.paints.first, let moment = light(of: paint.frame, state) {
      state.shown.paints.removeFirst()
      let sizes = paint.pictures.map { ($0.sha256, $0.size) }
      let painted = ScreenPaint(
        screen: source.screen.number, painted: moment, pictures: Dictionary(sizes) { first, _ in first })
      pass(.painted(painted), at: moment.moment, to: source.answers, &state)
    }
  }

  /// When the screen was painted for the first time; `nil` where no page has said so.
  private func painted(_ state: PageState) -> MeasuredMoment? {
    state.shown.frame.flatMap { light(of: $0, state) } ?? state.shown.painted
  }

  /// When the light of a frame is seen; `nil` while the page's clock is not known.
  private func light(of frame: PageMessage.Frame, _ state: PageState) -> MeasuredMoment? {
    state.pageClock.moment(of: frame.time).map {
      monitor.light(of: $0, framesApart: .milliseconds(frame.distance))
    }
  }

  /// When something happened on the page.
  ///
  /// Before the first round trip only the time of its message is known, and how long that took is not.
  private func moment(of time: Double, at now: Moment, _ state: PageState) -> MeasuredMoment {
    guard var made = state.pageClock.moment(of: time) else {
      return MeasuredMoment(moment: now, uncertainty: .seconds(1))
    }
    made.uncertainty += Self.inputResolution
    return made
  }

  /// Notes when the screen was painted, unless that is known: the first time counts.
  private func note(_ frame: PageMessage.Frame, _ state: inout PageState) {
    if state.shown.painted == nil, state.shown.frame == nil { state.shown.frame = frame }
  }

  private func take(_ answer: PageMessage.Answer, at now: Moment, _ state: inout PageState) {
    guard answer.screen == state.shown.number, let source = state.shown.source else { return }
    if let frame = answer.painted { note(frame, &state) }
    // If the station refuses the answer, the page shows it again, to be corrected.
    if let draft = answer.draft(origin: state.window?.origin) { state.shown.draft = draft.json }
    let input = AnswerInput(
      painted: painted(state), made: moment(of: answer.made, at: now, state), device: answer.device,
      firstContact: answer.firstContact.flatMap { state.pageClock.moment(of: $0)?.moment }, changes: answer.changes)
    let deed = answer.deed.deed { time in time.flatMap { state.pageClock.moment(of: $0)?.moment } }
    pass(.answered(ScreenAnswer(screen: source.screen.number, deed, input)), at: now, to: source.answers, &state)
  }
}
