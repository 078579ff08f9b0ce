/// The part of a sample that statistics need: times in ticks, the value in the type's canonical unit, and the source.
struct TimedValue {
  var start: Int64
  var end: Int64
  var value: Double
  /// The source's priority rank; 0 is the highest priority.
  var source: Int

  /// The fraction of its duration that lies in an interval; 1 for an instantaneous sample.
  func share(from lower: Int64, to upper: Int64) -> Double {
    start >= lower && end <= upper ? 1 : Double(min(end, upper) - max(start, lower)) / Double(end - start)
  }
}
