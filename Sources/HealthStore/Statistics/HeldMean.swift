/// The time-weighted mean of a discrete type.
///
/// A sample counts for its own duration, and then for the time until its source's next sample starts, but no longer than
/// the hold. Instants that follow each other closely are thereby weighted with the time between them, instants far apart
/// all alike. In an interval a sample counts for the part of that time which lies there, and only in intervals in which
/// the sample itself lies.
struct HeldMean {
  /// Apple publishes no rule; ours holds a value for as long as a chest strap may pause.
  static let hold: Int64 = 10 * Tick.perSecond

  /// Each source's last sample, whose weight its next one decides.
  private var last: [TimedValue?] = []

  /// Takes the next sample; `value` is what is averaged in its place.
  mutating func add(_ sample: TimedValue, into tallies: inout Tallies) {
    while last.count <= sample.source { last.append(nil) }
    if let previous = last[sample.source] { Self.weigh(previous, next: sample.start, &tallies) }
    last[sample.source] = sample
  }

  /// Counts what is still held.
  mutating func finish(into tallies: inout Tallies) {
    for case let sample? in last { Self.weigh(sample, next: .max, &tallies) }
    last = []
  }

  private static func weigh(_ sample: TimedValue, next: Int64, _ tallies: inout Tallies) {
    let until = max(sample.end, min(next, sample.end + hold))
    tallies.change(from: sample.start, to: sample.end, source: sample.source) { tally, lower, upper in
      let time = min(until, upper) - max(sample.start, lower)
      if time > 0 { tally.weigh(sample.value, by: Double(time)) }
    }
  }
}
