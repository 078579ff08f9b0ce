import Basics
import Bundles
import Pages
import Quantities
import Session
import Study

/// The operator of a session at a terminal, or behind a pipe: lines, keys and Ctrl-C.
struct TerminalOperator: SessionOperator {
  let console: Console
  /// Handles interrupts; it started before the study was read.
  let interrupts: InterruptRouter
  let results: String
  let isUnattended: Bool
  /// Whether the operator is at a console, starts the session there, and answers nowhere else.
  let awaitsStart: Bool
  /// Rings when the operator goes back before there is a session to start.
  let back = Bell()
  private let pageAddress: String?
  /// Shows steps on the whole screen to the participant, who has the terminal then; `nil` where no step is shown so.
  let participant: ParticipantPresenter?
  /// The participant's page in a browser; `nil` where the terminal serves the participant too.
  let page: ParticipantPage?
  /// Where consoles of the operator find the session.
  let desk: SessionDesk
  let keys = KeyRouter(Keyboard.keys)
  private let display: Displays
  /// Whether the participant sees the last step, and therefore the end screen.
  private let endsWithParticipant: Bool
  /// Whether the session has steps around its trials.
  private let hasTrials: Bool
  private let isResumable: Bool
  /// Whether the consent says that nothing is kept of a participant who stops.
  private let discardsWhenStopped: Bool
  private let participantCode: String
  private let clock = MonotonicClock()

  /// The time limit for the followers of the last bundle; the next session makes up for the rest.
  private static let followerPatience = Duration.seconds(60)

  /// The time limit if an interrupt came after the trial, for example at its end screen.
  private static let interruptedPatience = Duration.milliseconds(500)

  /// The time limit for followers to end after cancellation.
  private static let endPatience = Duration.seconds(1)

  init(
    _ setup: SessionSetup, page served: ServedPage?, desk: SessionDesk, console: Console, interrupts: InterruptRouter,
    awaitsStart: Bool
  ) {
    self.awaitsStart = awaitsStart
    (page, pageAddress) = (served?.page, served?.address)
    self.desk = desk
    self.console = console
    self.interrupts = interrupts
    (results, isUnattended) = (setup.results, setup.isUnattended)
    let studyProtocol = setup.study.studyProtocol
    display = studyProtocol.display
    endsWithParticipant = studyProtocol.steps.last.map { studyProtocol.display[$0] } == .participant
    let isForParticipant = studyProtocol.allSteps.contains { studyProtocol.display[$0.step] == .participant }
    (hasTrials, isResumable) = (studyProtocol.hasTrials, studyProtocol.enrolsParticipants)
    (discardsWhenStopped, participantCode) = (studyProtocol.discardsWhenStopped, setup.participant)
    let showsParticipant = isForParticipant && console.canRedraw && !setup.isUnattended && page == nil
    participant =
      showsParticipant
      ? ParticipantPresenter(console: console, phrases: setup.phrases, hasKeyboard: Keyboard.isTerminal) : nil
  }

  var canAsk: Bool { console.isTerminal && Keyboard.isTerminal && !isUnattended }

  var givesUp: Bool { interrupts.givesUp }

  var interruptions: Int { interrupts.interruptions }

  func awaitGivingUp() async {
    let bell = Bell()
    interrupts.ring(bell)
    _ = await bell.wait()
  }

  var watcher: (any SessionWatcher)? { desk }

  var startChecks: [StartCheck] {
    guard let page else { return [] }
    return [
      page.isOpen
        ? StartCheck("Participant's page", .ready, "open in a browser")
        : StartCheck(
          "Participant's page", .waits, "open it in the participant's browser", opening: pageAddress)
    ]
  }

  var presenters: Presenters {
    var presenters = shownBy
    presenters.watch = { [desk] in desk.show($0) }
    return presenters
  }

  private var shownBy: Presenters {
    let hasKeyboard = Keyboard.isTerminal
    let lines: any Presenter =
      console.canRedraw
      ? TerminalPresenter(console: console, hasKeyboard: hasKeyboard)
      : LinePresenter(console: console, hasKeyboard: hasKeyboard)
    if let page { return Presenters(display, participant: page, operator: OperatorsTurn(lines, page: page)) }
    return participant.map { Presenters(display, participant: $0, operator: lines) } ?? Presenters(lines)
  }

  func inform(_ event: SessionEvent) {
    desk.inform(event)
    switch event {
    case .recovered(let trials): console.show(trials)
    case .caveat(let caveat): console.line("note: \(caveat)")
    case .outputs(let notes): for note in notes { console.line("note: \(note)") }
    case .preparesSpeaker(let isPreparing): show(status: isPreparing ? Console.preparesSpeaker : "")
    case .awaitsSpeaker(let reason): show(speakerLost: reason)
    case .repeats(let place): console.report("trial \(place.trial ?? 0) of \(place.trials) is performed again")
    case .awaitsSamples(let isWaiting): show(status: isWaiting ? "waiting for samples from the sensors" : "")
    case .begins: interrupts.trialOpens()
    case .trialOpens(let place, let remaining):
      interrupts.trialOpens()
      guard place.trials > 1, let trial = place.trial else { return }
      let minutes = Int((remaining.seconds / 60).rounded(.up))
      console.line("trial \(trial) of \(place.trials)" + (minutes > 1 ? ", about \(minutes) min left" : ""))
    case .journal(let report): console.report("\(report)")
    case .awaitsRoom(let place, let records):
      console.leaveScreen()
      console.report(
        "\(part(at: place)) over, but \(records.counted("record is", "records are")) only in memory: free disk space "
          + "for “\(results.visible)”; Ctrl-C discards them")
    case .discarded(let place, let records):
      console.report("\(records.counted("record is", "records are")) discarded: \(part(at: place)) not whole")
    case .sessionNotWritten(let reason):
      console.report("the session's record could not be written: \(reason); its bundles hold what was done")
    case .endedEarly(let count, let planned):
      let remedy = isResumable ? "; the same command with --resume goes on with it" : ""
      console.line("the session ended early: \(count) of \(planned) trials have a bundle\(remedy)")
    }
  }

  /// A part of the session, with its verb.
  private func part(at place: SessionPlace) -> String {
    switch place.trial {
    case nil: "the part of the session around its trials is"
    case let trial? where place.trials > 1 || hasTrials: "trial \(trial) of \(place.trials) is"
    default: "the trial is"
    }
  }

  func attend<Value: Sendable>(_ session: @Sendable () async throws -> Value) async rethrows -> Value {
    defer { console.leaveScreen() }
    return try await Keyboard.unbuffered {
      // What was typed before is for no screen of the session.
      Keyboard.forgetKeys()
      if Keyboard.isTerminal { keys.start() }
      return try await withThrowingTaskGroup(of: Void.self) { group in
        if !isUnattended { group.addTask { await keys.run() } }
        group.addTask { for await wish in desk.wishes { await perform(wish) } }
        defer { group.cancelAll() }
        return try await session()
      }
    }
  }

  /// Does what an operator asks for at a console.
  private func perform(_ wish: SessionDesk.Wish) async {
    guard let control = interrupts.control else {
      guard case .command(.end) = wish.kind else { return wish.reply("no trial runs") }
      if awaitsStart { back.ring() }
      _ = interrupts.handle(.request)
      return wish.reply(nil)
    }
    switch wish.kind {
    case .command(let command):
      wish.reply(await control.perform(command) ? nil : "this cannot be asked for in this trial")
    case .press(let screen):
      await control.press(screen: screen)
      wish.reply(nil)
    }
  }

  func perform(
    _ trial: Trial, at place: SessionPlace,
    conclude: @Sendable (TrialEnd, Bool) async throws -> ConcludedTrial
  ) async throws -> ConcludedTrial {
    let leadsOn = place.trial.map { $0 < place.trials } ?? false
    let control = TrialControl(
      trial, console: console, canAsk: canAsk, isHidden: participant != nil, leadsOn: leadsOn,
      isRepeatable: isResumable && place.trial != nil)
    await interrupts.trialBegins(control)
    desk.offer(control.offers)
    // What happens on the page between trials is noted by the steps around them.
    let outer = page?.answers
    page?.answer(to: { trial.take($0, at: $1) })
    if !isUnattended {
      await keys.route { [isOperatorOnly = page != nil] key, moment in
        // The participant answers on the page, whether the operator has a keyboard or not.
        if !isOperatorOnly || key != .end { await control.take(key, at: moment) }
      }
    }
    let (end, decision) = (await trial.run(), await control.decision())
    page?.answer(to: outer)
    console.show(status: "")
    interrupts.trialIsOver(end)
    desk.offer([])
    if end == .stopped, page?.asksToStop ?? false, discardsWhenStopped {
      console.report(
        "the consent says that nothing is kept of a participant who stops: \(part(at: place)) discarded; “station withdraw "
          + "\(participantCode)” removes what was recorded before")
      var discarded = try await conclude(end, false)
      discarded.endsSession = await control.isStopping
      return discarded
    }
    guard decision == .keep else {
      var discarded = try await conclude(end, false)
      discarded.endsSession = await control.isStopping
      return discarded
    }
    let goesOn = [.completed, .skipped, .repeated].contains(end) || end.isSoundLost
    let isLast = hasTrials ? place.trial == nil : !goesOn || place.trial == place.trials && end != .repeated
    let endBell = Bell()
    let endsWell = end == .completed && endsWithParticipant || end == .declined
    let showsEnd = isLast && endsWell && participant != nil
    if showsEnd {
      await control.awaitEnd(endBell)
      participant?.show(end == .declined ? .declined : .end)
    }
    if let page, isLast { page.show(end == .declined ? .declined : .end) } else { page?.showWait() }
    var concluded = try await conclude(end, true)
    (concluded.endsSession, concluded.pausesSession) = (await control.isStopping, await control.pausesSession)
    // The end screen stays until the operator responds.
    if showsEnd {
      interrupts.ring(endBell)
      _ = await endBell.wait()
    }
    // Between two trials the screen stays the participant's; what the operator is to know is printed at the end.
    if isLast { console.leaveScreen() }
    if let bundle = concluded.bundle { summarize(bundle, end) }
    return concluded
  }

  func performInside(_ trials: @Sendable () async -> TrialEnd) async -> TrialEnd {
    let outer = (control: interrupts.control, keys: keys.handler, answers: page?.answers)
    let end = await trials()
    // What has ended the trials inside ends the steps around them too.
    if end == .stopped { _ = interrupts.forgive() }
    if let control = outer.control {
      await interrupts.trialBegins(control)
      desk.offer(control.offers)
    }
    page?.answer(to: outer.answers)
    if let handler = outer.keys { await keys.route(to: handler) }
    return end
  }

  func awaitFollowers(_ followers: FollowerQueue) async {
    guard followers.hasWork else { return await followers.done() }
    let patience = interrupts.forgive() ? Self.interruptedPatience : Self.followerPatience
    interrupts.ring(followers.bell)
    console.show(status: "storing the samples; Ctrl-C leaves this to the next run")
    if await !followers.isDone(within: patience, on: clock) {
      followers.cancel()
      if await !followers.isDone(within: Self.endPatience, on: clock) { followers.abandon() }
      console.report(
        "not everything was stored or sent; the bundles are complete, and the next run, “station store add” or “station "
          + "send” does the rest")
    }
    console.show(status: "")
  }

  private func summarize(_ bundle: Bundle, _ end: TrialEnd) {
    console.line()
    for line in bundle.summary { console.line(line) }
    if let reason = end.failure { console.report("the trial failed: \(reason)") }
    if end == .declined { console.line("the participant did not consent; nothing else was recorded") }
  }
}
