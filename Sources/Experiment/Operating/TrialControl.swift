package import Basics
import Quantities

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
  /// Whether trials follow in the session.
  private let leadsOn: Bool
  private var isStopping = false
  private var haveKeysEnded = false
  private var endBell: Bell?
  private var asking = Asking.notYet
  private var waiting: [CheckedContinuation<Decision, Never>] = []
  /// The annotation that is being typed, and when that began.
  private var annotation: (text: String, begun: Moment)?

  /// Whether the operator has asked for a pause of the session after this trial.
  package private(set) var pausesSession = false

  /// Controls a trial.
  ///
  /// - Parameters:
  ///   - trial: the trial.
  ///   - console: shows the operator what is asked and answered.
  ///   - canAsk: whether someone can answer a question.
  ///   - leadsOn: whether trials follow in the session: this one can be skipped, and the session paused after it.
  package init(_ trial: Trial, console: any OperatorDisplay, canAsk: Bool, leadsOn: Bool = false) {
    self.trial = trial
    self.leadsOn = leadsOn
    self.console = console
    self.canAsk = canAsk
  }

  /// Handles a key.
  package func take(_ key: OperatorKey) async {
    if key == .end { haveKeysEnded = true }
    if let endBell, key == .end || key == .letter(Self.endKey) { return endBell.ring() }
    if case .asked(let typed) = asking { return answer(key, after: typed) }
    if let annotation { return annotate(key, after: annotation.text, begun: annotation.begun) }
    if canAsk, key == .letter(Self.annotationKey) { return annotate("", begun: trial.now) }
    await trial.press(key)
  }

  /// The key with which the operator ends the end screen.
  static let endKey: Character = "q"

  /// The key with which the operator begins an annotation: Ctrl-T.
  static let annotationKey: Character = "\u{14}"

  /// The most characters of an annotation.
  private static let longestAnnotation = 500

  private func annotate(_ text: String, begun: Moment) {
    annotation = (text, begun)
    console.show(prompt: "annotation\(leadsOn ? ", /skip or /pause" : ""): \(text)")
  }

  private func annotate(_ key: OperatorKey, after text: String, begun: Moment) {
    switch key {
    case _ where key.isBackspace: annotate(String(text.dropLast()), begun: begun)
    case .letter(let letter), .typed(let letter):
      annotate(String((text + String(letter)).prefix(Self.longestAnnotation)), begun: begun)
    case .arrow: break
    case .enter, .end:
      annotation = nil
      console.show(prompt: "")
      guard !text.allSatisfy(\.isWhitespace) else { return }
      if leadsOn, text.hasPrefix("/") { return command(text) }
      trial.send(.annotated(text, at: begun))
      console.line("annotated: \(text.visible)")
    }
  }

  private func command(_ text: String) {
    switch text {
    case "/skip":
      console.line("ending the trial and going on with the next; the recorded data are kept")
      trial.send(.skipTrial)
    case "/pause":
      pausesSession = true
      console.line("the session pauses after this trial")
    default:
      console.line("“\(text.visible)” is no command; /skip goes on with the next trial, /pause pauses after this one")
    }
  }

  /// Rings a bell when that key is pressed or the input ends.
  package func awaitEnd(_ bell: Bell) {
    endBell = bell
    if haveKeysEnded { bell.ring() }
  }

  /// Handles Ctrl-C, or a signal from another process.
  package func interrupt(_ interrupt: Interrupt) {
    guard isStopping else {
      isStopping = true
      console.line("ending the trial; the recorded data are kept")
      trial.send(.stop)
      return
    }
    if case .asked = asking { return decide(.keep) }
    guard case .notYet = asking else { return }
    guard canAsk, !haveKeysEnded, interrupt == .key else {
      console.line("the trial is ending; the recorded data are kept")
      return
    }
    console.line("discard all data of this trial? type “discard” and press Return; Return alone keeps them")
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
    console.show(prompt: "discard? type “discard”; Return keeps the data: \(typed)")
  }

  private func answer(_ key: OperatorKey, after typed: String) {
    switch key {
    case _ where key.isBackspace: ask(typed: String(typed.dropLast()))
    case .letter(let letter), .typed(let letter): ask(typed: String((typed + String(letter)).suffix(40)))
    case .arrow: break
    case .enter, .end: decide(key == .enter && typed == "discard" ? .discard : .keep)
    }
  }

  private func decide(_ decision: Decision) {
    asking = .answered(decision)
    console.show(prompt: "")
    console.line(decision == .discard ? "the trial is discarded" : "the trial is kept")
    for continuation in waiting { continuation.resume(returning: decision) }
    waiting = []
  }
}
