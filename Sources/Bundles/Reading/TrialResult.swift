public import Quantities
public import Study

/// What `data/result.json` says of a trial, with units in types.
///
/// It is read from files that somebody may have changed: what is missing, or is not what it should be, is `nil` or left
/// out. `Bundle.verify` says so of them.
public struct TrialResult: Hashable, Sendable {
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
  /// The station that ran the trial.
  public let station: Station
  /// The clip; `nil` for a trial that did not come to one.
  public let clip: Clip?
  /// When the trial began.
  public let startDate: WallTime?
  /// How it ended.
  public let outcome: Outcome?
  /// How far it can be trusted.
  public let grade: Grade?
  /// Why it cannot be trusted further.
  public let reasons: [String]
  /// What a reader should know of besides.
  public let warnings: [String]
  /// The stretches of the clip that sounded, in the order of time; a pause parts them.
  public let sounds: [Sound]
  /// The steps that appeared, in the order of time.
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
    /// When it appeared.
    public let start: Duration
    /// When it was left; `nil` where nothing says that it was.
    public let end: Duration?
  }

  /// What a recorder holds, in times since the trial's zero.
  public struct Recorder: Hashable, Sendable {
    /// Its identifier.
    public let identifier: String
    /// The symbol of its samples' unit.
    public let unit: String
    /// How many samples it has.
    public let samples: Int
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
