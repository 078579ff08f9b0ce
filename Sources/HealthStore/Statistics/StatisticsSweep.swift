import Glibc
import Quantities

/// One pass over samples in the order of their starts, which counts everything that statistics ask for.
struct StatisticsSweep {
  private let style: AggregationStyle
  private let options: StatisticsOptions
  private(set) var tallies: Tallies
  /// The first start and the last end of all samples.
  private(set) var extent: (start: Int64, end: Int64)?
  private var sum = PrioritySum()
  private var mean = HeldMean()
  /// How far time is covered, by all sources and by each.
  private var coveredUntil = Int64.min
  private var sourcesCoveredUntil: [Int64] = []

  init(_ style: AggregationStyle, _ options: StatisticsOptions, calendar: CalendarIntervals?) {
    self.style = style
    self.options = options
    tallies = Tallies(calendar: calendar, bySource: options.contains(.separateBySource))
  }

  /// Takes the next sample.
  mutating func add(_ sample: TimedValue) {
    extent = (extent?.start ?? sample.start, max(extent?.end ?? sample.end, sample.end))
    let averages = options.contains(.discreteAverage)
    let isArithmetic = averages && style == .discreteArithmetic
    let sums = options.contains(.cumulativeSum) && options.contains(.separateBySource)
    tallies.change(from: sample.start, to: sample.end, source: sample.source) { tally, lower, upper in
      tally.meet(sample)
      if isArithmetic { tally.weigh(sample.value, by: sample.share(from: lower, to: upper)) }
    }
    if sums {
      tallies.change(from: sample.start, to: sample.end, source: sample.source, scope: .source) { tally, lower, upper in
        tally.sum += sample.value * sample.share(from: lower, to: upper)
      }
    }
    if averages, style == .discreteTemporallyWeighted || style == .discreteEquivalentContinuousLevel {
      var sample = sample
      if style == .discreteEquivalentContinuousLevel { sample.value = pow(10, sample.value / 10) }
      mean.add(sample, into: &tallies)
    }
    if options.contains(.cumulativeSum) { sum.add(sample, into: &tallies) }
    if options.contains(.duration) { cover(sample) }
  }

  /// Counts what is still held; nothing may be added after it.
  mutating func finish() {
    sum.finish(into: &tallies)
    mean.finish(into: &tallies)
  }

  /// The mean of a tally in the type's unit.
  func mean(_ tally: Tally) -> Double? {
    style == .discreteEquivalentContinuousLevel ? tally.mean.map { 10 * log10($0) } : tally.mean
  }

  private mutating func cover(_ sample: TimedValue) {
    cover(sample, after: coveredUntil, .overall)
    coveredUntil = max(coveredUntil, sample.end)
    guard options.contains(.separateBySource) else { return }
    while sourcesCoveredUntil.count <= sample.source { sourcesCoveredUntil.append(.min) }
    cover(sample, after: sourcesCoveredUntil[sample.source], .source)
    sourcesCoveredUntil[sample.source] = max(sourcesCoveredUntil[sample.source], sample.end)
  }

  private mutating func cover(_ sample: TimedValue, after covered: Int64, _ scope: Tallies.Scope) {
    let start = max(sample.start, covered)
    guard start < sample.end else { return }
    tallies.change(from: start, to: sample.end, source: sample.source, scope: scope) { tally, lower, upper in
      tally.covered += min(sample.end, upper) - max(start, lower)
    }
  }
}
