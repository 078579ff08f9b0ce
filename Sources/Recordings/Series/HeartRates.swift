/// Heart rates as reported by a sensor.
package struct HeartRates: Hashable, Sendable {
  /// The time of each rate, in seconds, ascending.
  package private(set) var times: [Double]

  /// Beats per minute, one per time.
  package private(set) var values: [Double]

  /// Creates an empty series.
  package init() { (times, values) = ([], []) }

  /// Creates a series, sorted by time and then by value; values that are not numbers or not above zero are dropped.
  package init(_ rates: [(time: Double, value: Double)]) {
    let known = rates.filter { $0.time.isFinite && $0.value.isFinite && $0.value > 0 }
    let isOrdered = zip(known, known.dropFirst()).allSatisfy { $0 <= $1 }
    let ordered = isOrdered ? known : known.sorted { $0 < $1 }
    (times, values) = (ordered.map(\.time), ordered.map(\.value))
  }

  /// The number of times with several different rates, and the number of these rates.
  var shared: (times: Int, rates: Int) {
    var shared = (times: 0, rates: 0)
    var start = 0
    for end in 1...max(1, times.count) where end == times.count || end < times.count && times[end] != times[start] {
      // Rates with the same time ascend.
      if values[start] != values[end - 1] { shared = (shared.times + 1, shared.rates + end - start) }
      start = end
    }
    return shared
  }

  /// The caveat on times with several different rates; `nil` without any.
  var sharedCaveat: RecordingCaveat? {
    let (times, rates) = shared
    return times > 0 ? .differentRates(times: times, rates: rates) : nil
  }
}
