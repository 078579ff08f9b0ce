package import Quantities

/// The position of an anchored query in the store's changes; opaque, and kept by the caller.
///
/// Save it only after its changes have been processed: changes before an anchor are never returned again.
package struct QueryAnchor: Hashable, Sendable, CustomStringConvertible {
  let store: UUID
  let change: Int64

  init(store: UUID, change: Int64) {
    self.store = store
    self.change = change
  }

  /// Parses the output of ``description``; `nil` for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "anchor1", let store = UUID(String(parts[1])), let change = Int64(parts[2]),
      change >= 0
    else { return nil }
    self.init(store: store, change: change)
  }

  /// A text that `init` parses.
  package var description: String { "anchor1:\(store):\(change)" }
}

/// The changes since an anchor.
package struct SampleChanges<Sample: Hashable & Sendable>: Hashable, Sendable {
  /// The new samples, without those that have since been deleted.
  package let added: [Sample]
  /// The samples that were deleted or replaced, including some that were never delivered.
  package let deleted: [UUID]
  /// The anchor for the next query; save it once these changes have been processed.
  package let anchor: QueryAnchor
  /// Whether the limit cut off further changes, so that the caller should query again immediately.
  package let hasMore: Bool
}
