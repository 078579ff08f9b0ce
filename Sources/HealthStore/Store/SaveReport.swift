package import Quantities

/// Gives samples and series piece by piece; `nil` after the last piece.
package typealias SampleSource = () throws -> SamplePiece?

/// Some of the samples and series that are saved together.
package struct SamplePiece: Sendable {
  /// The quantity samples.
  package var samples: [QuantitySample]

  /// The heartbeat series.
  package var series: [HeartbeatSeries]

  /// A piece.
  package init(samples: [QuantitySample] = [], series: [HeartbeatSeries] = []) {
    self.samples = samples
    self.series = series
  }
}

/// What is done with a sample whose UUID another sample in the store has.
package enum PresentPolicy: Hashable, Sendable {
  /// Nothing is saved.
  case refuse
  /// The store's sample stays as it is, and the rest is saved: for files that tell the same thing in other words.
  case keep
}

/// What became of the samples of one save.
package struct SaveReport: Hashable, Sendable {
  /// How many are new.
  package internal(set) var added = 0
  /// How many of the new ones took the place of an earlier version.
  package internal(set) var replaced = 0
  /// How many were there already, the same or in a later version.
  package internal(set) var unchanged = 0
  /// How many were not taken because the store holds another sample of their UUID, which stayed as it was.
  package internal(set) var different = 0
  /// Whether the receipt had been given before, so that nothing was looked at.
  package internal(set) var wasTaken = false
}
