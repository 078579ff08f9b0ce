/// What statistics see of a sample: times in ticks, the value in the type's own unit, and the number of its source.
struct TimedValue {
  var start: Int64
  var end: Int64
  var value: Double
  /// The source's place in the order of priority: the source 0 is believed before all others.
  var source: Int

  /// How much of it lies in an interval: its share of time, and 1 for an instant.
  func share(from lower: Int64, to upper: Int64) -> Double {
    start >= lower && end <= upper ? 1 : Double(min(end, upper) - max(start, lower)) / Double(end - start)
  }
}
