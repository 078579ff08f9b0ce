public import Quantities
public import Study

/// What `data/result.json` says of a trial, with units in types.
///
/// It is read from files that somebody may have changed: what is missing, or is not what it should be, is `nil` or left
/// out. `Bundle.verify` says so of them.
public struct TrialResult: Hashable, Sendable {
  /// The format of the document.
  public let format: String
  /// The trial's identifier.
  public let trial: String
  /// The participant's code.
  public let participant: String
  /// The session's number or name.
  public let session: String
  /// The protocol's identifier.
  public let task: String
  /// The protocol's version, as its file says it.
  public let taskVersion: String?
  /// The SHA-256 of the protocol's file.
  public let protocolSHA256: String?
  /// The seed of the trial's draws.
  public let seed: UInt64?
  /// Whether nobody was there to press a key; `nil` where that is not told.
  public let isUnattended: Bool?
  /// The calendar at zero and at the end.
  public let clock: Clock
  /// The station that ran the trial.
  public let station: Station
  /// The clip; `nil` for a trial that did not come to one.
  public let clip: Clip?
  /// When the trial began.
  public let startDate: WallTime?
  /// How it ended.
  public let outcome: Outcome?
  /// Why it ended so; `nil` where that goes without saying.
  public let outcomeReason: String?
  /// How far it can be trusted.
  public let grade: Grade?
  /// Why it cannot be trusted further.
  public let reasons: [String]
  /// What a reader should know of besides.
  public let warnings: [String]
  /// What became of the clip; `nil` for a trial that did not come to one.
  public let playback: Playback?
  /// The stretches of the clip that sounded, in the order of time; a pause parts them.
  public let sounds: [Sound]
  /// The steps that were shown, in the order of time.
  public let steps: [Step]
  /// What each recorder holds.
  public let recorders: [Recorder]

  /// A station, as far as it is known.
  public struct Station: Hashable, Sendable {
    /// Its identifier.
    public let identifier: String?
    /// The version of its program.
    public let version: String?
    /// Its operating system.
    public let system: String?
  }

  /// A trial's clip.
  public struct Clip: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The SHA-256 of its file.
    public let sha256: String?
    /// Its mood; `nil` where its catalogue says none.
    public let mood: String?
    /// How it was drawn; `nil` for a clip that the protocol named.
    public let draw: Draw?
    /// Its file's name.
    public let file: String?
    /// Its title.
    public let title: String?
    /// Its tempo, in beats a minute.
    public let tempo: Double?
    /// Its licence.
    public let licence: String?
    /// How long the whole of it is, in seconds.
    public let seconds: Double?
    /// Its rate, in frames a second.
    public let sampleRate: Int?
    /// How many channels it has.
    public let channels: Int?
    /// How many bytes its file has.
    public let bytes: Int?
    /// How loud it is and was played.
    public let loudness: Loudness
  }

  /// How loud a clip is and was played; `nil` for what was not measured or not asked for.
  public struct Loudness: Hashable, Sendable {
    /// The clip's integrated loudness, in LUFS.
    public let measured: Double?
    /// Its true peak, in dBTP.
    public let truePeak: Double?
    /// The gain that it was played with, in dB.
    public let gain: Double?
    /// The loudness that was asked for, in LUFS.
    public let target: Double?
    /// The loudness that was reached, in LUFS.
    public let reached: Double?
  }

  /// A stretch of the clip, as measured at the sound server, since the trial's zero.
  public struct Sound: Hashable, Sendable {
    /// When its first frame sounded.
    public let onset: Duration
    /// The true onset lies within this of it.
    public let onsetUncertainty: Duration?
    /// When its last frame sounded; `nil` where that was not measured.
    public let offset: Duration?
  }

  /// A step as it went, in times since the trial's zero.
  public struct Step: Hashable, Sendable {
    /// Its identifier.
    public let identifier: String
    /// When it was shown.
    public let shown: Duration
    /// When its active part began; `nil` for a step without one, and where it did not begin.
    public let begun: Duration?
    /// When its active part finished; `nil` for a step without one, and where nothing says that it did.
    public let finished: Duration?
    /// When it was left; `nil` where nothing says that it was.
    public let left: Duration?
    /// Whether the result says when the active part began and finished, or that there is none; earlier ones do not.
    public let hasActiveTimes: Bool
  }

  /// What a recorder holds, in times since the trial's zero.
  public struct Recorder: Hashable, Sendable {
    /// Its identifier.
    public let identifier: String
    /// What it recorded from.
    public let sensor: Sensor
    /// The step that it recorded in.
    public let step: String?
    /// The symbol of its samples' unit.
    public let unit: String
    /// How many samples it has.
    public let samples: Int
    /// How many of them arrived after it had stopped, and are of its time.
    public let late: Int
    /// What its samples come to; `nil` without samples.
    public let summary: Summary?
    /// When it recorded; pauses part its segments.
    public let segments: [Range<Duration>]
    /// The parts of the segments in which nothing is known of the heart.
    public let gaps: [Gap]

    /// How long it recorded, pauses left out.
    public var length: Duration { segments.reduce(.zero) { $0 + $1.length } }
    /// For how much of that nothing is known.
    public var missing: Duration { gaps.reduce(.zero) { $0 + $1.times.length } }
  }

  /// A sensor, as far as it is known.
  public struct Sensor: Hashable, Sendable {
    /// Its name.
    public let name: String?
    /// The name of its device.
    public let device: String?
    /// How long it takes to tell a beat, which is off all times.
    public let latency: Duration?
  }

  /// What samples come to, in their unit.
  public struct Summary: Hashable, Sendable {
    /// The smallest value.
    public let smallest: Double
    /// The largest value.
    public let largest: Double
    /// The arithmetic mean of the values.
    public let mean: Double
  }

  /// A time of which nothing is known.
  public struct Gap: Hashable, Sendable {
    /// The time.
    public let times: Range<Duration>
    /// Why nothing is known of it.
    public let reason: String
  }
}
