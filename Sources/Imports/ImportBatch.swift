public import Quantities

/// What a piece of a file held, in the file's order.
public struct ImportBatch: Hashable, Sendable {
  /// The quantity samples.
  public internal(set) var samples: [QuantitySample] = []

  /// The heartbeat series.
  public internal(set) var series: [HeartbeatSeries] = []

  /// Whether the piece held none.
  public var isEmpty: Bool { samples.isEmpty && series.isEmpty }
}
