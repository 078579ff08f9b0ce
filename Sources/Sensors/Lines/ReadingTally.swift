import Synchronization

/// How many readings a sensor has taken in so far, whether or not they were delivered.
final class ReadingTally: Sendable {
  private let readings = Atomic(0)

  var count: Int { readings.load(ordering: .acquiring) }

  func add(_ count: Int) { readings.add(count, ordering: .acquiringAndReleasing) }
}
