/// What a file of the room's sound holds, and where it lies in time.
///
/// Times in the file are true: what the sound server lost is filled with silence.
package struct RecordedSound: Hashable, Sendable, Codable {
  /// The file's frames a second.
  package let rate: Int
  /// The number of its channels.
  package let channels: Int
  /// How many frames it has, silence that was filled in included.
  package let frames: Int
  /// When its first frame was in the air, as far as the sound server knows.
  package let firstFrame: MeasuredTime
  /// How many frames passed in a second of the trial's clock; `nil` for a recording below 10 s.
  package let measuredRate: Double?
  /// How many frames were lost, and filled with silence.
  package let framesLost: Int
  /// Where, the first ``maxGaps`` of them.
  package let gaps: [Gap]
  /// How often frames were lost.
  package let gapCount: Int
  /// How many samples are as large as a sample can be.
  package let samplesClipped: Int
  /// The root mean square of the samples, in dB below the largest sample; `nil` for silence.
  package let level: Double?
  /// The largest sample, in the same unit.
  package let peak: Double?

  /// The maximum number of gaps that are listed.
  package static let maxGaps = 1000

  private enum CodingKeys: String, CodingKey {
    case channels, frames, firstFrame, framesLost, gaps, gapCount, samplesClipped
    case rate = "rate_Hz"
    case measuredRate = "measuredRate_Hz"
    case level = "level_dBFS"
    case peak = "peak_dBFS"
  }

  /// Frames that were filled with silence.
  package struct Gap: Hashable, Sendable, Codable {
    /// The number of the first of them in the file.
    package let frame: Int
    /// How many they are.
    package let frames: Int
  }
}
