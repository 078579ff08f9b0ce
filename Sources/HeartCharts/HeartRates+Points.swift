internal import Charts
internal import Recordings

extension HeartRates {
  /// The rates at their times; one that is no number stands in each gap.
  ///
  /// A gap is three times as long as the rates are usually apart, and three seconds at least.
  var points: [DataPoint] {
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
    let longest = max(3, steps.isEmpty ? 0 : 3 * steps[steps.count / 2])
    var points: [DataPoint] = []
    points.reserveCapacity(times.count)
    for (time, value) in zip(times, values) {
      if let last = points.last, time - last.x > longest { points.append(DataPoint((last.x + time) / 2, .nan)) }
      points.append(DataPoint(time, value))
    }
    return points
  }
}
