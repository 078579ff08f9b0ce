import Basics
import Foundation
import Quantities
import Testing

@testable import SampleStore

/// How many random cases are tried; Scripts/fuzz statistics asks for more.
private let cases = ProcessInfo.processInfo.environment["STATION_STATISTICS_CASES"].flatMap { Int($0) } ?? 6000
private let seed = ProcessInfo.processInfo.environment["STATION_STATISTICS_SEED"].flatMap { UInt64($0) } ?? 20_261_121

@Suite("Statistics of random samples")
struct StatisticsPropertyTests {
  static let zones = [
    "UTC", "Europe/Amsterdam", "America/New_York", "America/Sao_Paulo", "America/Havana", "Australia/Lord_Howe",
    "Asia/Kolkata", "Pacific/Auckland", "Africa/Casablanca", "Asia/Tehran",
  ]

  @Test("One pass gives what the slow reference gives", arguments: 0..<8)
  func sweep(part: Int) throws {
    for number in 0..<(cases / 8) {
      var generator = SeededGenerator(seed: seed &+ UInt64(part * 1_000_000_007 + number))
      let problem = try RandomProblem(using: &generator)
      let difference = problem.difference()
      try #require(difference == nil, "seed \(seed), part \(part), case \(number): \(difference ?? ""); \(problem)")
    }
  }
}

/// Samples, a calendar and options drawn at random.
private struct RandomProblem: CustomStringConvertible {
  var samples: [TimedValue] = []
  let style: AggregationStyle
  let calendar: CalendarIntervals?

  init(using generator: inout SeededGenerator) throws {
    style = try #require(AggregationStyle.allCases.randomElement(using: &generator))
    let steps = ["second", "7 seconds", "minute", "hour", "5 hours", "day", "2 days", "week", "month", "year"]
    let step = try IntervalComponents(#require(steps.randomElement(using: &generator)))
    let zone = try Basics.TimeZone(#require(StatisticsPropertyTests.zones.randomElement(using: &generator)))
    let start = Int64.random(in: 0..<1_600_000_000, using: &generator) * 1_000_000
    let anchor = start + Int64.random(in: -40_000_000...40_000_000, using: &generator) * 1_000_000
    calendar =
      Int.random(in: 0..<8, using: &generator) == 0 ? nil : CalendarIntervals(anchor: anchor, step: step, zone: zone)
    let seconds = step.months * 2_592_000 + step.days * 86_400 + step.seconds
    let length = Int64(seconds) * 1_000_000
    let grain = try #require([Int64(1), 1_000_000, max(length / 8, 1)].randomElement(using: &generator))
    for _ in 0..<Int.random(in: 1...9, using: &generator) {
      let from = start + Int64.random(in: 0...length, using: &generator) / grain * grain
      let lasts = Int64.random(in: 0...(length * 2), using: &generator) / grain * grain
      samples.append(
        TimedValue(
          start: from, end: from + (Bool.random(using: &generator) ? lasts : 0),
          value: Double(Int.random(in: 0...200, using: &generator)), source: Int.random(in: 0..<3, using: &generator)))
    }
    // Some samples begin together, as rows of a table with whole seconds do.
    for index in samples.indices.dropFirst() where Int.random(in: 0..<4, using: &generator) == 0 {
      let length = samples[index].end - samples[index].start
      samples[index].start = samples[index - 1].start
      samples[index].end = samples[index].start + length
    }
    samples.sort { $0.start < $1.start }
  }

  var description: String { "\(style) \(calendar.map { "\($0.anchor) \($0.step) \($0.zone)" } ?? "–") \(samples)" }

  /// The last end of any sample.
  private var latest: Int64 { samples.reduce(.min) { max($0, $1.end) } }

  /// The first value in which the sweep and the reference differ.
  func difference() -> String? {
    let discrete: StatisticsOptions = [.discreteAverage, .discreteMin, .discreteMax]
    let options: StatisticsOptions = style == .cumulative ? .cumulativeSum : discrete
    var sweep = StatisticsSweep(style, options.union([.separateBySource, .mostRecent, .duration]), calendar: calendar)
    var intervals: [IntervalTally] = []
    for sample in samples { sweep.add(sample) { intervals.append($0) } }
    sweep.finish { intervals.append($0) }
    // Intervals come in the order of time, each once.
    guard zip(intervals, intervals.dropFirst()).allSatisfy({ $0.index < $1.index }) else { return "the order" }
    let reference = StatisticsReference(samples: samples, style: style)
    for interval in intervals {
      if interval.start > Int64.min, let difference = edges(interval) { return difference }
      for source in [nil, 0, 1, 2] {
        let place = source.map { interval.sourceRanks.firstIndex(of: $0) ?? .max }
        let tally = place.map { $0 < interval.sources.count ? interval.sources[$0] : Tally() } ?? interval.overall
        if let difference = compare(tally, reference, interval, source) {
          return "interval \(interval.index), source \(source ?? -1): \(difference)"
        }
      }
    }
    let found = Set(intervals.map(\.index))
    guard let calendar else { return found == [0] ? nil : "intervals \(found)" }
    let all = calendar.index(of: samples[0].start)...calendar.index(of: latest)
    for index in all where !found.contains(index) {
      if !reference.members(calendar.edge(index), calendar.edge(index + 1), source: nil).isEmpty {
        return "interval \(index) is missing"
      }
    }
    return nil
  }

  private func compare(
    _ tally: Tally, _ reference: StatisticsReference, _ interval: IntervalTally, _ source: Int?
  ) -> String? {
    let (lower, upper) = (interval.start, interval.end)
    // Without a calendar the reference needs edges that can be subtracted from each other.
    let (from, to) = calendar == nil ? (samples[0].start - 1, latest + 100_000_000) : (lower, upper)
    let members = reference.members(from, to, source: source)
    if tally.count != members.count { return "count \(tally.count), not \(members.count)" }
    guard !members.isEmpty else { return nil }
    func differ(_ name: String, _ ours: Double?, _ theirs: Double?) -> String? {
      if ours == nil && theirs == nil { return nil }
      guard let ours, let theirs, abs(ours - theirs) <= 1e-9 * max(1, abs(theirs)) else {
        return "\(name) \(ours as Any), not \(theirs as Any)"
      }
      return nil
    }
    let last = reference.mostRecent(from, to, source: source)
    let isSame = tally.mostRecent.map { $0.start == last?.start && $0.end == last?.end } ?? false
    return differ("minimum", tally.minimum, reference.minimum(from, to, source: source))
      ?? differ("maximum", tally.maximum, reference.maximum(from, to, source: source))
      ?? differ("covered", Double(tally.covered), Double(reference.covered(from, to, source: source)))
      ?? (isSame ? nil : "most recent \(tally.mostRecent as Any), not \(last as Any)")
      ?? (style == .cumulative
        ? differ("sum", tally.sum, reference.sum(from, to, source: source))
        : differ("mean", StatisticsSweep.mean(tally, style), reference.mean(from, to, source: source)))
  }

  /// Until here, the start of 2025 in ticks, the system's time zones and Foundation's own agree: of later clocks one may
  /// know what the other does not.
  private static let settled: Int64 = 1_735_689_600_000_000

  /// The calendar's edges by Foundation's calendar, which shares no code with ours.
  private func edges(_ interval: IntervalTally) -> String? {
    guard let calendar else { return nil }
    var reference = Calendar(identifier: .gregorian)
    guard let zone = Foundation.TimeZone(identifier: calendar.zone.name) else { return "no \(calendar.zone)" }
    reference.timeZone = zone
    let anchor = Date(timeIntervalSince1970: Double(calendar.anchor) / 1e6)
    for (index, edge) in [(interval.index, interval.start), (interval.index + 1, interval.end)]
    where edge < Self.settled {
      let (months, days) = (calendar.step.months * index, calendar.step.days * index)
      let components = DateComponents(month: months, day: days, second: calendar.step.seconds * index)
      guard let date = reference.date(byAdding: components, to: anchor) else { return "no edge \(index)" }
      let expected = Int64((date.timeIntervalSince1970 * 1e6).rounded())
      if expected == edge { continue }
      // Two years before a 29 February Foundation finds 1 March, and a year after it 28 February: ours is always the latter.
      if months < 0, reference.dateComponents([.month, .day], from: anchor) == DateComponents(month: 2, day: 29) {
        continue
      }
      // A time that clocks show twice: ours is the first, Foundation's the second when it counts backwards.
      let parts: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]
      let ours = reference.dateComponents(parts, from: Date(timeIntervalSince1970: Double(edge) / 1e6))
      guard edge < expected, index < 0, ours == reference.dateComponents(parts, from: date) else {
        return "edge \(index) is \(edge), Foundation's \(expected)"
      }
    }
    return nil
  }
}
