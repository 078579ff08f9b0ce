import CSystem
import Foundation
import Glibc
import Synchronization

/// How late the machine wakes a thread that wants to run every millisecond, measured beside what a test does.
///
/// A test that asserts when sound really left the sink depends on a machine that keeps up. It asserts everything else first,
/// and then skips that assertion with this figure where the machine did not; see ``excuse``.
package final class Lateness: Sendable {
  /// From this lateness on, sound servers and stations cannot be expected to keep times below a millisecond.
  package static let limit = Duration.milliseconds(4)

  private struct State {
    var largest: Int64 = 0
    var isOver = false
  }

  private let state = Mutex(State())

  private init() {}

  /// Does something, and measures until it is done.
  package static func during<Value: Sendable>(
    _ work: () async throws -> Value
  ) async rethrows -> (value: Value, lateness: Lateness) {
    let lateness = Lateness()
    Thread.detachNewThread { lateness.measure() }
    defer { lateness.state.withLock { $0.isOver = true } }
    return (try await work(), lateness)
  }

  /// The largest lateness so far.
  package var largest: Duration { .nanoseconds(state.withLock { $0.largest }) }

  /// Why times cannot be judged: the figure, where it is beyond the limit; `nil` where the machine kept up.
  package var excuse: String? {
    let largest = largest
    guard largest > Self.limit else { return nil }
    let tenths = largest.components.attoseconds / 100_000_000_000_000 + largest.components.seconds * 10_000
    return "the machine did not keep up: a thread was woken \(tenths / 10).\(tenths % 10) ms late"
  }

  private func measure() {
    var due = csystem_monotonic_nanoseconds()
    while !state.withLock({ $0.isOver }) {
      due += 1_000_000
      let wait = due - csystem_monotonic_nanoseconds()
      if wait > 0 { usleep(UInt32(wait / 1000)) }
      let now = csystem_monotonic_nanoseconds()
      state.withLock { $0.largest = max($0.largest, now - due) }
      // A late wake is one lateness, not one for every millisecond that it has missed.
      due = max(due, now)
    }
  }
}
