import Basics
import Quantities

/// The unusable rows, reported with their lines.
struct RowFaults {
  private var first: [RecordingCaveat.DroppedRow] = []
  private(set) var count = 0

  mutating func note(_ line: Int, _ reason: String) {
    count += 1
    if first.count < 3 { first.append(.init(line: line, reason: reason)) }
  }

  var text: String { first.map { "line \($0.line): \($0.reason)" }.joined(separator: ", ") }

  /// The caveat on them; `nil` without any.
  func caveat(of rows: Int) -> RecordingCaveat? {
    count > 0 ? .rowsDropped(count: count, rows: rows, first: first) : nil
  }

  /// Why a file is rejected if most rows are unusable.
  func refusal(of rows: Int) -> String {
    let usable = rows - count
    let share = usable == 0 ? "none of its \(rows.counted("row"))" : "only \(usable) of its \(rows.counted("row"))"
    let remedy = usable == 0 ? "" : "; a file with so many others holds something else than intervals or heart rates"
    return "\(share) can be used: \(text)" + (count > first.count ? " and \(count - first.count) more" : "") + remedy
  }
}

/// Checks the unit of intervals.
enum IntervalUnits {
  private static let plausible = HeartInterval.plausible

  /// The caveat that the median interval is implausible; `nil` if it is plausible.
  static func caveat(_ series: IntervalSeries?) -> RecordingCaveat? {
    guard let known = series?.intervals.sorted(), !known.isEmpty else { return nil }
    let median = known[known.count / 2]
    return plausible.contains(median) ? nil : .implausibleIntervals(median_ms: median)
  }

  /// Converts intervals to milliseconds; a few that are in another unit than the others are dropped, with the line of
  /// each.
  ///
  /// - Parameters:
  ///   - intervals: the intervals as written; NaN for a missing one.
  ///   - lines: the line of each.
  ///   - said: the unit requested by the operator.
  ///   - named: the unit in the column's name.
  ///   - span: the seconds from the first to the last interval, if they have times.
  ///   - faults: collects the dropped intervals.
  /// - Returns: as many intervals as were given.
  /// - Throws: what the numbers look like: another unit, heart rates, two units, or times of beats.
  static func milliseconds(
    _ intervals: [Double], lines: [Int], said: ReadingOptions.TimeUnit?, named: ReadingOptions.TimeUnit?,
    span: Double? = nil, _ faults: inout RowFaults
  ) throws(Problem) -> [Double] {
    let unit = said ?? named ?? .milliseconds
    let factor = 1000 / unit.perSecond
    var converted = factor == 1 ? intervals : intervals.map { $0 * factor }
    let known = converted.filter(\.isFinite).sorted()
    guard !known.isEmpty else { return converted }
    let median = known[known.count / 2]
    let isPlausible = plausible.contains(median)
    if said == nil, let rising = RisingNumbers(intervals) {
      throw Problem(reason: "\(rising.problem(hasOption: true)), or say the unit of intervals with --interval-unit")
    }
    // The numbers that would be plausible in the other unit.
    let other: ReadingOptions.TimeUnit = unit == .seconds ? .milliseconds : .seconds
    let scale = unit == .seconds ? 0.001 : 1000
    let strangers = converted.indices.filter { plausible.contains(converted[$0] * scale) }
    let inUnit = known.count { plausible.contains($0) }
    if strangers.count >= max(3, known.count / 20), inUnit >= max(3, known.count / 20) {
      let (asMilliseconds, asSeconds) = unit == .milliseconds ? (inUnit, strangers.count) : (strangers.count, inUnit)
      throw Problem(
        reason: "its intervals are mixed: \(asMilliseconds) look like milliseconds and \(asSeconds) like seconds; "
          + "the first of the \(unit == .seconds ? "former" : "latter") is in line \(lines[strangers[0]]); "
          + "write all in one unit")
    }
    if isPlausible {
      if let reason = Waveform.problem(plausible: inUnit, of: known.count) { throw Problem(reason: reason) }
      if let reason = Waveform.problem(converted, span: span) { throw Problem(reason: reason) }
      for place in strangers {
        faults.note(lines[place], "\(shown(intervals[place])) is in another unit than the other intervals")
        converted[place] = .nan
      }
      return converted
    }
    // As a signal they look like one in any unit.
    if HeartInterval.possible.contains(median) || plausible.contains(median * scale) {
      let asIntervals = plausible.contains(median * scale) ? converted.map { $0 * scale } : converted
      if let reason = Waveform.problem(asIntervals, span: span) { throw Problem(reason: reason) }
    }
    let middle = "its intervals are \(shown(median / factor)) in the middle"
    if plausible.contains(median * scale) {
      let remedy =
        other == .milliseconds && said != nil
        ? "leave out --interval-unit s" : "say so with --interval-unit \(other.rawValue)"
      throw Problem(reason: "\(middle), which looks like \(other.name); \(remedy)")
    }
    let areWhole = intervals.allSatisfy { !$0.isFinite || $0 == $0.rounded() }
    let samples = areWhole ? ", and numbers of samples with --sampling-rate HZ" : ""
    if said != nil, HeartInterval.possible.contains(median) { return converted }
    if unit == .milliseconds, (24.0...240).contains(median) {
      throw Problem(
        reason: "\(middle), which looks like heart rates; a table with the columns “time” and “hr” has those; "
          + "intervals of so few milliseconds are read with --interval-unit ms" + samples)
    }
    throw Problem(
      reason: "\(middle), and no heart beats like that; intervals are in milliseconds, or in seconds with "
        + "--interval-unit s" + samples)
  }

  /// Why intervals cannot be read.
  struct Problem: Error { let reason: String }

  private static func shown(_ number: Double) -> String { number.shown }
}

/// Checks that heart rates are in beats per minute.
enum HeartRateUnits {
  /// The caveat that the median heart rate is implausible; `nil` if it is plausible.
  static func caveat(_ rates: [Double]) -> RecordingCaveat? {
    let sorted = rates.sorted()
    guard !sorted.isEmpty, case let median = sorted[sorted.count / 2],
      !QuantityType.heartRate.isPlausible(median, in: .countPerMinute)
    else { return nil }
    return .implausibleRates(median: median)
  }
}

/// Blank lines between the numbers of a single column.
///
/// pandas, R and Excel write a missing value as a blank line: each one is a missing beat, unless there is one after
/// every number, which is mere line spacing.
struct BlankLines {
  // The first blank line before the next number.
  private var pending: Int?
  private var gaps: [(place: Int, line: Int)] = []

  mutating func blank(_ line: Int) { pending = pending ?? line }

  /// Registers the number at an index.
  mutating func number(at place: Int) {
    if let pending, place > 0 { gaps.append((place, pending)) }
    pending = nil
  }

  /// Inserts a missing interval at each blank line.
  mutating func mark(_ intervals: inout [Double], _ lines: inout [Int]) {
    if intervals.count >= 3, gaps.count == intervals.count - 1 { gaps = [] }
    guard !gaps.isEmpty else { return }
    var (marked, markedLines): ([Double], [Int]) = ([], [])
    var next = gaps[...]
    for (place, interval) in intervals.enumerated() {
      if let gap = next.first, gap.place == place {
        marked.append(.nan)
        markedLines.append(gap.line)
        next.removeFirst()
      }
      marked.append(interval)
      markedLines.append(lines[place])
    }
    (intervals, lines) = (marked, markedLines)
  }

  /// The caveat on them; `nil` without any.
  var caveat: RecordingCaveat? {
    gaps.isEmpty ? nil : .blankLines(count: gaps.count, first: gaps.prefix(3).map(\.line))
  }
}

/// The decimal separator of a file's numbers: a point or a comma, but not both.
struct DecimalSigns {
  private var point: (line: Int, text: String)?
  private(set) var comma: (line: Int, text: String)?
  // The first two different numbers below zero.
  private var below: [(line: Int, number: Double)] = []

  /// Registers a negative interval or heart rate, which is invalid.
  mutating func note(negative number: Double, line: Int) {
    guard number < 0, below.count < 2, below.first?.number != number else { return }
    below.append((line, number))
  }

  /// Why a file with different negative numbers is rejected; a single one may be a missing-value code.
  var negatives: String? {
    guard below.count > 1 else { return nil }
    return Waveform.problem(belowZero: (below[0].number, below[0].line), (below[1].number, below[1].line))
  }

  /// Parses a number with either decimal separator; `nil` if it is not a number.
  mutating func number(_ text: Span<UInt8>, line: Int) -> Double? {
    if let number = Decimal.number(text) {
      if point == nil, text.indices.contains(where: { text[$0] == UInt8(ascii: ".") }) {
        point = (line, Self.text(text))
      }
      return number
    }
    guard let number = Decimal.number(text, comma: true) else { return nil }
    if comma == nil { comma = (line, Self.text(text)) }
    return number
  }

  /// Why a file with both separators is rejected.
  var problem: String? {
    guard let point, let comma else { return nil }
    return "“\(point.text)” in line \(point.line) has a decimal point, and “\(comma.text)” in line \(comma.line) a "
      + "comma; write all numbers alike, and thousands without a sign"
  }

  private static func text(_ bytes: Span<UInt8>) -> String {
    String(decoding: bytes.indices.prefix(24).map { bytes[$0] }, as: UTF8.self)
  }
}
