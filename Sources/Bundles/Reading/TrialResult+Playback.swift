package import Basics
import Quantities

extension TrialResult {
  /// What became of the clip, in times since the trial's zero.
  package struct Playback: Hashable, Sendable {
    /// When it was to begin.
    package let scheduled: Duration?
    /// When its first frame sounded; `nil` where that was not measured.
    package let onset: Duration?
    /// The true onset lies within this of it.
    package let onsetUncertainty: Duration?
    /// When its last frame sounded; `nil` where that was not measured.
    package let offset: Duration?
    /// The true offset lies within this of it.
    package let offsetUncertainty: Duration?
    /// For how long it was to sound.
    package let requested: Duration?
    /// For how long it was played.
    package let played: Duration?
    /// How many frames were to be played.
    package let framesRequested: Int?
    /// How many were.
    package let framesPlayed: Int?
    /// The stretches that pauses part, in the order of time, those that never sounded included.
    package let stretches: [Stretch]
    /// How often the sound server ran out of sound.
    package let underruns: Int?
    /// Why it failed; `nil` where it did not.
    package let failure: String?
    /// What played it.
    package let speaker: Speaker?
  }

  /// A part of the sound without a pause.
  package struct Stretch: Hashable, Sendable {
    /// When its first frame sounded; `nil` where none did, or that was not measured.
    package let onset: Duration?
    /// When its last frame sounded.
    package let offset: Duration?
  }

  /// What played the clip.
  package struct Speaker: Hashable, Sendable {
    /// What kind it is.
    package let kind: String?
    /// The sound server.
    package let server: String?
    /// The sink.
    package let sink: String?
    /// The sink's rate, in frames a second.
    package let sinkRate: Int?
    /// Whether anybody could hear it.
    package let isAudible: Bool?
    /// Whether the sound server changed the clip's rate.
    package let isResampled: Bool?
    /// How long the sink's hardware holds sound back.
    package let outputLatency: Duration?
    /// How loud it was; `nil` where that is not known.
    package let volume: Volume?
  }

  /// How loud a speaker was, in percent of each channel.
  package struct Volume: Hashable, Sendable {
    /// The sink's volume.
    package let sink: [Double]
    /// The stream's volume.
    package let stream: [Double]
  }

  /// What the calendar said at a trial's zero and at its end.
  package struct Clock: Hashable, Sendable {
    /// The zero; `nil` where it is not told.
    package let zero: WallTime?
    /// How well it was read at the zero.
    package let atZero: Reading
    /// How well it was read at the end; `nil` where it was not.
    package let atEnd: Reading?
    /// How far the calendar went against the clock from zero to end.
    package let drift: Duration?
  }

  /// How well the calendar was read.
  package struct Reading: Hashable, Sendable {
    /// The true time lies within this of it.
    package let uncertainty: Duration?
    /// Whether the calendar followed a time server; `nil` where that is not known.
    package let isSynchronized: Bool?
  }
}
