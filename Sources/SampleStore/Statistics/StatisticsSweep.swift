import Glibc
import Quantities

/// The first start and the last end of samples.
typealias TimeExtent = (start: Int64, end: Int64)

/// One pass over samples in order of their starts, which computes all requested statistics.
///
/// The sweep tallies one interval at a time. An interval is complete when a sample starts after it; it is then passed
/// on, and only the samples that extend into the next one are kept. Memory therefore does not depend on the number of
/// intervals.
struct StatisticsSweep {
  private let style: AggregationStyle
  private let options: StatisticsOptions
  private let calendar: CalendarIntervals?
  /// The first start and the last end of all samples.
  private(set) var extent: TimeExtent?

  /// The current interval, once a sample lies in it.
  private var interval: IntervalTally
  private var isOpen = false
  /// The samples that end after the interval, in order of their starts.
  private var crossing: [TimedValue] = []
  private var sum = PrioritySum()
  private var mean: HeldMean
  /// The end of the covered time, overall and by source.
  private var coveredUntil = Int64.min
  private var sourcesCoveredUntil: [Int64] = []

  private let isArithmetic: Bool
  private let isHeld: Bool
  private let sumsSources: Bool

  // `ofTrials`: the samples are chosen by trial, and held values end with their usual step.
  init(
    _ style: AggregationStyle, _ options: StatisticsOptions, calendar: CalendarIntervals?, ofTrials: Bool = false
  ) {
    mean = HeldMean(endsWithSteps: ofTrials)
    self.style = style
    self.options = options
    self.calendar = calendar
    interval = IntervalTally(bySource: options.contains(.separateBySource))
    let averages = options.contains(.discreteAverage)
    isArithmetic = averages && style == .discreteArithmetic
    isHeld = averages && (style == .discreteTemporallyWeighted || style == .discreteEquivalentContinuousLevel)
    sumsSources = options.contains(.cumulativeSum) && options.contains(.separateBySource)
  }

  /// Adds the next sample, and passes on the intervals that are complete before it.
  mutating func add(_ sample: TimedValue, _ body: (IntervalTally) throws -> Void) rethrows {
    extent = (extent?.start ?? sample.start, max(extent?.end ?? sample.end, sample.end))
    while isOpen, sample.start >= interval.end { try close(body) }
    if !isOpen { begin(around: sample.start) }
    count(sample)
    if isHeld { mean.add(averaged(sample), into: &interval) }
    if options.contains(.cumulativeSum) { sum.add(sample, into: &interval) }
    if sample.end > interval.end { crossing.append(sample) }
  }

  /// Passes on the remaining intervals; no sample may be added afterwards.
  mutating func finish(_ body: (IntervalTally) throws -> Void) rethrows {
    while isOpen { try close(body) }
  }

  /// The mean of a tally in the type's unit.
  static func mean(_ tally: Tally, _ style: AggregationStyle) -> Double? {
    style == .discreteEquivalentContinuousLevel ? tally.mean.map { 10 * log10($0) } : tally.mean
  }

  // MARK: Intervals

  private mutating func begin(around tick: Int64) {
    isOpen = true
    guard let calendar else { return interval.begin(0, from: .min, to: .max) }
    let index = calendar.index(of: tick)
    interval.begin(index, from: calendar.edge(index), to: calendar.edge(index + 1))
  }

  /// Passes on the interval, and begins the next one if a sample extends into it.
  private mutating func close(_ body: (IntervalTally) throws -> Void) rethrows {
    sum.close(&interval)
    mean.close(&interval)
    try body(interval)
    let start = interval.end
    crossing.removeAll { $0.end <= start }
    guard let calendar, !crossing.isEmpty else {
      isOpen = false
      return
    }
    var index = interval.index + 1
    var end = calendar.edge(index + 1)
    // A day that the time zone skipped is empty.
    while end <= start {
      index += 1
      end = calendar.edge(index + 1)
    }
    interval.begin(index, from: start, to: end)
    for sample in crossing {
      count(sample)
      if isHeld { HeldMean.weigh(averaged(sample), in: &interval) }
    }
  }

  // MARK: Samples

  /// Counts the part of a sample that lies in the interval.
  private mutating func count(_ sample: TimedValue) {
    let share = isArithmetic || sumsSources ? sample.share(from: interval.start, to: interval.end) : 1
    let isArithmetic = isArithmetic
    interval.change(sample.source) { tally in
      tally.meet(sample)
      if isArithmetic { tally.weigh(sample.value, by: share) }
    }
    if sumsSources { interval.change(sample.source, .source) { $0.sum += sample.value * share } }
    if options.contains(.duration) { cover(sample) }
  }

  /// The sample with the quantity to average as its value: for sound levels, the energy.
  private func averaged(_ sample: TimedValue) -> TimedValue {
    guard style == .discreteEquivalentContinuousLevel else { return sample }
    var sample = sample
    sample.value = pow(10, sample.value / 10)
    return sample
  }

  private mutating func cover(_ sample: TimedValue) {
    let start = max(sample.start, interval.start)
    let end = min(sample.end, interval.end)
    let time = end - max(start, coveredUntil)
    if time > 0 { interval.change(sample.source, .overall) { $0.covered += time } }
    coveredUntil = max(coveredUntil, end)
    guard options.contains(.separateBySource) else { return }
    while sourcesCoveredUntil.count <= sample.source { sourcesCoveredUntil.append(.min) }
    let own = end - max(start, sourcesCoveredUntil[sample.source])
    if own > 0 { interval.change(sample.source, .source) { $0.covered += own } }
    sourcesCoveredUntil[sample.source] = max(sourcesCoveredUntil[sample.source], end)
  }
}
