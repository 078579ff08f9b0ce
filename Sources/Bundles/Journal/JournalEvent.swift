public import Quantities
public import Study

/// One record of a trial's journal: something that happened, numbered from 0 without gaps.
public struct JournalRecord: Hashable, Sendable {
  /// The record's number.
  public var sequence: Int
  /// When it happened, since the trial's zero; for a reading, the instant of its last beat.
  public var time: Duration
  /// What happened.
  public var event: JournalEvent

  /// A record.
  public init(sequence: Int, time: Duration, event: JournalEvent) {
    self.sequence = sequence
    self.time = time
    self.event = event
  }
}

/// What can happen in a trial; everything that a bundle says is derived from these and the protocol.
public enum JournalEvent: Hashable, Sendable {
  /// The first record.
  case trialOpened(TrialOpening)
  /// A step appeared.
  case stepStarted(step: String)
  /// A step was left.
  case stepEnded(step: String, reason: StepEnd)
  /// The clip of a music step was drawn or named, found, and made ready.
  case clipChosen(ChosenClip)
  /// The stimulus, or what is left of it after a suspension, was handed to the speaker.
  case soundScheduled(step: String, segment: Int, at: Duration, frames: Int)
  /// Its first frame left the sink.
  case soundStarted(step: String, segment: Int, onset: MeasuredTime)
  /// Its last frame left the sink; `frames` counts those of this segment that were played.
  case soundEnded(step: String, segment: Int, offset: MeasuredTime, frames: Int)
  /// Something put the stimulus in doubt without ending it: `underrun`, `moved`, `suspended`, `resumed`.
  case soundDisturbed(step: String, what: String, detail: String?)
  /// The sound was lost.
  case soundFailed(step: String, reason: String)
  /// A recorder began to cut samples out of its sensor's stream; several segments are the work of suspensions.
  case recorderStarted(recorder: String, step: String, segment: Int)
  /// It stopped; samples that happened before this still count when they arrive within the settle window.
  case recorderStopped(recorder: String, step: String, segment: Int)
  /// A sensor delivered a reading; times are since the trial's zero.
  case reading(SensorReading)
  /// A sensor's connection stands.
  case sensorConnected(sensor: String, device: Device?)
  /// A sensor's connection is lost, or it has ended for good.
  case sensorLost(sensor: String, reason: String, isFinal: Bool)
  /// Lines that could not be read were skipped; `firstLine` is numbered from 1.
  case linesSkipped(sensor: String, count: Int, firstLine: Int, reason: String)
  /// Readings were dropped: they came faster than they could be taken, or the disk and memory were full.
  case readingsDropped(sensor: String, count: Int)
  /// Something was odd about a sensor, as what is said of it: `sends too much`.
  case sensorNoted(sensor: String, text: String)
  /// The trial was paused.
  case suspended
  /// The trial went on.
  case resumed
  /// The presenter gave a signal: `vibrate`, `sound`, `speech`; with what was said.
  case signalled(step: String, what: String, text: String?)
  /// A remark for whoever reads the journal.
  case note(String)
  /// The last record.
  case trialClosed(TrialClosing)
}

/// A moment since the trial's zero that was measured.
public struct MeasuredTime: Hashable, Sendable {
  /// The best estimate.
  public var time: Duration
  /// The truth lies within this of the estimate.
  public var uncertainty: Duration

  /// A measured time.
  public init(time: Duration, uncertainty: Duration) {
    self.time = time
    self.uncertainty = uncertainty
  }
}

/// What stands at the head of a journal: who, what, where and when.
public struct TrialOpening: Hashable, Sendable {
  /// The trial's identifier, a UUIDv7.
  public var trial: String
  /// The protocol's identifier.
  public var task: String
  /// The protocol's version.
  public var taskVersion: String
  /// SHA-256 of the protocol's bytes, which lie beside the journal.
  public var protocolSHA256: String
  /// The participant's code.
  public var participant: String
  /// The session's number or name.
  public var session: String
  /// The seed of the trial's draws.
  public var seed: UInt64
  /// The calendar at the trial's zero.
  public var zero: CalendarReading
  /// The station.
  public var station: StationFacts
  /// What the sound goes to; `nil` for a protocol without sound.
  public var speaker: SpeakerFacts?
  /// Everything that the protocol records, in its order: what is cut out of the sensors' streams for the bundle.
  public var recorders: [TrialRecorder]
  /// The sensor behind each recorder, by the recorder's identifier.
  public var sensors: [String: SensorSource]
  /// Whether nobody was there to press Return.
  public var isUnattended: Bool

  /// A head.
  public init(
    trial: String, task: String, taskVersion: String, protocolSHA256: String, participant: String, session: String,
    seed: UInt64, zero: CalendarReading, station: StationFacts, speaker: SpeakerFacts?, recorders: [TrialRecorder],
    sensors: [String: SensorSource], isUnattended: Bool
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
  }
}

/// One recorder of a trial's protocol and the step that it belongs to.
public struct TrialRecorder: Hashable, Sendable {
  /// The step's identifier.
  public var step: String
  /// What is recorded.
  public var configuration: RecorderConfiguration

  /// A recorder.
  public init(step: String, configuration: RecorderConfiguration) {
    self.step = step
    self.configuration = configuration
  }
}

/// The calendar read beside the trial's clock: at the zero, and at the end.
public struct CalendarReading: Hashable, Sendable {
  /// The calendar's time.
  public var wall: WallTime
  /// The time to which it belongs, since the trial's zero.
  public var time: Duration
  /// How far it may be off by the reading itself.
  public var uncertainty: Duration
  /// Whether a time server keeps the calendar.
  public var isSynchronized: Bool?

  /// A reading.
  public init(wall: WallTime, time: Duration = .zero, uncertainty: Duration, isSynchronized: Bool?) {
    self.wall = wall
    self.time = time
    self.uncertainty = uncertainty
    self.isSynchronized = isSynchronized
  }

  /// What a clock read, in the time of the trial that began at `zero`.
  public init(_ reading: WallReading, since zero: Moment) {
    self.init(
      wall: reading.wall, time: zero.duration(to: reading.moment), uncertainty: reading.uncertainty,
      isSynchronized: reading.isSynchronized)
  }
}

/// The computer and the program that ran a trial.
public struct StationFacts: Hashable, Sendable {
  /// The station's name: the computer's.
  public var identifier: String
  /// The program's version.
  public var version: String
  /// The system: `Debian GNU/Linux 12 (bookworm), Linux 6.1.0`.
  public var system: String
  /// The IANA name of its time zone; `nil` where it is not known.
  public var timeZone: String?

  /// Facts about a station.
  public init(identifier: String, version: String, system: String, timeZone: String? = nil) {
    self.timeZone = timeZone
    self.identifier = identifier
    self.version = version
    self.system = system
  }
}

/// What a trial's sound went to.
public struct SpeakerFacts: Hashable, Sendable {
  /// The kind of speaker: `pulseaudio`, `silent`.
  public var kind: String
  /// The server and its version.
  public var server: String?
  /// The sink's name.
  public var sink: String?
  /// The sink's own frames a second.
  public var sinkRate: Int?
  /// Whether somebody could have heard it.
  public var isAudible: Bool
  /// The station's constant of output latency, which is part of every onset.
  public var outputLatency: Duration
  /// How loud it was before the trial; `nil` where there is nothing that could be set.
  public var volume: VolumeFacts?

  /// Facts about a speaker.
  public init(
    kind: String, server: String?, sink: String?, sinkRate: Int?, isAudible: Bool, outputLatency: Duration,
    volume: VolumeFacts?
  ) {
    self.kind = kind
    self.server = server
    self.sink = sink
    self.sinkRate = sinkRate
    self.isAudible = isAudible
    self.outputLatency = outputLatency
    self.volume = volume
  }
}

/// How loud a sink and the station's stream on it were: in percent for each channel, on PulseAudio's cubic scale.
public struct VolumeFacts: Hashable, Sendable {
  /// The sink's volume.
  public var sink: [Double]
  /// Whether the sink was muted.
  public var isSinkMuted: Bool
  /// The stream's volume.
  public var stream: [Double]
  /// Whether the stream was muted.
  public var isStreamMuted: Bool

  /// Facts about a volume.
  public init(sink: [Double], isSinkMuted: Bool, stream: [Double], isStreamMuted: Bool) {
    self.sink = sink
    self.isSinkMuted = isSinkMuted
    self.stream = stream
    self.isStreamMuted = isStreamMuted
  }

  /// What is not the sound as it was made: `the volume of the sink was 40 %`.
  var remarks: [String] {
    [("sink", sink), ("stream", stream)].compactMap { name, volume in
      guard volume.contains(where: { $0 != 100 }) else { return nil }
      let isEven = volume.allSatisfy { $0 == volume.first }
      let parts = (isEven ? volume.prefix(1) : volume[...]).map { $0.rounded() == $0 ? "\(Int($0))" : "\($0)" }
      return "the volume of the \(name) was \(parts.joined(separator: "/")) %"
    }
  }
}

/// The clip of a trial and how it was chosen and prepared.
public struct ChosenClip: Hashable, Sendable {
  /// The music step.
  public var step: String
  /// The clip.
  public var clip: Clip
  /// The draw; `nil` for a clip that the protocol names.
  public var draw: Draw?
  /// How long it is to sound.
  public var requested: Duration
  /// The gain that was applied, in decibels; 0 plays the file as it is.
  public var gain: Double
  /// The integrated loudness of what is played, before the gain, in LUFS; where it was measured and is not silent.
  public var loudness: Double?
  /// The true peak of what is played, before the gain, in dBTP, where it was measured.
  public var truePeak: Double?
  /// The loudness that was asked for; `nil` where none was.
  public var target: LoudnessTarget?
  /// The loudness that was reached, in LUFS, where it was measured.
  public var reachedLoudness: Double? { loudness.map { $0 + gain } }
  /// What was odd about the file, and makes the trial suspect.
  public var warnings: [String]

  /// A chosen clip.
  public init(
    step: String, clip: Clip, draw: Draw?, requested: Duration, gain: Double, loudness: Double?, truePeak: Double?,
    target: LoudnessTarget? = nil, warnings: [String]
  ) {
    self.step = step
    self.clip = clip
    self.draw = draw
    self.requested = requested
    self.gain = gain
    self.loudness = loudness
    self.truePeak = truePeak
    self.target = target
    self.warnings = warnings
  }
}

/// A reading as the journal keeps it: times since the trial's zero, and which sensor.
public struct SensorReading: Hashable, Sendable {
  /// The sensor's name.
  public var sensor: String
  /// Beats a minute.
  public var heartRate: Double?
  /// RR intervals in milliseconds, oldest first.
  public var rrIntervals: [Double]
  /// Whether the sensor touches the skin.
  public var contact: Bool?
  /// When it arrived, since the trial's zero.
  public var arrived: Duration
  /// When the sender says that it happened, in seconds of the sender's own clock; `nil` where it says nothing.
  public var senderTime: Double?

  /// A reading.
  public init(
    sensor: String, heartRate: Double?, rrIntervals: [Double], contact: Bool?, arrived: Duration,
    senderTime: Double? = nil
  ) {
    self.sensor = sensor
    self.heartRate = heartRate
    self.rrIntervals = rrIntervals
    self.contact = contact
    self.arrived = arrived
    self.senderTime = senderTime
  }
}

/// Why a step was left.
public enum StepEnd: String, Sendable, CaseIterable {
  /// It was done.
  case finished
  /// The participant skipped it.
  case skipped
  /// The trial was stopped in it.
  case stopped
  /// The trial failed in it.
  case failed
}

/// How a trial ended.
public struct TrialClosing: Hashable, Sendable {
  /// The outcome.
  public var outcome: Outcome
  /// Why, for an outcome that needs a reason.
  public var reason: String?
  /// The calendar at the end, for the drift between both clocks; `nil` for a trial whose end nobody saw.
  public var calendar: CalendarReading?

  /// An end.
  public init(outcome: Outcome, reason: String?, calendar: CalendarReading?) {
    self.outcome = outcome
    self.reason = reason
    self.calendar = calendar
  }
}

/// How a trial can end.
public enum Outcome: String, Sendable, CaseIterable {
  /// Every step was done.
  case completed
  /// Somebody stopped it.
  case stopped
  /// Something broke.
  case failed
  /// The program died, and the journal was all that was left.
  case recovered
}
