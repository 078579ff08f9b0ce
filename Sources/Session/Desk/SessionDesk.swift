import Basics
import Bundles
package import Quantities
import Study
import Synchronization

/// Where consoles read a session and ask something of it: a socket beside the session's record.
///
/// The session tells it what happens and never waits for it. One thread of low priority folds that, and speaks with the
/// consoles; one that does not read is cut off.
package final class SessionDesk: Sendable, SessionWatcher {
  /// What an operator asks at a console.
  package struct Wish: Sendable {
    /// What is asked.
    package enum Kind: Sendable {
      case command(OperatorCommand)
      /// Presses the main button of this screen in the place of the participant.
      case press(screen: Int)
    }

    package let kind: Kind
    /// Says what came of it: why nothing did, or `nil`.
    package let reply: @Sendable (_ refusal: String?) -> Void
  }

  private struct State {
    var facts: [DeskFact] = []
    /// How many samples found no room, since the thread was behind.
    var omitted = 0
    var isOver = false
    var hasOperator = false
    var questions: [Int: Bell] = [:]
    var answers: [Int: StationAnswer] = [:]
    var lastQuestion = 0
  }

  /// How many facts wait for the thread; what sensors say beyond is counted and not shown.
  private static let maxFacts = 5000

  /// What operators ask, in their order.
  package let wishes: AsyncStream<Wish>

  let clock: any StationClock
  private let told: AsyncStream<Wish>.Continuation
  private let state = Mutex(State())
  private let alarm = Alarm()
  private let path = Mutex<String?>(nil)

  /// The remarks that consoles have buttons for.
  let labels: [String]
  private let report: @Sendable (String) -> Void

  /// The remarks unless the settings have others.
  package static let usualLabels = ["moved", "coughed", "talked", "noise", "door"]

  /// A desk that no console finds yet.
  ///
  /// - Parameters:
  ///   - labels: the remarks that consoles have buttons for.
  ///   - clock: the session's clock.
  ///   - report: is told why no console can find it.
  package init(
    labels: [String] = usualLabels, clock: any StationClock = MonotonicClock(),
    report: @escaping @Sendable (String) -> Void
  ) {
    (self.labels, self.clock, self.report) = (labels, clock, report)
    (wishes, told) = AsyncStream.makeStream()
  }

  package func begin(at socket: String?) {
    guard let socket else { return }
    do throws(FileError) {
      let thread = DeskThread(try LocalSocket.listen(at: socket), self)
      path.withLock { $0 = socket }
      WaitingThread.start { thread.run() }
    } catch {
      state.withLock { ($0.isOver, $0.facts) = (true, []) }
      report("no console can find this session: \(error)")
    }
  }

  package func end() {
    guard let socket = path.withLock({ $0.take() }) else { return }
    try? Folder.removeFile(socket)
    tell(.over)
    state.withLock { $0.isOver = true }
    told.finish()
    alarm.ring()
  }

  /// Shows what the session informs its operator of.
  package func inform(_ event: SessionEvent) {
    switch event {
    case .preparesSpeaker(let isPreparing): tell(.waits(isPreparing ? "preparing the speaker" : nil))
    case .awaitsSpeaker(let reason): tell(.waits(reason.map { "waiting for the speaker: \($0)" }))
    case .awaitsSamples(let isWaiting): tell(.waits(isWaiting ? "waiting for samples from the sensors" : nil))
    case .awaitsRoom(_, let records): tell(.waits("waiting for room on the disk for \(records) records"))
    case .trialOpens(_, let remaining): tell(.remains(remaining, at: clock.now))
    case .recovered, .caveat, .outputs, .repeats, .begins, .journal, .discarded, .sessionNotWritten, .endedEarly: break
    }
  }

  package func see(_ fact: SessionFact) { tell(fact.fact) }

  /// Whether a console is there that may answer.
  package var hasOperator: Bool { state.withLock { $0.hasOperator } }

  /// Shows what the operator at the terminal reads.
  package func say(_ text: String, isProblem: Bool) { tell(.said(text, isProblem: isProblem, at: clock.now)) }

  /// Shows that the participant calls.
  package func call(_ call: ParticipantCall) { tell(.called(call, at: clock.now)) }

  /// Shows what can be asked for in the trial that runs, by the names of commands.
  package func offer(_ commands: [String]) { tell(.offers(commands)) }

  /// Shows what the participant sees.
  package func show(_ screen: Screen) { tell(.showed(screen)) }

  /// Asks the consoles, until one answers or the task is cancelled.
  package func answer(_ question: StationQuestion) async -> StationAnswer? {
    let bell = Bell()
    let number = state.withLock { state in
      state.lastQuestion += 1
      state.questions[state.lastQuestion] = bell
      return state.lastQuestion
    }
    tell(.asked(number, question))
    _ = await bell.wait()
    tell(.settled(number))
    return state.withLock { state in
      state.questions[number] = nil
      return state.answers.removeValue(forKey: number)
    }
  }

  // MARK: What the thread asks

  func tell(_ fact: DeskFact) {
    let isFirst = state.withLock { state in
      guard !state.isOver else { return false }
      if state.facts.count >= Self.maxFacts, fact.isOfSensor {
        state.omitted += 1
        return false
      }
      state.facts.append(fact)
      return state.facts.count == 1
    }
    if isFirst { alarm.ring() }
  }

  /// Whether facts wait, and whether the session is over.
  var news: (hasFacts: Bool, isOver: Bool) { state.withLock { (!$0.facts.isEmpty, $0.isOver) } }

  func takeFacts() -> [DeskFact] {
    state.withLock { state in
      defer { (state.facts, state.omitted) = ([], 0) }
      let note = "\(state.omitted) samples are not shown, since too many came; they are recorded"
      return state.omitted > 0 ? state.facts + [.said(note, isProblem: true, at: clock.now)] : state.facts
    }
  }

  func setOperator(_ isThere: Bool) { state.withLock { $0.hasOperator = isThere } }

  func wait(_ descriptors: [(number: Int32, events: Int)], milliseconds: Int32) -> [Int16] {
    alarm.wait(descriptors, milliseconds: milliseconds)
  }

  /// Passes on what an operator asks.
  func take(_ wish: Wish) { told.yield(wish) }

  /// Answers a question of the station; whether it is asked still.
  func settle(_ number: Int, _ answer: StationAnswer) -> Bool {
    let bell = state.withLock { state in
      guard state.questions[number] != nil, state.answers[number] == nil else { return nil as Bell? }
      state.answers[number] = answer
      return state.questions[number]
    }
    bell?.ring()
    return bell != nil
  }

  func wake() { alarm.ring() }
}

extension DeskFact {
  fileprivate var isOfSensor: Bool { if case .heard = self { true } else { false } }
}
