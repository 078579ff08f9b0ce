import Basics

/// The comments of a text of numbers, one of which may say that they are the samples of a signal.
package struct SamplingComment: Sendable {
  private var found: (line: Int, text: String)?
  private var isOfIntervals = false

  // Texts have few comments; those of a longer one are not read.
  private static let maxCount = 1000
  private var count = 0

  private static let rates = ["samplingrate", "samplerate", "samplingfrequency", "samplefrequency", "samplingfreq"]
  private static let intervals: Set<Substring> = [
    "rr", "rri", "nn", "nni", "ibi", "ibis", "interval", "intervals", "beat", "beats", "tachogram", "interbeat",
  ]

  /// Creates a reader of comments.
  package init() {}

  /// Takes a line that has only a comment.
  package mutating func take(_ bytes: [UInt8], line: Int) {
    guard count < Self.maxCount else { return }
    count += 1
    let text = String(decoding: bytes.prefix(1000), as: UTF8.self).lowercased()
    let folded = text.filter(\.isLetter)
    if found == nil, Self.rates.contains(where: folded.contains) {
      found = (line, String(decoding: bytes.prefix(200), as: UTF8.self).trimmed)
    }
    if text.split(whereSeparator: { !$0.isLetter }).contains(where: Self.intervals.contains) { isOfIntervals = true }
  }

  /// Why the numbers are refused; `nil` if no comment names a sampling rate, or one says that they are intervals.
  package var problem: String? {
    guard let found, !isOfIntervals else { return nil }
    return "line \(found.line) says “\(found.text.prefix(60).visible)”, as the samples of \(Waveform.noun) have it; "
      + "\(Waveform.remedy); if they are intervals, delete that line"
  }
}
