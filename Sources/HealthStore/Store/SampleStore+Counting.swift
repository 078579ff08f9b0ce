package import Quantities
import Synchronization

extension SampleStore {
  /// How many samples of a type match.
  package func count(_ type: SampleType, matching predicate: SamplePredicate) async throws -> Int {
    guard case .quantity(let quantity) = type else { return try await heartbeatSeries(matching: predicate).count }
    let count = Mutex(0)
    try await forEachSample(of: quantity, matching: predicate) { _ in
      count.withLock { $0 += 1 }
      return true
    }
    return count.withLock(\.self)
  }

  /// The UUIDs that are not in the store: the first three, and how many more.
  package func missing(_ uuids: Set<UUID>) async throws -> String {
    let missing = Mutex(uuids)
    let predicate = SamplePredicate(uuids: uuids)
    for type in try await types() {
      try await forEachSample(of: type, matching: predicate) { sample in
        missing.withLock { _ = $0.remove(sample.uuid) }
        return true
      }
    }
    let series = try await heartbeatSeries(matching: predicate).map(\.uuid)
    let rest = missing.withLock(\.self).subtracting(series).sorted()
    let more = rest.count > 3 ? " and \(rest.count - 3) more" : ""
    return rest.prefix(3).map { "\($0)" }.joined(separator: ", ") + more
  }
}
