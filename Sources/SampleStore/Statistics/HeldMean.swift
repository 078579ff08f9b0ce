/// The time-weighted mean of a discrete type.
///
/// A sample is weighted by its own duration, plus the time until its source's next sample starts, at most `hold`.
/// Samples of one source with the same start share that time equally, whatever their order. In each interval a sample
/// is weighted by the part of its time that lies there, and only in intervals that contain some of the sample itself.
///
/// The samples of trials end with their recorders: `endsWithSteps` limits the hold to twice the usual step of the source's
/// samples, so that the last sample of each trial does not weigh as much as ten others. The usual step is the median of
/// the last ``maxSteps`` from one start to the next that are no longer than `hold`.
struct HeldMean {
  /// The longest hold, in ticks: Apple publishes no rule; this is as long as a chest strap may pause.
  static let hold: Int64 = 10 * EpochMicroseconds.perSecond

  /// Samples of one source with the same start, as long as no later one has followed.
  fileprivate struct Group {
    /// The last steps to this source's starts, and where the next one goes.
    var steps: [Int64] = []
    var nextStep = 0
    var start = Int64.min
    var count = 0
    /// The samples with a common end, ordered by end.
    var ends: [(end: Int64, sum: Double, count: Int)] = []
  }

  /// How many steps the usual one is taken of.
  static let maxSteps = 31

  /// Whether the hold ends with the usual step.
  let endsWithSteps: Bool

  init(endsWithSteps: Bool = false) { self.endsWithSteps = endsWithSteps }

  /// The last group of each source; the source's next sample ends its hold.
  private var groups: [Group] = []

  /// Adds the next sample, with the quantity to average as its value.
  mutating func add(_ sample: TimedValue, into interval: inout IntervalTally) {
    Self.weigh(sample, in: &interval)
    while groups.count <= sample.source { groups.append(Group()) }
    if groups[sample.source].start != sample.start {
      release(sample.source, at: sample.start, into: &interval)
      if endsWithSteps { groups[sample.source].takeStep(to: sample.start) }
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

  /// Adds a sample, weighted by the part of its own duration that lies in an interval.
  static func weigh(_ sample: TimedValue, in interval: inout IntervalTally) {
    let time = min(sample.end, interval.end) - max(sample.start, interval.start)
    if time > 0 { interval.change(sample.source) { $0.weigh(sample.value, by: Double(time)) } }
  }

  /// Adds what is held until the interval ends; samples that end later are held in the interval that contains their
  /// end.
  mutating func close(_ interval: inout IntervalTally) {
    let end = interval.end
    for source in groups.indices {
      release(source, at: end, into: &interval)
      groups[source].ends.removeAll { $0.end <= end }
    }
  }

  /// Adds a group's samples, weighted by how long they were held until a time in the interval.
  private func release(_ source: Int, at time: Int64, into interval: inout IntervalTally) {
    let hold = endsWithSteps ? groups[source].hold : Self.hold
    for (end, sum, count) in groups[source].ends {
      let held = min(time, end + hold) - end
      guard held > 0 else { continue }
      let share = Double(held) / Double(groups[source].count)
      interval.change(source) { $0.weigh(sum: sum, of: count, by: share) }
    }
  }
}

extension HeldMean.Group {
  /// Notes the step from the last start to the next one, unless it is a gap.
  fileprivate mutating func takeStep(to next: Int64) {
    guard start != .min, case let step = next - start, step > 0, step <= HeldMean.hold else { return }
    if steps.count < HeldMean.maxSteps { steps.append(step) } else { steps[nextStep] = step }
    nextStep = (nextStep + 1) % HeldMean.maxSteps
  }

  /// Twice the usual step, at most the longest hold; that too where no step is known.
  fileprivate var hold: Int64 {
    guard !steps.isEmpty else { return HeldMean.hold }
    return min(HeldMean.hold, 2 * steps.sorted()[(steps.count - 1) / 2])
  }
}
