package import Basics
import Quantities

/// What a store holds of one type.
package struct StoreContents: Hashable, Sendable {
  /// How many samples.
  package let count: Int
  /// When the first of them starts.
  package let first: WallTime
  /// When the last of them starts.
  package let last: WallTime
}
