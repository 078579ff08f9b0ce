import Basics
package import Bundles
import Sensors
import Sound

/// The person who runs a session, or a program in that place: is informed, decides, and sends keys and interrupts to trials.
package protocol SessionOperator: Sendable {
  /// Informs the operator; returns without waiting for anyone.
  func inform(_ event: SessionEvent)

  /// Asks what the session cannot decide itself.
  ///
  /// - Returns: the answer; `nil` where there is no one to ask.
  func answer(_ question: StationQuestion) async -> StationAnswer?

  /// Who shows the trial's steps.
  var presenters: Presenters { get }

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
  /// One who has given up once.
  package var interruptions: Int { givesUp ? 1 : 0 }

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
  /// Something that does not keep the trial from running: the clip's loudness.
  case caveat(Caveat)
  /// What is to be known of the speaker and of the outputs of markers, a sentence each.
  case outputs([String])
  /// The speaker is being prepared, or no longer: to learn a sound card's clock takes some seconds.
  case preparesSpeaker(Bool)
  /// The speaker cannot be prepared for a reason, and is waited for; `nil` when the wait is over.
  case awaitsSpeaker(String?)
  /// A trial whose sound was lost is about to be performed again, as the protocol says.
  case repeats(SessionPlace)
  /// Samples of the sensors are being waited for, or no longer.
  case awaitsSamples(Bool)
  /// The folder of what lies around the session's trials is about to be opened.
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

/// What came of a session.
package struct SessionOutcome: Hashable, Sendable {
  /// How many trials were to be performed.
  package var planned: Int
  /// The verdicts of the trials that have a bundle, in order.
  package var verdicts: [Verdict] = []
  /// The verdict of what lies around the trials; `nil` for a protocol that is a single trial, or where it has no bundle.
  var around: Verdict?

  /// How many trials have a bundle.
  var trials: Int { verdicts.count }

  /// Whether every planned trial has a bundle and a good verdict.
  package var isGood: Bool {
    verdicts.count == planned && verdicts.allSatisfy { $0 == .good } && around ?? .good == .good
  }
}

/// Why a session did not come to a bundle.
enum SessionError: Error, CustomStringConvertible {
  /// A sensor did not answer, or ended.
  case sensorMissing(String, reason: String)
  /// Recorders have no plausible sample, and there was no one to ask.
  case noPlausibleSample([SensorCheck.Shortfall])
  /// The operator did not start the trial.
  case notStarted
  /// Records that were only in memory were given up.
  case recordsLost(trial: String, count: Int, FileError)
  /// The participant has no session that could be resumed.
  case nothingToResume(participant: String)
  /// The participant's last session was not finished.
  case unfinished(participant: String, session: Int, done: Int, of: Int)
  /// The participant has done every session of the study.
  case participantIsDone(participant: String, sessions: Int)
  /// Without a participant there is no consent.
  case consentNeedsParticipant
  /// The protocol of a session that is to be resumed has changed.
  case protocolChanged(from: String, to: String)
  /// The plan of a session that is to be resumed has changed, from this trial on.
  case planChanged(trial: Int)

  /// What failed, why, and what to do.
  var description: String {
    switch self {
    case .sensorMissing(let name, let reason):
      "cannot record from the sensor “\(name)”: \(reason); \(SensorAddress.remedy(of: name))"
    case .noPlausibleSample(let shortfalls):
      "cannot start the trial, no plausible sample: \(shortfalls.map(\.description).joined(separator: "; ")); "
        + "see “station check sensor”, or start without this check with --no-sensor-check; nothing was recorded"
    case .nothingToResume(let participant):
      "no session of “\(participant)” can be resumed; leave --resume out to begin one"
    case .unfinished(let participant, let session, let done, let planned):
      "session \(session) of “\(participant)” is not finished (\(done) of \(planned) trials are done); resume it with "
        + "--resume, or begin the next one with --session \(session + 1)"
    case .participantIsDone(let participant, let sessions):
      "“\(participant)” has done \(sessions == 1 ? "the session" : "all \(sessions) sessions") of this study; "
        + "begin another one with --session N"
    case .consentNeedsParticipant:
      "cannot run the protocol unattended: it asks for the participant's consent, which no one could give; leave "
        + "--unattended out"
    case .protocolChanged(let old, let new):
      "cannot resume the session: its protocol was version \(old), and this file is another (version \(new)); "
        + "resume with the file that lies in the session's bundles"
    case .planChanged(let trial):
      "cannot resume the session: from trial \(trial) on, this protocol with these clips gives another plan; "
        + "restore the folder of clips"
    case .notStarted: "the trial was not started; nothing was recorded"
    case .recordsLost(let trial, let count, let error):
      "\(error); \(count.counted("record")) of trial \(trial) \(count == 1 ? "was" : "were") only in memory and "
        + "\(count == 1 ? "is" : "are") lost; “station recover” makes a bundle of the others when there is room"
    }
  }
}
