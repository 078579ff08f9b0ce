import Quantities

/// The decoded content of a piece of the stream.
struct Decoded: Hashable, Sendable {
  /// A line that could not be parsed.
  struct Fault: Hashable, Sendable {
    let line: Int
    let reason: String
  }

  var readings: [HeartReading] = []
  var waveforms: [WaveformFrames] = []
  var faults: [Fault] = []
  /// Remarks on the sender, worded as predicates.
  var notes: [String] = []

  /// Whether it has no content.
  var isEmpty: Bool { readings.isEmpty && waveforms.isEmpty && faults.isEmpty && notes.isEmpty }
}
