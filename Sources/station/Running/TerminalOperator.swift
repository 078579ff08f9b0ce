import Basics
import Bundles
import Experiment
import Quantities
import Study

/// The operator of a session at a terminal, or behind a pipe: lines, keys and Ctrl-C.
struct TerminalOperator: SessionOperator {
  let console: Console
  /// Handles interrupts; it started before the study was read.
  let interrupts: InterruptRouter
  let results: String
  let isUnattended: Bool
  private let participant: ParticipantPresenter?
  private let display: Displays
  /// Whether the participant sees the last step, and therefore the end screen.
  private let endsWithParticipant: Bool
  private let waitsForRoom = FirstTime()

  init(_ setup: SessionSetup, console: Console, interrupts: InterruptRouter) {
    self.console = console
    self.interrupts = interrupts
    (results, isUnattended) = (setup.results, setup.isUnattended)
    let studyProtocol = setup.study.studyProtocol
    display = studyProtocol.display
    endsWithParticipant = studyProtocol.steps.last.map { studyProtocol.display[$0] } == .participant
    let isForParticipant = studyProtocol.steps.contains { studyProtocol.display[$0] == .participant }
    let showsParticipant = isForParticipant && console.canRedraw && !setup.isUnattended
    participant = showsParticipant ? ParticipantPresenter(console: console, phrases: studyProtocol.phrases) : nil
  }

  /// Whether someone can answer a question.
  var canAsk: Bool { console.isTerminal && Keyboard.isTerminal && !isUnattended }

  var givesUp: Bool { interrupts.givesUp }

  var presenters: Presenters {
    let lines: any Presenter =
      console.canRedraw ? TerminalPresenter(console: console) : LinePresenter(console: console)
    guard let participant else { return Presenters(lines) }
    func presenter(_ display: Display) -> any Presenter { display == .participant ? participant : lines }
    var presenters = Presenters(presenter(display.general))
    for (kind, display) in display.kinds { presenters = presenters.with(presenter(display), for: kind) }
    for (step, display) in display.steps { presenters = presenters.with(presenter(display), forStep: step) }
    return presenters
  }

  func inform(_ event: SessionEvent) {
    switch event {
    case .recovered(let trials): RecoverCommand.tell(trials)
    case .caveat(let caveat): console.line("note: \(caveat)")
    case .speaker(let notes): for note in notes { console.line("note: \(note)") }
    case .awaitsSamples(let isWaiting): console.show(status: isWaiting ? "waiting for samples from the sensors" : "")
    case .trialOpens: interrupts.trialOpens()
    case .journal(let report): console.report("\(report)")
    case .awaitsRoom(let records):
      guard waitsForRoom.isFirst else { return }
      console.leaveScreen()
      console.report(
        "the trial is over, but \(records.counted("record is", "records are")) only in memory: free disk space for "
          + "“\(results.visible)”; Ctrl-C discards them")
    }
  }

  func perform(
    _ trial: Trial, conclude: @Sendable (TrialEnd, Bool) async throws -> Bundle?
  ) async throws -> Bundle? {
    let control = TrialControl(trial, console: console, canAsk: canAsk)
    await interrupts.trialBegins(control)
    defer { console.leaveScreen() }
    return try await Keyboard.unbuffered {
      try await withThrowingTaskGroup(of: Void.self) { group in
        if !isUnattended {
          group.addTask { for await key in Keyboard.keys() { await control.take(key) } }
        }
        defer { group.cancelAll() }
        let (end, decision) = (await trial.run(), await control.decision())
        console.show(status: "")
        guard decision == .keep else { return try await conclude(end, false) }
        interrupts.trialIsOver()
        let endBell = Bell()
        let showsEnd = end == .completed && participant != nil && endsWithParticipant
        if showsEnd {
          await control.awaitEnd(endBell)
          participant?.showEnd()
        }
        let bundle = try await conclude(end, true)
        // The end screen stays until the operator responds.
        if showsEnd {
          interrupts.ring(endBell)
          _ = await endBell.wait()
        }
        if let bundle { summarize(bundle, end) }
        return bundle
      }
    }
  }

  private func summarize(_ bundle: Bundle, _ end: TrialEnd) {
    console.leaveScreen()
    console.line()
    for line in bundle.summary { console.line(line) }
    if case .failed(let reason) = end { console.report("the trial failed: \(reason)") }
  }
}
