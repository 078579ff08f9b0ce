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
