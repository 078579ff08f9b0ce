import Basics
package import Bundles
import Sensors
import Sound

/// Runs a session, as a person at a terminal or a program in a simulation or test: is informed, decides, and sends keys and
/// interrupts to trials.
package protocol SessionOperator: Sendable {
  /// Informs the operator; returns without waiting for anyone.
  func inform(_ event: SessionEvent)

  /// Asks what the session cannot decide itself.
  ///
  /// - Returns: the answer; `nil` where there is no one to ask.
  func answer(_ question: StationQuestion) async -> StationAnswer?

  /// Whether the session waits, with everything open, until the operator starts it.
  var awaitsStart: Bool { get }

  /// What the operator has ready beside sensors and speaker.
  var startChecks: [StartCheck] { get }

  /// Who shows the trial's steps.
  var presenters: Presenters { get }

  /// Who sees what the session does while it does it; `nil` for none.
  var watcher: (any SessionWatcher)? { get }

  /// Attends the whole session: has keys and screen ready for it, and gives them back at its end.
  func attend<Value: Sendable>(_ session: @Sendable () async throws -> Value) async rethrows -> Value

  /// Performs a trial: runs it with the operator's keys and interrupts, then has it concluded.
  ///
  /// - Parameters:
  ///   - trial: the trial, whose journal is open.
  ///   - place: its place in the session.
  ///   - conclude: makes the bundle of a trial that ended, or discards it; to be called once.
  /// - Returns: what `conclude` returns.
  /// - Throws: what `conclude` throws.
  func perform(
    _ trial: Trial, at place: SessionPlace,
    conclude: @Sendable (_ end: TrialEnd, _ isKept: Bool) async throws -> ConcludedTrial
  ) async throws -> ConcludedTrial

  /// Performs trials inside of a session's own steps: they have the keys and interrupts, which then go back to those steps.
  func performInside(_ trials: @Sendable () async -> TrialEnd) async -> TrialEnd

  /// Waits for the followers of the last bundles, as long as the operator lets it.
  func awaitFollowers(_ followers: FollowerQueue) async

  /// Whether the operator has given up what the session waits for between and after trials: the next trial, or room on the
  /// disk for records that are only in memory.
  var givesUp: Bool { get }

  /// How many interrupts have come between and after trials.
  var interruptions: Int { get }

  /// Waits until ``givesUp`` is true, or the task is cancelled.
  func awaitGivingUp() async
}

extension SessionOperator {
  /// 1 after giving up, otherwise 0.
  package var interruptions: Int { givesUp ? 1 : 0 }

  /// It begins by itself.
  package var awaitsStart: Bool { false }

  /// None.
  package var startChecks: [StartCheck] { [] }

  /// None.
  package var watcher: (any SessionWatcher)? { nil }

  /// Answers nothing.
  package func answer(_ question: StationQuestion) async -> StationAnswer? { nil }

  /// Has nothing to get ready.
  package func attend<Value: Sendable>(_ session: @Sendable () async throws -> Value) async rethrows -> Value {
    try await session()
  }

  /// Prepares a speaker, of which the operator is informed.
  func prepare(_ speaker: any Speaker, for format: SoundFormat) async throws {
    inform(.preparesSpeaker(true))
    defer { inform(.preparesSpeaker(false)) }
    try await speaker.prepare(format)
    try await speaker.learn()
  }

  /// Gives nothing back.
  package func performInside(_ trials: @Sendable () async -> TrialEnd) async -> TrialEnd { await trials() }

  /// Waits until all are done.
  package func awaitFollowers(_ followers: FollowerQueue) async { await followers.done() }
}

/// A trial that ended, and what was kept of it.
package struct ConcludedTrial: Sendable {
  /// How it ended.
  let end: TrialEnd
  /// Its record; `nil` if it was discarded.
  var record: TrialRecord?
  /// Its bundle; `nil` if it was discarded, or has none.
  package var bundle: Bundle?
  /// Whether the operator has ended the session, perhaps when the trial had ended already.
  package var endsSession = false
  /// Whether the operator wants the session paused after it.
  package var pausesSession = false
}

/// What an operator is informed of before, during and after a trial.
package enum SessionEvent: Sendable {
  /// Trials that a crash had left open were recovered.
  case recovered([RecoveredTrial])
  /// A remark on the trial's quality, such as a clip that does not reach its loudness.
  case caveat(Caveat)
  /// Notes on the speaker and on the outputs of markers, a sentence each.
  case outputs([String])
  /// The speaker is being prepared, or no longer: to learn a sound card's clock takes some seconds.
  case preparesSpeaker(Bool)
  /// The speaker cannot be prepared for a reason, and is waited for; `nil` when the wait is over.
  case awaitsSpeaker(String?)
  /// A trial whose sound was lost is about to be performed again, as the protocol says.
  case repeats(SessionPlace)
  /// Samples of the sensors are being waited for, or no longer.
  case awaitsSamples(Bool)
  /// The session of an enrolled participant begins; its first journal is about to be opened.
  case begins
  /// A trial's folder is about to be opened; its place in the session, and how long the rest of the session's active steps
  /// lasts.
  case trialOpens(SessionPlace, remaining: Duration)
  /// The disk refuses the journal, or takes it again.
  case journal(DurableReport)
  /// A part of the session is over, and this many of its records are only in memory; reported once for each part.
  case awaitsRoom(SessionPlace, records: Int)
  /// Records of a part of the session that were only in memory are given up.
  case discarded(SessionPlace, records: Int)
  /// The record of the session could not be written, for a reason; its bundles hold what it says.
  case sessionNotWritten(String)
  /// The session ended before its last trial, after so many of them.
  case endedEarly(after: Int, of: Int)
}
