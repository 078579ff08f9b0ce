public import Quantities

/// Gives samples and series piece by piece; `nil` after the last piece.
public typealias SampleSource = () throws -> SamplePiece?

/// Some of the samples and series that are saved together.
public struct SamplePiece: Sendable {
  /// The quantity samples.
  public var samples: [QuantitySample]

  /// The heartbeat series.
  public var series: [HeartbeatSeries]

  /// A piece.
  public init(samples: [QuantitySample] = [], series: [HeartbeatSeries] = []) {
    self.samples = samples
    self.series = series
  }
}

/// What is done with a sample whose UUID another sample in the store has.
public enum PresentPolicy: Hashable, Sendable {
  /// Nothing is saved.
  case refuse
  /// The store's sample stays as it is, and the rest is saved: for files that tell the same thing in other words.
  case keep
}

/// What became of the samples of one save.
public struct SaveReport: Hashable, Sendable {
  /// How many are new.
  public internal(set) var added = 0
  /// How many of the new ones took the place of an earlier version.
  public internal(set) var replaced = 0
  /// How many were there already, the same or in a later version.
  public internal(set) var unchanged = 0
  /// How many were not taken because the store holds another sample of their UUID, which stayed as it was.
  public internal(set) var different = 0
  /// Whether the receipt had been given before, so that nothing was looked at.
  public internal(set) var wasTaken = false
}
