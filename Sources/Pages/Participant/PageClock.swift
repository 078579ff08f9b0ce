import Quantities

/// The relation between a page's clock and the station's, known from round trips of messages.
///
/// The page sends a message, the station answers with its time, and the page says when the answer came. The station read
/// its clock at some time between both, so that half of the round trip is an uncertainty that holds.
struct PageClock: Sendable {
  /// A message of the page and the station's answer.
  struct RoundTrip: Hashable, Sendable {
    /// When the page sent it, and received the answer, in milliseconds of the page's clock.
    var sent: Double
    var received: Double
    /// What the station's clock showed in between.
    var station: Moment
  }

  /// The newest round trips, of which the best counts.
  private var trips: [RoundTrip] = []

  /// The number of round trips that are kept.
  private static let maxTrips = 8
  /// How much two clocks of a computer may drift apart: 50 ppm, ten times what its quartz does.
  private static let drift = 5e-5
  /// The resolution of a page's clock, in milliseconds: browsers round it to no more than this.
  private static let resolution = 0.1

  /// Takes a round trip.
  ///
  /// - Returns: whether it can be true: an answer does not come before its question.
  @discardableResult
  mutating func take(_ trip: RoundTrip) -> Bool {
    guard trip.sent.isFinite, trip.received.isFinite, trip.received >= trip.sent, trip.received < 1e12 else {
      return false
    }
    trips = trips.suffix(Self.maxTrips - 1) + [trip]
    return true
  }

  /// The moment of the station's clock that a time of the page's clock means.
  ///
  /// - Parameter time: in milliseconds.
  /// - Returns: the moment, with an uncertainty that holds; `nil` before the first round trip.
  func moment(of time: Double) -> MeasuredMoment? {
    guard time.isFinite, time.magnitude < 1e12 else { return nil }
    let all = trips.map { trip -> (distance: Double, uncertainty: Double, station: Moment) in
      let middle = (trip.sent + trip.received) / 2
      let half = (trip.received - trip.sent) / 2
      let distance = time - middle
      return (distance, half + Self.resolution + Self.drift * distance.magnitude, trip.station)
    }
    guard let best = all.min(by: { $0.uncertainty < $1.uncertainty }) else { return nil }
    return MeasuredMoment(
      moment: best.station.advanced(by: .milliseconds(best.distance)), uncertainty: .milliseconds(best.uncertainty))
  }
}

extension Duration {
  /// A duration of so many milliseconds, to the nanosecond.
  static func milliseconds(_ count: Double) -> Duration { .nanoseconds(Int64((count * 1e6).rounded())) }
}
