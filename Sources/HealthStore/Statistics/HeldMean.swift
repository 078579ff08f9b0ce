/// The time-weighted mean of a discrete type.
///
/// A sample counts for its own duration, and then for the time until its source's next sample starts, but at most for the
/// hold. Samples of one source with the same start share that time in equal parts, whatever their order. In an interval a
/// sample counts for the part of its time that lies there, and only in intervals in which the sample itself lies.
struct HeldMean {
  /// Apple publishes no rule; ours holds a value for as long as a chest strap may pause.
  static let hold: Int64 = 10 * Tick.perSecond

  /// Samples of one source that have the same start, with no later one so far.
  private struct Group {
    var start = Int64.min
    var count = 0
    /// The samples that end together; in the order of their ends.
    var ends: [(end: Int64, sum: Double, count: Int)] = []
  }

  /// The last group of each source, whose hold the source's next sample ends.
  private var groups: [Group] = []

  /// Takes the next sample; its value is what is averaged.
  mutating func add(_ sample: TimedValue, into interval: inout IntervalTally) {
    Self.weigh(sample, in: &interval)
    while groups.count <= sample.source { groups.append(Group()) }
    if groups[sample.source].start != sample.start {
      release(sample.source, at: sample.start, into: &interval)
      groups[sample.source].start = sample.start
      groups[sample.source].count = 0
      groups[sample.source].ends.removeAll(keepingCapacity: true)
    }
    groups[sample.source].count += 1
    let last = groups[sample.source].ends.count - 1
    if last >= 0, groups[sample.source].ends[last].end == sample.end {
      groups[sample.source].ends[last].sum += sample.value
      groups[sample.source].ends[last].count += 1
    } else {
      groups[sample.source].ends.append((sample.end, sample.value, 1))
    }
  }

  /// Counts a sample for the part of its own duration that lies in an interval.
  static func weigh(_ sample: TimedValue, in interval: inout IntervalTally) {
    let time = min(sample.end, interval.end) - max(sample.start, interval.start)
    if time > 0 { interval.change(sample.source) { $0.weigh(sample.value, by: Double(time)) } }
  }

  /// Counts what is held until the interval ends; samples that end later are held in the interval of their end.
  mutating func close(_ interval: inout IntervalTally) {
    let end = interval.end
    for source in groups.indices {
      release(source, at: end, into: &interval)
      groups[source].ends.removeAll { $0.end <= end }
    }
  }

  /// Counts how long a group's samples were held until a time in the interval.
  private func release(_ source: Int, at time: Int64, into interval: inout IntervalTally) {
    for (end, sum, count) in groups[source].ends {
      let held = min(time, end + Self.hold) - end
      guard held > 0 else { continue }
      let share = Double(held) / Double(groups[source].count)
      interval.change(source) { $0.weigh(sum: sum, of: count, by: share) }
    }
  }
}
