import Synchronization

/// The number of samples that a sensor has received so far, delivered or not.
final class ReadingTally: Sendable {
  private let readings = Atomic(0)

  var count: Int { readings.load(ordering: .acquiring) }

  func add(_ count: Int) { readings.add(count, ordering: .acquiringAndReleasing) }
}
