import Analysis
import Recordings

extension HeartRates {
  /// The rates at their times, with a NaN in each gap to break the line.
  var points: [DataPoint] {
    let longest = HeartRateTrack(rates: values, times: times).pace?.longest ?? .infinity
    var points: [DataPoint] = []
    points.reserveCapacity(times.count)
    for (time, value) in zip(times, values) {
      if let last = points.last, time - last.x > longest { points.append(DataPoint((last.x + time) / 2, .nan)) }
      points.append(DataPoint(time, value))
    }
    return points
  }
}
