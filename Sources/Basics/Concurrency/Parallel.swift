import Glibc
import Synchronization

/// Parallel work on many items, with results in the order of the items.
package enum Parallel: Sendable {
  private static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  // Few enough to keep in memory, many enough to keep the overhead of tasks small.
  private static let portion = 16

  /// Processes items on all cores, and passes on the results in the order of the items.
  ///
  /// Works at most a few portions per core ahead, so that memory does not grow with the number of items.
  package static func ordered<Thing: Sendable, Outcome: Sendable>(
    _ things: [Thing], _ work: @escaping @Sendable (Thing) -> Outcome, take: (Outcome) -> Void
  ) async {
    let portions = (things.count + portion - 1) / portion
    await withTaskGroup(of: (number: Int, outcomes: [Outcome]).self) { group in
      var started = 0
      var taken = 0
      var waiting: [Int: [Outcome]] = [:]
      while taken < portions {
        while started < portions, started - taken < 3 * cores {
          let number = started
          let part = things[number * portion..<min(things.count, (number + 1) * portion)]
          group.addTask { (number, part.map(work)) }
          started += 1
        }
        guard let finished = await group.next() else { return }
        waiting[finished.number] = finished.outcomes
        while let outcomes = waiting.removeValue(forKey: taken) {
          for outcome in outcomes { take(outcome) }
          taken += 1
        }
      }
    }
  }
}
