import Basics
import Quantities

/// Lays the times that a sender gives with its samples onto our clock.
///
/// The sender's clock only has to run forward; what it counts from does not matter. Its offset is the smallest delay seen,
/// less the sensor's latency, so that lines which the network held back lie where the sender says and move no others.
/// A clock that was set, or a sender that restarted, is a ``Jump``: from there on the offset is learnt afresh, so that no
/// sample is placed where the trial was not.
struct SenderClock: Sendable {
  /// A step forward that arrivals do not explain is a jump of the clock beyond this, and lateness of what came before
  /// within it.
  static let longestDelay = Duration.seconds(60)

  /// A place where the sender's clock did not run on.
  struct Jump: Hashable, Sendable {
    /// The sender's time before it, in seconds.
    let before: Double
    /// The sender's time after it, in seconds.
    let after: Double
  }

  private let latency: Duration
  private var offset = ArrivalOffset(standsStill: false)
  private var last: Double?
  private var jumps: [Jump] = []

  init(latency: Duration) { self.latency = latency }

  /// Our moments of the sender's times, in seconds, which arrived together and are placed together, by the last of them.
  mutating func moments(of times: [Double], arrived: Moment) -> [Moment] {
    let arrival = arrived.advanced(by: .zero - latency)
    var moments: [Moment] = []
    moments.reserveCapacity(times.count)
    var start = 0
    while start < times.count {
      if let last, isJump(from: last, to: times[start], arrival: arrival) {
        jumps.append(Jump(before: last, after: times[start]))
        offset = ArrivalOffset(standsStill: false)
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

  /// The jumps since they were last taken.
  mutating func takeJumps() -> [Jump] {
    defer { jumps = [] }
    return jumps
  }

  /// Whether two times that arrived together may be of one run of the clock, whatever the offset is.
  private static func follows(_ time: Double, _ previous: Double) -> Bool {
    time >= previous && time - previous <= longestDelay.seconds
  }

  private func isJump(from last: Double, to time: Double, arrival: Moment) -> Bool {
    time < last || offset.excess(ofSource: time * 1e9, arrival: arrival) > Self.longestDelay
  }
}
