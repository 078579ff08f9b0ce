import Basics

/// The volumes between a sound and its sink's output, in percent per channel, as `pactl` shows them.
package struct SpeakerVolume: Hashable, Sendable, Codable, CheckedInJSON, CustomStringConvertible {
  /// The sink's volume; 100 is unity gain, and the scale is PulseAudio's cubic one.
  package var sink: [Double]
  var isSinkMuted: Bool
  /// The volume of our stream on the sink; the station requests 100.
  package var stream: [Double]
  var isStreamMuted: Bool

  private enum CodingKeys: String, CodingKey {
    case sink = "sink_percent"
    case isSinkMuted = "sinkMuted"
    case stream = "stream_percent"
    case isStreamMuted = "streamMuted"
  }

  /// Why decoded numbers are out of range; `nil` if they are valid.
  package var jsonProblem: String? {
    (sink + stream).allSatisfy((0...100_000).contains) ? nil : "a volume lies outside of 0 to 100000 percent"
  }

  /// Whether the output is inaudible: muted, or with a volume of zero on every channel.
  var isSilent: Bool {
    isSinkMuted || isStreamMuted || [sink, stream].contains { !$0.isEmpty && $0.allSatisfy { $0 <= 0 } }
  }

  /// The text `sink 40 %, stream 100 %`; if channels differ, `sink 40/100 %, stream 100 %`.
  package var description: String {
    "sink \(Self.text(sink, isSinkMuted)), stream \(Self.text(stream, isStreamMuted))"
  }

  private static func text(_ volume: [Double], _ isMuted: Bool) -> String {
    isMuted ? "muted" : volume.isEmpty ? "fixed" : percent(volume)
  }

  /// The text `40 %`; if channels differ, `40/100 %`.
  package static func percent(_ volume: [Double]) -> String {
    let isEven = volume.allSatisfy { $0 == volume.first }
    let parts = (isEven ? volume.prefix(1) : volume[...]).map { $0.rounded() == $0 ? "\(Int($0))" : "\($0)" }
    return parts.joined(separator: "/") + " %"
  }
}
