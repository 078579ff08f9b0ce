import Basics
package import Quantities

/// Simulated time that a test advances by hand.
package typealias HandClock = SimulatedTime

extension SimulatedTime {
  /// A clock at `start`, with the wall clock at 1,700,000,000 s.
  package convenience init(at start: Moment = SimulatedTime.usualStart) {
    self.init(at: start, wall: WallTime(milliseconds: 1_700_000_000_000))
  }

  /// Advances the clock and wakes all sleepers that are due, earliest deadline first.
  package func advance(by duration: Swift.Duration) { advance(to: now.advanced(by: duration)) }
}
