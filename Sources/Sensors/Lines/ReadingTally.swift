import Basics
import Synchronization

/// The number of samples that a sensor has received so far, delivered or not, and how far its reading is behind.
final class ReadingTally: Sendable {
  private let readings = Atomic(0)
  private let heldBack = Atomic<Int64>(0)
  private let unread = Atomic(0)

  var count: Int { readings.load(ordering: .acquiring) }

  var backlog: ReadingBacklog {
    ReadingBacklog(
      heldBack: .nanoseconds(heldBack.load(ordering: .acquiring)), unread: unread.load(ordering: .acquiring))
  }

  func add(_ count: Int) { readings.add(count, ordering: .acquiringAndReleasing) }

  /// Notes that the source is held back for a time, and about how many samples wait unread meanwhile.
  func holdBack(for pause: Duration, unread: Int) {
    heldBack.add(pause.nanoseconds, ordering: .acquiringAndReleasing)
    self.unread.store(unread, ordering: .releasing)
  }

  /// Notes that the source is read as it comes.
  func readsAll() { unread.store(0, ordering: .releasing) }
}
