package import Quantities
package import Study

/// What stands at the head of a journal: who, what, where and when.
package struct TrialOpening: Hashable, Sendable, Codable {
  /// The trial's identifier, a UUIDv7.
  package var trial: String
  /// The protocol's identifier.
  package var task: String
  /// The protocol's version.
  package var taskVersion: String
  /// SHA-256 of the protocol's bytes, which lie beside the journal.
  package var protocolSHA256: String
  /// The participant's code.
  package var participant: String
  /// The session's number or name.
  package var session: String
  /// The seed of the trial's draws.
  package var seed: UInt64
  /// The calendar at the trial's zero.
  package var zero: CalendarReading
  /// The station.
  package var station: StationFacts
  /// What the sound goes to; `nil` for a protocol without sound.
  package var speaker: SpeakerFacts?
  /// Everything that the protocol records, in its order: what is cut out of the sensors' streams for the bundle.
  package var recorders: [TrialRecorder]
  /// The sensor behind each recorder, by the recorder's identifier.
  package var sensors: [String: SensorSource]
  /// Whether nobody was there to press Return.
  package var isUnattended: Bool
  /// What the verdict goes by.
  package var thresholds: VerdictThresholds

  private enum CodingKeys: String, CodingKey {
    case trial, task, taskVersion, participant, session, seed, zero, station, speaker, recorders, sensors
    case protocolSHA256 = "protocolSha256"
    case isUnattended = "unattended"
    case thresholds = "verdict"
  }

  /// A head.
  package init(
    trial: String, task: String, taskVersion: String, protocolSHA256: String, participant: String, session: String,
    seed: UInt64, zero: CalendarReading, station: StationFacts, speaker: SpeakerFacts?, recorders: [TrialRecorder],
    sensors: [String: SensorSource], isUnattended: Bool, thresholds: VerdictThresholds = VerdictThresholds()
  ) {
    self.trial = trial
    self.task = task
    self.taskVersion = taskVersion
    self.protocolSHA256 = protocolSHA256
    self.participant = participant
    self.session = session
    self.seed = seed
    self.zero = zero
    self.station = station
    self.speaker = speaker
    self.recorders = recorders
    self.sensors = sensors
    self.isUnattended = isUnattended
    self.thresholds = thresholds
  }
}
