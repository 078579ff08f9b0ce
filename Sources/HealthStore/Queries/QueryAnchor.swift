package import Quantities

/// How far an anchored query has come; opaque, and kept by the caller.
///
/// Keep it only after what came with it has been taken in: what lies before an anchor never comes again.
package struct QueryAnchor: Hashable, Sendable, CustomStringConvertible {
  let store: UUID
  let change: Int64

  init(store: UUID, change: Int64) {
    self.store = store
    self.change = change
  }

  /// Reads what ``description`` wrote; `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "anchor1", let store = UUID(String(parts[1])), let change = Int64(parts[2]),
      change >= 0
    else { return nil }
    self.init(store: store, change: change)
  }

  /// A text from which it can be read again.
  package var description: String { "anchor1:\(store):\(change)" }
}

/// What happened since an anchor.
package struct SampleChanges<Sample: Hashable & Sendable>: Hashable, Sendable {
  /// What is new; nothing that has been deleted since.
  package let added: [Sample]
  /// What was deleted or replaced; also samples that were never delivered.
  package let deleted: [UUID]
  /// Where to go on, once all this has been taken in.
  package let anchor: QueryAnchor
  /// Whether the limit has cut something off, so that the next query goes on at once.
  package let hasMore: Bool
}
