import Basics
import Quantities

/// Converts the times that a sender attaches to its samples to the monotonic clock.
///
/// The sender's clock only has to run forward; its origin does not matter. Its offset is the smallest delay seen, minus
/// the sensor's latency, so that lines delayed by the network keep the sender's time and do not move others. A clock
/// that was set, or a sender that restarted, is a ``Jump``: from there on the offset is estimated again, so that no
/// sample is placed outside the trial.
struct SenderClock: Sendable {
  /// The threshold for a step forward that arrivals do not explain: a longer one is a jump of the clock; a shorter one
  /// means that the preceding samples were late.
  static let longestDelay = Duration.seconds(60)

  /// A discontinuity of the sender's clock.
  struct Jump: Hashable, Sendable {
    /// The sender's time before the jump, in seconds.
    let before: Double
    /// The sender's time after the jump, in seconds.
    let after: Double
  }

  private let latency: Duration
  private var offset = ArrivalOffset(.clock)
  private var last: Double?
  private var jumps: [Jump] = []

  init(latency: Duration) { self.latency = latency }

  /// Converts sender times in seconds that arrived together; they are placed together, by the last of them.
  mutating func moments(of times: [Double], arrived: Moment) -> [Moment] {
    let arrival = arrived.advanced(by: .zero - latency)
    var moments: [Moment] = []
    moments.reserveCapacity(times.count)
    var start = 0
    while start < times.count {
      if let last, isJump(from: last, to: times[start], arrival: arrival) {
        jumps.append(Jump(before: last, after: times[start]))
        offset = ArrivalOffset(.clock)
      }
      var stop = start + 1
      while stop < times.count, Self.follows(times[stop], times[stop - 1]) { stop += 1 }
      let end = times[stop - 1]
      last = end
      offset.learn(source: end * 1e9, arrival: arrival)
      for time in times[start..<stop] { moments.append(min(offset.moment(ofSource: time * 1e9) ?? arrival, arrival)) }
      start = stop
    }
    return moments
  }

  /// Returns the jumps since the last call and clears them.
  mutating func takeJumps() -> [Jump] {
    defer { jumps = [] }
    return jumps
  }

  /// Whether two times that arrived together can belong to the same run of the clock, whatever the offset.
  private static func follows(_ time: Double, _ previous: Double) -> Bool {
    time >= previous && time - previous <= longestDelay.seconds
  }

  private func isJump(from last: Double, to time: Double, arrival: Moment) -> Bool {
    time < last || offset.excess(ofSource: time * 1e9, arrival: arrival) > Self.longestDelay
  }
}
