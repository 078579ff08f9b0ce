/// The tally of one interval for one source, or over all sources.
struct Tally {
  /// The number of samples that lie at least partly in the interval.
  private(set) var count = 0
  private(set) var minimum = Double.infinity
  private(set) var maximum = -Double.infinity
  /// The sample that ends last; of several, the one that starts last.
  private(set) var mostRecent: TimedValue?
  /// The sum of a cumulative type.
  var sum = 0.0
  /// The covered time in ticks.
  var covered: Int64 = 0
  /// The sum of the weighted values, and that of the weights.
  private var weighted = 0.0
  private var weight = 0.0

  /// The weighted mean; `nil` if the weights are zero.
  var mean: Double? { weight > 0 ? weighted / weight : nil }

  /// Updates everything that does not depend on the sample's duration.
  mutating func meet(_ sample: TimedValue) {
    count += 1
    minimum = min(minimum, sample.value)
    maximum = max(maximum, sample.value)
    if let last = mostRecent, (last.end, last.start) > (sample.end, sample.start) { return }
    mostRecent = sample
  }

  /// Adds a value to the mean.
  mutating func weigh(_ value: Double, by weight: Double) {
    weighted += value * weight
    self.weight += weight
  }

  /// Adds several values of equal weight to the mean.
  mutating func weigh(sum: Double, of count: Int, by weight: Double) {
    weighted += sum * weight
    self.weight += Double(count) * weight
  }
}
