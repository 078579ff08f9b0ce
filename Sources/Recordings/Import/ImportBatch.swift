package import Quantities

/// What a piece of a file held, in the file's order.
package struct ImportBatch: Hashable, Sendable {
  /// The quantity samples.
  package internal(set) var samples: [QuantitySample] = []

  /// The heartbeat series.
  package internal(set) var series: [HeartbeatSeries] = []

  /// How much memory it takes, counted in samples: four beats take that of one.
  package var weight: Int { samples.count + series.reduce(0) { $0 + 1 + $1.beats.count / 4 } }

  /// Takes another batch's samples and series behind its own.
  package mutating func append(_ other: ImportBatch) {
    samples += other.samples
    series += other.series
  }

  /// A batch of nothing.
  package init() {}

  /// Whether the piece held none.
  package var isEmpty: Bool { samples.isEmpty && series.isEmpty }
}
