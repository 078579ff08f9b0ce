package import Basics
import Quantities
package import Sound
package import Study

/// The first record of a journal: who, what, where and when, and what is recorded.
@dynamicMemberLookup
package struct TrialOpening: Hashable, Sendable, Codable {
  /// What the result says as well.
  var head: TrialHead
  /// Everything that the protocol records, in its order: what is cut out of the sensors' streams for the bundle.
  package var recorders: [TrialRecorder]

  package init(head: TrialHead, recorders: [TrialRecorder]) {
    self.head = head
    self.recorders = recorders
  }

  /// The name of the file of blocks that a recorder records into, without folder and extension.
  ///
  /// Recorders of one waveform share the file, which has the name of the first of them. `nil` for a recorder of samples.
  package func waveformFile(of recorder: TrialRecorder) -> String? {
    let type = recorder.configuration.quantityType
    guard type.isWaveform else { return nil }
    return recorders.first {
      $0.sensor.name == recorder.sensor.name && $0.configuration.quantityType == type
    }?.identifier ?? recorder.identifier
  }

  /// A member of the head.
  package subscript<Member>(dynamicMember member: WritableKeyPath<TrialHead, Member>) -> Member {
    get { head[keyPath: member] }
    set { head[keyPath: member] = newValue }
  }
}

/// What is known of a trial before it begins: journal and result say it alike.
package struct TrialHead: Hashable, Sendable, FlatInJSON {
  /// The trial's identifier, a UUIDv7.
  package var trial: String
  package var studyProtocol: ProtocolReference
  /// The participant's code.
  package var participant: String
  /// The session's number or name.
  package var session: String
  /// The trial's place in the session; `nil` for a trial of its own.
  package var place: SessionPlace?
  /// The trial's place in the design; `nil` for a protocol that is a single trial, and for what lies around the trials.
  package var design: TrialPlacement?
  /// The participant's group; `nil` in a study without groups.
  package var group: String?
  /// The language of what the participant read, as a BCP 47 tag.
  package var language: String
  /// Whether scales ran from right to left, as their language is written; the numbers are what they are anywhere.
  package var isMirrored: Bool
  /// The monitor of the participant's page; `nil` for a participant at a terminal.
  package var monitor: MonitorFacts?
  /// The seed of the trial's draws.
  package var seed: UInt64
  /// The calendar at the trial's zero.
  package var zero: CalendarReading
  package var station: StationFacts
  /// What the sound goes to; `nil` for a protocol without sound.
  package var speaker: SpeakerFacts?
  /// Whether the trial ran unattended, with no one to press Return.
  package var isUnattended: Bool
  package var simulation: TrialSimulation
  /// What the verdict goes by.
  var thresholds: VerdictThresholds

  private enum CodingKeys: String, CodingKey {
    case trial, participant, session, place, design, group, language, monitor, seed, zero, station, speaker,
      simulation, thresholds
    case studyProtocol = "protocol"
    case isUnattended = "unattended"
    case isMirrored = "mirrored"
  }

  package init(
    trial: String, studyProtocol: ProtocolReference, participant: String, session: String, place: SessionPlace? = nil,
    design: TrialPlacement? = nil, group: String? = nil, language: String = "en", isMirrored: Bool = false,
    monitor: MonitorFacts? = nil,
    seed: UInt64,
    zero: CalendarReading,
    station: StationFacts, speaker: SpeakerFacts?,
    isUnattended: Bool,
    simulation: TrialSimulation = .none,
    thresholds: VerdictThresholds = VerdictThresholds()
  ) {
    self.trial = trial
    self.studyProtocol = studyProtocol
    self.participant = participant
    self.session = session
    self.place = place
    (self.design, self.group) = (design, group)
    (self.language, self.isMirrored, self.monitor) = (language, isMirrored, monitor)
    self.seed = seed
    self.zero = zero
    self.station = station
    self.speaker = speaker
    self.isUnattended = isUnattended
    self.simulation = simulation
    self.thresholds = thresholds
  }
}

extension TrialHead {
  /// Whether these are the steps around the trials of a session, which are no trial.
  package var isAround: Bool { place.map { $0.trial == nil } ?? false }

  /// The condition: the design's, or else the protocol's identifier; `nil` for what lies around the trials of a session.
  package var condition: String? { design?.condition ?? (isAround ? nil : studyProtocol.identifier) }
}

/// Which protocol a trial followed.
package struct ProtocolReference: Hashable, Sendable, Codable {
  package var identifier: String
  /// Its version, as its file says it.
  package var version: String
  /// The SHA-256 of its file, which lies in the bundle.
  package var sha256: String

  package init(identifier: String, version: String, sha256: String) {
    self.identifier = identifier
    self.version = version
    self.sha256 = sha256
  }
}

/// The place of a trial in the session that it belongs to: its number, and its zero on the session's clock.
///
/// The clock of a session is CLOCK_MONOTONIC, which goes on as long as the computer runs: times of trials with the same
/// boot identifier, and of what lies between them, can be compared without the calendar.
package struct SessionPlace: Hashable, Sendable, Codable, CheckedInJSON {
  /// The identifier of this run of the session, a UUIDv7, which all its trials share.
  package var run: String
  /// The trial's number in the session's plan, from 1; `nil` for what lies around the trials.
  package var trial: Int?
  /// The number of trials in the plan.
  package var trials: Int
  /// The kernel's identifier of the computer's boot; `nil` if the kernel does not report one.
  var boot: String?
  /// The trial's zero on the session's clock.
  package var zero: Duration

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? {
    guard let trial, trial < 1 || trial > trials else { return nil }
    return "the trial has number \(trial) of \(trials)"
  }

  package init(run: String, trial: Int?, trials: Int, boot: String?, zero: Duration) {
    self.run = run
    self.trial = trial
    self.trials = trials
    self.boot = boot
    self.zero = zero
  }
}

/// The computer and the program that ran a trial.
package struct StationFacts: Hashable, Sendable, Codable {
  /// The station's name: the computer's.
  package var identifier: String
  /// The program's version.
  package var version: String
  /// The system: `Debian GNU/Linux 12 (bookworm), Linux 6.1.0`.
  package var system: String
  /// The IANA name of its time zone; `nil` where it is not known.
  package var timeZone: String?

  package init(identifier: String, version: String, system: String, timeZone: String? = nil) {
    self.timeZone = timeZone
    self.identifier = identifier
    self.version = version
    self.system = system
  }
}

extension StationFacts {
  /// A time as the station's clocks on the wall had it, with its offset from UTC; in UTC where its zone is not known.
  func local(_ time: WallTime) -> String { zone?.precise(time) ?? time.precise }

  /// The station's time zone; `nil` where it is not known.
  package var zone: TimeZone? { timeZone.flatMap { try? TimeZone($0) } }
}
