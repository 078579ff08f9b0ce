public import Quantities

extension TrialResult {
  /// What became of the clip, in times since the trial's zero.
  public struct Playback: Hashable, Sendable {
    /// When it was to begin.
    public let scheduled: Duration?
    /// When its first frame sounded; `nil` where that was not measured.
    public let onset: Duration?
    /// The true onset lies within this of it.
    public let onsetUncertainty: Duration?
    /// When its last frame sounded; `nil` where that was not measured.
    public let offset: Duration?
    /// The true offset lies within this of it.
    public let offsetUncertainty: Duration?
    /// For how long it was to sound.
    public let requested: Duration?
    /// For how long it was played.
    public let played: Duration?
    /// How many frames were to be played.
    public let framesRequested: Int?
    /// How many were.
    public let framesPlayed: Int?
    /// The stretches that pauses part, in the order of time, those that never sounded included.
    public let stretches: [Stretch]
    /// How often the sound server ran out of sound.
    public let underruns: Int?
    /// Why it failed; `nil` where it did not.
    public let failure: String?
    /// What played it.
    public let speaker: Speaker?
  }

  /// A part of the sound without a pause.
  public struct Stretch: Hashable, Sendable {
    /// When its first frame sounded; `nil` where none did, or that was not measured.
    public let onset: Duration?
    /// When its last frame sounded.
    public let offset: Duration?
  }

  /// What played the clip.
  public struct Speaker: Hashable, Sendable {
    /// What kind it is.
    public let kind: String?
    /// The sound server.
    public let server: String?
    /// The sink.
    public let sink: String?
    /// The sink's rate, in frames a second.
    public let sinkRate: Int?
    /// Whether anybody could hear it.
    public let isAudible: Bool?
    /// Whether the sound server changed the clip's rate.
    public let isResampled: Bool?
    /// How long the sink's hardware holds sound back.
    public let outputLatency: Duration?
    /// How loud it was; `nil` where that is not known.
    public let volume: Volume?
  }

  /// How loud a speaker was, in percent of each channel.
  public struct Volume: Hashable, Sendable {
    /// The sink's volume.
    public let sink: [Double]
    /// The stream's volume.
    public let stream: [Double]
  }

  /// What the calendar said at a trial's zero and at its end.
  public struct Clock: Hashable, Sendable {
    /// The zero; `nil` where it is not told.
    public let zero: WallTime?
    /// How well it was read at the zero.
    public let atZero: Reading
    /// How well it was read at the end; `nil` where it was not.
    public let atEnd: Reading?
    /// How far the calendar went against the clock from zero to end.
    public let drift: Duration?
  }

  /// How well the calendar was read.
  public struct Reading: Hashable, Sendable {
    /// The true time lies within this of it.
    public let uncertainty: Duration?
    /// Whether the calendar followed a time server; `nil` where that is not known.
    public let isSynchronized: Bool?
  }
}
