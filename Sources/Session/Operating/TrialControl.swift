package import Basics
package import Quantities

/// The operator's control of the running trial: turns keys and interrupts into inputs of the trial.
///
/// The first interrupt ends the trial. A second Ctrl-C asks whether to discard it; only the word
/// “discard” does that, and the question is asked only at a terminal. Anything else keeps the trial: a third Ctrl-C, a
/// signal from another process, or a closed terminal.
package actor TrialControl {
  /// What happens to a trial that was ended.
  package enum Decision: Sendable {
    /// Its bundle is written.
    case keep
    /// All its data are removed.
    case discard
  }

  private enum Asking {
    case notYet
    case asked(typed: String)
    case answered(Decision)
  }

  private let trial: Trial
  private let console: any OperatorDisplay
  private let canAsk: Bool
  /// Whether the operator's line is on the participant's screen, where it shows none of the operator's words.
  private let isHidden: Bool
  /// What cannot be asked for in this trial.
  private let unavailable: Set<OperatorWord>
  /// Whether the operator has ended the trial, and with it the session.
  package private(set) var isStopping = false
  private var haveKeysEnded = false
  private var endBell: Bell?
  private var asking = Asking.notYet
  private var waiting: [CheckedContinuation<Decision, Never>] = []
  /// The operator's line, and when it was begun.
  private var line: (text: String, begun: Moment)?

  /// Whether the operator has asked for a pause of the session after this trial.
  package private(set) var pausesSession = false

  /// Controls a trial.
  ///
  /// - Parameters:
  ///   - trial: the trial.
  ///   - console: shows the operator what is asked and answered.
  ///   - canAsk: whether someone can answer a question.
  ///   - isHidden: whether the operator's line is on the participant's screen.
  ///   - leadsOn: whether trials follow in the session: this one can be skipped, and the session paused after it.
  ///   - isRepeatable: whether it can be performed again.
  package init(
    _ trial: Trial, console: any OperatorDisplay, canAsk: Bool, isHidden: Bool = false, leadsOn: Bool = false,
    isRepeatable: Bool = false
  ) {
    self.trial = trial
    unavailable = Set((leadsOn ? [] : [.pauseAfter, .skipTrial]) + (isRepeatable ? [] : [.repeatTrial]))
    self.console = console
    (self.canAsk, self.isHidden) = (canAsk, isHidden)
  }

  /// Handles a key, which was pressed at a moment; `nil` for one that comes through a pipe.
  package func take(_ key: OperatorKey, at moment: Moment? = nil) async {
    if key == .end { haveKeysEnded = true }
    if let endBell {
      if key == .end || key == Self.operatorKey { endBell.ring() }
      return
    }
    if case .asked(let typed) = asking { return answer(key.pressed, after: typed) }
    if let line { return type(key.pressed, after: line.text, begun: line.begun) }
    if canAsk, key == Self.operatorKey { return show("", begun: moment ?? trial.now) }
    await trial.press(key, at: moment)
  }

  /// The operator's key, which begins a line and ends the end screen: Ctrl-P.
  package static let operatorKey = OperatorKey.letter("\u{10}")

  /// The most characters of a line.
  private static let maxLineLength = 500

  private func show(_ text: String, begun: Moment) {
    line = (text, begun)
    show(prompt: "operator: ", text)
  }

  /// Shows what the operator types; a participant who looks on reads nothing of it.
  private func show(prompt: String, _ text: String) {
    console.show(prompt: isHidden ? "operator: " + String(repeating: "*", count: text.count) : prompt + text)
  }

  private func type(_ key: OperatorKey, after text: String, begun: Moment) {
    switch key {
    case _ where key.isBackspace: show(String(text.dropLast()), begun: begun)
    case .letter(let letter), .typed(let letter):
      guard !letter.isControl else { break }
      show(String((text + String(letter)).prefix(Self.maxLineLength)), begun: begun)
    case .arrow, .jump, .repeated: break
    case .enter, .end:
      line = nil
      console.show(prompt: "")
      guard !text.allSatisfy(\.isWhitespace) else { return }
      if text.hasPrefix("/") { return perform(text) }
      perform(.annotate(text, at: begun))
    }
  }

  private func perform(_ text: String) {
    guard let word = OperatorWord(text), !unavailable.contains(word) else {
      let words = OperatorWord.allCases.filter { !unavailable.contains($0) }.map(\.rawValue)
      if isHidden {
        // The line below waits until the participant's screen is left.
        show("", begun: trial.now)
        console.show(prompt: "operator, not a command: ")
      }
      return console.confirm("“\(text.visible)” is not a command; \(Spelling.advice(for: text, among: words))")
    }
    perform(word.command)
  }

  /// What can be asked for in this trial, by its names.
  package nonisolated var offers: [String] {
    OperatorWord.allCases.filter { !unavailable.contains($0) }.compactMap(\.command.name)
  }

  /// Performs what the operator asks for.
  ///
  /// - Returns: whether it can be asked for in this trial; what cannot has no effect.
  @discardableResult
  package func perform(_ command: OperatorCommand) -> Bool {
    guard !unavailable.contains(where: { $0.command == command }) else { return false }
    switch command {
    case .annotate(let text, _):
      trial.send(.command(command))
      console.confirm("annotated: \(text.visible)")
    case .togglePause, .pause, .resume, .skipStep: trial.send(.command(command))
    case .skipTrial:
      console.confirm("ending the trial and going on with the next; the recorded data are kept")
      trial.send(.command(command))
    case .repeatTrial:
      console.confirm("ending the trial and performing it again; the recorded data are kept, and superseded")
      trial.send(.command(command))
    case .pauseAfterTrial:
      pausesSession = true
      trial.send(.command(command))
      console.confirm("the session pauses after this trial")
    case .end: interrupt(.key)
    // Nothing is asked while a trial runs.
    case .answer: return false
    }
    return true
  }

  /// Presses the main button of a screen in the place of the participant, which is noted.
  package func press(screen: Int) {
    let now = trial.now
    perform(.annotate("the operator pressed for the participant", at: now))
    trial.take(
      .answered(.init(screen: screen, .goOn, .init(made: MeasuredMoment(moment: now, uncertainty: .zero)))), at: now)
  }

  /// Rings a bell when the operator's key is pressed or the input ends.
  package func awaitEnd(_ bell: Bell) {
    line = nil
    console.show(prompt: "")
    endBell = bell
    if haveKeysEnded { bell.ring() }
  }

  /// Handles Ctrl-C, or a signal from another process.
  func interrupt(_ interrupt: Interrupt) {
    guard isStopping else {
      isStopping = true
      console.confirm("ending the trial; the recorded data are kept")
      trial.send(.command(.end))
      return
    }
    if case .asked = asking { return decide(.keep) }
    guard case .notYet = asking else { return }
    guard canAsk, !haveKeysEnded, interrupt == .key else {
      console.confirm("the trial is ending; the recorded data are kept")
      return
    }
    console.confirm("discard all data of this trial? type “discard” and press Return; Return alone keeps them")
    ask(typed: "")
  }

  /// What to do with the trial, after the answer to an open question; no question is asked afterwards.
  package func decision() async -> Decision {
    switch asking {
    case .notYet:
      asking = .answered(.keep)
      return .keep
    case .answered(let decision): return decision
    case .asked: return await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func ask(typed: String) {
    asking = .asked(typed: typed)
    show(prompt: "discard? type “discard”; Return keeps the data: ", typed)
  }

  private func answer(_ key: OperatorKey, after typed: String) {
    switch key {
    case _ where key.isBackspace: ask(typed: String(typed.dropLast()))
    case .letter(let letter), .typed(let letter):
      if !letter.isControl { ask(typed: String((typed + String(letter)).suffix(40))) }
    case .arrow, .jump, .repeated: break
    case .enter, .end: decide(key == .enter && typed == "discard" ? .discard : .keep)
    }
  }

  private func decide(_ decision: Decision) {
    asking = .answered(decision)
    console.show(prompt: "")
    console.confirm(decision == .discard ? "the trial is discarded" : "the trial is kept")
    for continuation in waiting { continuation.resume(returning: decision) }
    waiting = []
  }
}

/// What the operator can ask for in a line.
enum OperatorWord: String, Hashable, Sendable, CaseIterable {
  /// Pauses the step or question.
  case pause = "/pause"
  /// Goes on after a pause.
  case resume = "/resume"
  /// Pauses the session after this trial.
  case pauseAfter = "/pause after"
  /// Skips an optional step.
  case skip = "/skip"
  /// Ends the trial and goes on with the next one.
  case skipTrial = "/skip trial"
  /// Ends the trial and performs it again.
  case repeatTrial = "/repeat trial"
  /// Ends the trial, and with it the session.
  case end = "/end"

  init?(_ text: String) {
    self.init(rawValue: text.lowercased().split(separator: " ").joined(separator: " "))
  }

  var command: OperatorCommand {
    switch self {
    case .pause: .pause
    case .resume: .resume
    case .pauseAfter: .pauseAfterTrial
    case .skip: .skipStep
    case .skipTrial: .skipTrial
    case .repeatTrial: .repeatTrial
    case .end: .end
    }
  }
}

/// What the operator of a session sees: lines, one status line, and on request a full screen.
///
/// No call waits for the device.
package protocol OperatorDisplay: Sendable {
  /// Whether the status line and the screen can be redrawn.
  var canRedraw: Bool { get }

  /// Shows a line.
  func line(_ text: String)

  /// Shows what comes of something that the operator asked for.
  func confirm(_ text: String)

  /// Shows a line as a heading.
  func heading(_ text: String)

  /// Shows a problem.
  func report(_ text: String)

  /// Shows a status in place of the previous one; an empty text removes it.
  func show(status: String)

  /// Shows a prompt with the typed answer in place of the status until it is empty.
  func show(prompt: String)

  /// Shows rows on the full screen, laid out for its size; lines wait until the screen is left.
  ///
  /// - Parameters:
  ///   - rows: the rows for a size.
  ///   - painted: is told each size at which they are painted, and when that begins; never by the caller's thread.
  func show(
    screen rows: @escaping @Sendable (TerminalSize) -> [String],
    painted: @escaping @Sendable (TerminalSize, Moment) -> Void)

  /// Leaves the full screen, and shows the lines that waited.
  func leaveScreen()

  /// Rings a bell.
  func ring()
}

extension OperatorDisplay {
  /// As any line.
  package func confirm(_ text: String) { line(text) }
}

/// The origin of an interrupt.
package enum Interrupt: Hashable, Sendable {
  /// Ctrl-C, pressed by a person.
  case key
  /// A signal from another process, or a closed terminal.
  case request
}
