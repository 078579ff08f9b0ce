import Basics
package import Bundles
import Sensors

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

/// Why a session could not begin, or lost records.
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
