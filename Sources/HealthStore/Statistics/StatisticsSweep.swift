import Glibc
import Quantities

/// The first start and the last end of samples.
typealias TimeExtent = (start: Int64, end: Int64)

/// One pass over samples in the order of their starts, which counts everything that statistics ask for.
///
/// One interval is counted at a time. It is complete when a sample starts after it: then it is given away, and of what was
/// counted only the samples are kept that reach into the next one. However many intervals there are, they take no memory.
struct StatisticsSweep {
  private let style: AggregationStyle
  private let options: StatisticsOptions
  private let calendar: CalendarIntervals?
  /// The first start and the last end of all samples.
  private(set) var extent: TimeExtent?

  /// What is counted now, as long as a sample lies in it.
  private var interval: IntervalTally
  private var isOpen = false
  /// The samples that end after the interval, in the order of their starts.
  private var crossing: [TimedValue] = []
  private var sum = PrioritySum()
  private var mean = HeldMean()
  /// How far time is covered, by all sources and by each.
  private var coveredUntil = Int64.min
  private var sourcesCoveredUntil: [Int64] = []

  private let isArithmetic: Bool
  private let isHeld: Bool
  private let sumsSources: Bool

  init(_ style: AggregationStyle, _ options: StatisticsOptions, calendar: CalendarIntervals?) {
    self.style = style
    self.options = options
    self.calendar = calendar
    interval = IntervalTally(bySource: options.contains(.separateBySource))
    let averages = options.contains(.discreteAverage)
    isArithmetic = averages && style == .discreteArithmetic
    isHeld = averages && (style == .discreteTemporallyWeighted || style == .discreteEquivalentContinuousLevel)
    sumsSources = options.contains(.cumulativeSum) && options.contains(.separateBySource)
  }

  /// Takes the next sample, and gives the intervals that are complete before it.
  mutating func add(_ sample: TimedValue, _ body: (IntervalTally) throws -> Void) rethrows {
    extent = (extent?.start ?? sample.start, max(extent?.end ?? sample.end, sample.end))
    while isOpen, sample.start >= interval.end { try close(body) }
    if !isOpen { begin(around: sample.start) }
    count(sample)
    if isHeld { mean.add(averaged(sample), into: &interval) }
    if options.contains(.cumulativeSum) { sum.add(sample, into: &interval) }
    if sample.end > interval.end { crossing.append(sample) }
  }

  /// Gives the intervals that are left; nothing may be added after it.
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

  /// Gives the interval, and goes on to the next one where a sample reaches into it.
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
    // A day that a zone skipped has no length.
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

  /// The sample with what is averaged as its value: of levels, the energy.
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
