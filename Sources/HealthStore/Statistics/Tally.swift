/// What is counted of one interval for one source, or for all.
struct Tally {
  /// How many samples lie in the interval, with all or part of them.
  private(set) var count = 0
  private(set) var minimum = Double.infinity
  private(set) var maximum = -Double.infinity
  /// The sample that ends last; of several, the one that starts last.
  private(set) var mostRecent: TimedValue?
  /// The sum of a cumulative type.
  var sum = 0.0
  /// How many ticks are covered.
  var covered: Int64 = 0
  /// The values times their weights, and the weights.
  private var weighted = 0.0
  private var weight = 0.0

  /// The weighted mean; `nil` without weights.
  var mean: Double? { weight > 0 ? weighted / weight : nil }

  /// Takes a sample's value, for whatever does not depend on time.
  mutating func meet(_ sample: TimedValue) {
    count += 1
    minimum = min(minimum, sample.value)
    maximum = max(maximum, sample.value)
    if let last = mostRecent, (last.end, last.start) > (sample.end, sample.start) { return }
    mostRecent = sample
  }

  /// Takes a value into the mean.
  mutating func weigh(_ value: Double, by weight: Double) {
    weighted += value * weight
    self.weight += weight
  }

  /// Takes several values of one weight into the mean.
  mutating func weigh(sum: Double, of count: Int, by weight: Double) {
    weighted += sum * weight
    self.weight += Double(count) * weight
  }
}
