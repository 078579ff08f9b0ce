public import Quantities

/// What a store holds of one type.
public struct StoreContents: Hashable, Sendable {
  /// How many samples.
  public let count: Int
  /// When the first of them starts.
  public let first: WallTime
  /// When the last of them starts.
  public let last: WallTime
}
