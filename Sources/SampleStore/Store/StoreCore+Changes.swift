import Quantities

extension StoreCore {
  /// The changes of a type since an anchor, up to `limit` of them; `make` converts a row to a sample.
  func changes<Sample: Hashable & Sendable>(
    _ type: SampleType, since: QueryAnchor?, _ predicate: SamplePredicate, limit: Int, client: String?,
    _ make: (SampleRow, Metadata) throws -> Sample
  ) throws -> SampleChanges<Sample> {
    guard limit >= 0 else {
      throw StoreError(.invalidArgument, "the limit \(limit) is below zero; give 0 for no limit")
    }
    return try reading(as: client, type) { owner in
      let store = try engine.identity()
      if let since, since.store != store {
        throw StoreError(
          .invalidArgument, "the anchor is of another store, or of one before it was rebuilt; start without an anchor")
      }
      func anchor(at change: Int64) -> QueryAnchor { QueryAnchor(store: store, change: change) }
      var position = since?.change ?? 0
      guard position <= (try engine.lastChange()) else {
        throw StoreError(
          .invalidArgument, "the anchor is later than the store, which may be an older copy; start without an anchor")
      }
      let query = try query(type, predicate, ownedBy: owner)
      let most = limit == 0 ? Int.max : limit
      var (added, deleted): ([Sample], [UUID]) = ([], [])
      var cursor = position
      while true {
        let page = try engine.changes(of: query.scope.type, after: cursor, limit: Self.page)
        for (number, change) in page {
          let (isFull, count) = (added.count + deleted.count == most, added.count + deleted.count)
          switch change {
          case .added(let row):
            if query.scope.contains(row) {
              let metadata = try Coding.metadata(row.metadata)
              if query.metadata.allSatisfy({ $0.holds(metadata) }) { added.append(try make(row, metadata)) }
            }
          case .deleted(let tombstone):
            if query.scope.contains(tombstone) { deleted.append(tombstone.uuid) }
          }
          let matches = added.count + deleted.count > count
          if matches, isFull {
            // The first change beyond the limit shows that there are more, and is returned next time.
            if case .added = change { added.removeLast() } else { deleted.removeLast() }
            return SampleChanges(added: added, deleted: deleted, anchor: anchor(at: position), hasMore: true)
          }
          cursor = number
          // Changes of others do not move the anchor of a client that cannot see them.
          if owner == nil || matches { position = number }
        }
        try Task.checkCancellation()
        if page.count < Self.page { break }
      }
      return SampleChanges(added: added, deleted: deleted, anchor: anchor(at: position), hasMore: false)
    }
  }

  private static let page = 1000

  /// The last change number of each type.
  func lastChanges(_ types: Set<SampleType>, client: String?) throws -> [SampleType: Int64] {
    if let client { for type in types { _ = try requireLeave(toRead: type, client) } }
    return try reading { try lastChanges(types) }
  }

  private func lastChanges(_ types: Set<SampleType>) throws -> [SampleType: Int64] {
    var last: [SampleType: Int64] = [:]
    for type in types { last[type] = try engine.lastChange(of: type.number) }
    return last
  }

  /// The types with changes that the client may see, and the last change number of each type.
  func news(
    since known: [SampleType: Int64], client: String?
  ) throws -> (changed: Set<SampleType>, [SampleType: Int64]) {
    try reading {
      let last = try lastChanges(Set(known.keys))
      var changed: Set<SampleType> = []
      for (type, number) in last where number != known[type] {
        guard let client, try grant(client, type).read != .sharingAuthorized else {
          changed.insert(type)
          continue
        }
        let query = try query(type, .all, ownedBy: client)
        var position = known[type] ?? 0
        while !changed.contains(type) {
          let page = try engine.changes(of: type.number, after: position, limit: Self.page)
          let isOwn = page.contains { _, change in
            switch change {
            case .added(let row): query.scope.contains(row)
            case .deleted(let tombstone): query.scope.contains(tombstone)
            }
          }
          if isOwn { changed.insert(type) }
          guard page.count == Self.page, let number = page.last?.number else { break }
          position = number
        }
      }
      return (changed, last)
    }
  }

  func makeWatch() throws -> any StoreWatch { try engine.makeWatch() }
}
