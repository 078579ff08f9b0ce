package import Basics
import Quantities

/// The samples that a store holds of one type.
package struct StoreContents: Hashable, Sendable {
  /// The number of samples.
  package let count: Int
  /// The start of the first sample.
  package let first: WallTime
  /// The start of the last sample.
  package let last: WallTime
}
