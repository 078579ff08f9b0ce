public import Quantities

/// What a piece of a file held, in the file's order.
public struct ImportBatch: Hashable, Sendable {
  /// The quantity samples.
  public internal(set) var samples: [QuantitySample] = []

  /// The heartbeat series.
  public internal(set) var series: [HeartbeatSeries] = []

  /// How much memory it takes, counted in samples: four beats take that of one.
  public var weight: Int { samples.count + series.reduce(0) { $0 + 1 + $1.beats.count / 4 } }

  /// Takes another batch's samples and series behind its own.
  public mutating func append(_ other: ImportBatch) {
    samples += other.samples
    series += other.series
  }

  /// A batch of nothing.
  public init() {}

  /// Whether the piece held none.
  public var isEmpty: Bool { samples.isEmpty && series.isEmpty }
}
