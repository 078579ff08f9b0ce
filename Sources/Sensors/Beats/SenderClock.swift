import Quantities

/// Lays the times that a sender gives with its samples onto our clock.
///
/// The sender's clock only has to run forward; what it counts from does not matter. Its offset is the smallest delay seen,
/// less the sensor's latency, so that lines which the network held back lie where the sender says and move no others. A
/// time that lies before the last one means that the sender began anew.
struct SenderClock: Sendable {
  private let latency: Duration
  private var offset = ArrivalOffset(standsStill: false)
  private var last = -Double.infinity

  init(latency: Duration) { self.latency = latency }

  /// Our moments of the sender's times, in seconds, which arrived together and are placed together, by the last of them.
  mutating func moments(of times: [Double], arrived: Moment) -> [Moment] {
    let arrival = arrived.advanced(by: .zero - latency)
    var moments: [Moment] = []
    moments.reserveCapacity(times.count)
    var start = 0
    while start < times.count {
      if times[start] < last { offset = ArrivalOffset(standsStill: false) }
      last = times[start]
      var stop = start + 1
      while stop < times.count, times[stop] >= last {
        last = times[stop]
        stop += 1
      }
      offset.learn(source: last * 1e9, arrival: arrival)
      for time in times[start..<stop] { moments.append(min(offset.moment(ofSource: time * 1e9) ?? arrival, arrival)) }
      start = stop
    }
    return moments
  }
}
