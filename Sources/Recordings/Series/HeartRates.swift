/// Heart rates as a sensor said them.
package struct HeartRates: Hashable, Sendable {
  /// When each was true, in seconds, ascending.
  package private(set) var times: [Double]

  /// Beats a minute, as many as there are times.
  package private(set) var values: [Double]

  /// No rates.
  package init() { (times, values) = ([], []) }

  /// Rates, which are put in the order of their times, and those of one time in that of their values; what is not a number, or not above zero, is left out.
  package init(_ rates: [(time: Double, value: Double)]) {
    let known = rates.filter { $0.time.isFinite && $0.value.isFinite && $0.value > 0 }
    let isOrdered = zip(known, known.dropFirst()).allSatisfy { $0 <= $1 }
    let ordered = isOrdered ? known : known.sorted { $0 < $1 }
    (times, values) = (ordered.map(\.time), ordered.map(\.value))
  }

  /// How many times have several different rates, and how many rates these are.
  var shared: (times: Int, rates: Int) {
    var shared = (times: 0, rates: 0)
    var start = 0
    for end in 1...max(1, times.count) where end == times.count || end < times.count && times[end] != times[start] {
      // Rates of one time ascend.
      if values[start] != values[end - 1] { shared = (shared.times + 1, shared.rates + end - start) }
      start = end
    }
    return shared
  }

  /// What is to be said of times with several different rates.
  var sharedRemarks: [String] {
    let (times, rates) = shared
    guard times > 0 else { return [] }
    return [
      times == 1
        ? "One time has \(rates) heart rates that differ; it counts with their mean."
        : "\(times) times have several heart rates that differ, \(rates) in all; each time counts with their mean."
    ]
  }
}
