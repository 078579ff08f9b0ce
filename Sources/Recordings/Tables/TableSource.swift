import Basics

/// The rows of one source in a table.
struct TableSource {
  /// The numbers of a row.
  struct Row: Hashable {
    let line: Int
    var time: Double?
    var rate: Double?
    var interval: Double?
    /// Whether rows before it were dropped.
    var isAfterGap = false

    init(line: Int) { self.line = line }

    /// What makes two rows copies of each other.
    fileprivate struct Content: Hashable {
      let time: Double?
      let rate: Double?
      let interval: Double?
    }

    fileprivate var content: Content { Content(time: time, rate: rate, interval: interval) }
  }

  /// How to interpret a table's rows.
  struct Reading {
    let options: ReadingOptions
    let columns: TableColumns
    /// The column of times; `nil` if there is none.
    let timeColumn: HeartColumn?
    let timeUnit: ReadingOptions.TimeUnit
    let hasDates: Bool

    /// The unit of intervals, unless their values show another.
    var intervalUnit: ReadingOptions.TimeUnit {
      options.intervalUnit ?? columns.unit(of: .interval) ?? .milliseconds
    }
  }

  let name: String?
  var isInterrupted = false
  var blanks = BlankLines()
  private var rows: [Row] = []

  // A longer distance between two beats is a gap, in seconds.
  static let maxLength = 3.0

  init(name: String?) { self.name = name }

  mutating func take(_ row: Row) {
    var row = row
    row.isAfterGap = isInterrupted
    isInterrupted = false
    blanks.number(at: rows.count)
    rows.append(row)
  }

  /// Converts the rows to a recording.
  ///
  /// - Parameters:
  ///   - path: the table's path.
  ///   - reading: how to interpret the rows.
  ///   - count: the number of rows in the table.
  /// - Returns: the recording, with caveats on these rows only.
  /// - Throws: what the numbers look like instead.
  func recording(_ path: String, _ reading: Reading, _ count: Int) throws(IntervalUnits.Problem) -> HeartRecording {
    var rows = rows
    var caveats: [RecordingCaveat] = []
    if reading.timeColumn != nil {
      let backwards = zip(rows, rows.dropFirst()).count { ($0.time ?? 0) > ($1.time ?? 0) }
      if backwards > 0 {
        caveats.append(.outOfOrder(count: backwards, entry: .row))
        // Swift's sort is stable.
        rows.sort { ($0.time ?? 0) < ($1.time ?? 0) }
      }
      let repeated = Self.leaveOutCopies(&rows, 1000 / reading.intervalUnit.perSecond)
      if repeated > 0 { caveats.append(.repeated(count: repeated, entry: .row)) }
      try Self.check(rows, reading)
    }
    var faults = RowFaults()
    let isDerived = reading.columns.isOfBeats
    var lines = rows.map(\.line)
    var intervals = rows.map { $0.interval ?? .nan }
    var blanks = blanks
    if isDerived {
      intervals = Self.intervals(rows)
    } else {
      if reading.timeColumn == nil { blanks.mark(&intervals, &lines) }
      let missing = rows.count { $0.interval == nil && $0.rate == nil }
      if missing > 0, reading.timeColumn == nil {
        caveats.append(.intervalsMissing(count: missing))
      }
      let said = reading.options.samplingRate == nil ? reading.options.intervalUnit : .milliseconds
      intervals = try IntervalUnits.milliseconds(
        intervals, lines: lines, said: said, named: reading.columns.unit(of: .interval),
        span: Self.span(rows, reading), &faults)
    }
    let shift = Self.shift(rows.first, intervals.first, reading.hasDates)
    if shift != 0, !reading.hasDates {
      caveats.append(.timesShifted(by_s: shift))
    }
    let rates = HeartRates(rows.compactMap { row in row.rate.flatMap { rate in row.time.map { ($0 - shift, rate) } } })
    if let reason = HeartRateUnits.caveat(rates.values)?.implausibility {
      throw IntervalUnits.Problem(reason: "\(reason); heart rates are in beats per minute")
    }
    var beats: IntervalSeries?
    if intervals.contains(where: \.isFinite) {
      let ends = rows.map { ($0.time ?? 0) - shift }
      beats =
        reading.timeColumn == nil
        ? IntervalSeries(intervals)
        : isDerived
          // The first beat does not end an interval.
          ? IntervalSeries(
            Array(intervals.dropFirst()), ends: Array(ends.dropFirst()), gapTolerance: BeatPlacement.maxSlip)
          : IntervalSeries.rows(intervals, ends: ends)
      if !isDerived {
        caveats += [Waveform.caveat(intervals)].compactMap(\.self)
        if reading.timeColumn != nil { caveats += [Self.contradiction(intervals, ends, beats)].compactMap(\.self) }
      }
    }
    caveats += [faults.caveat(of: count), blanks.caveat, rates.sharedCaveat].compactMap(\.self)
    // Without times a gap has no length; its cause is reported instead.
    let gaps = reading.timeColumn == nil ? nil : beats?.gapCaveat
    caveats += [gaps, beats?.contradiction(of: rates)].compactMap(\.self)
    if beats == nil, rates.values.isEmpty { caveats.insert(.noSamples, at: 0) }
    var recording = HeartRecording(path: path, sensor: name, beats: beats, rates: rates, caveats: caveats)
    recording.hasTimes = reading.timeColumn != nil
    return recording
  }

  /// The time to subtract so that the recording begins at 0.
  ///
  /// Only dates and clock times are shifted: times that count from an event keep their zero.
  private static func shift(_ first: Row?, _ interval: Double?, _ hasDates: Bool) -> Double {
    guard let time = first?.time, hasDates || time.magnitude > 86_400 else { return 0 }
    guard let interval, interval.isFinite else { return time }
    return time - interval / 1000
  }

  /// Drops repeated rows and returns their number.
  ///
  /// Two equal intervals at one time may be two beats that were delivered together: then the time has room for both.
  ///
  /// - Parameters:
  ///   - rows: the rows in the order of time.
  ///   - milliseconds: how many milliseconds the unit of intervals has.
  /// - Returns: the number of dropped rows.
  private static func leaveOutCopies(_ rows: inout [Row], _ milliseconds: Double) -> Int {
    var isCopy = [Bool](repeating: false, count: rows.count)
    var known: Set<Row.Content> = []
    for place in rows.indices {
      if place > 0, rows[place].time != rows[place - 1].time { known.removeAll(keepingCapacity: true) }
      isCopy[place] = !known.insert(rows[place].content).inserted
    }
    guard isCopy.contains(true) else { return 0 }
    let timed = rows.indices.filter { rows[$0].interval != nil }
    if !timed.isEmpty {
      let areCopies = Repetition.isOne(
        ends: timed.map { rows[$0].time ?? 0 }, intervals: timed.map { (rows[$0].interval ?? 0) * milliseconds },
        isRepeated: timed.map { isCopy[$0] })
      if !areCopies { for place in timed { isCopy[place] = false } }
    }
    let copies = isCopy.count { $0 }
    rows = rows.indices.filter { !isCopy[$0] }.map { rows[$0] }
    return copies
  }

  /// The caveat on intervals that contradict their times: the times leave no room for them, or nearly every pair of
  /// beats is apart by the same multiple of its interval.
  ///
  /// Occasional extra time is a gap, not a contradiction.
  private static func contradiction(_ intervals: [Double], _ ends: [Double], _ series: IntervalSeries?)
    -> RecordingCaveat?
  {
    let known = intervals.indices.filter { intervals[$0].isFinite }
    guard known.count >= 5, let first = known.first, let last = known.last else { return nil }
    let needed = known.reduce(0) { $0 + intervals[$1] } / 1000
    let there = ends[last] - ends[first] + intervals[first] / 1000
    // Times in whole seconds may be off by one at either end.
    if needed > there * 1.05 + 2 { return .timesTooShort(intervals_s: needed, times_s: there) }
    let pairs = known.count - 1
    guard let series, series.breaks.count * 10 >= pairs * 9 else { return nil }
    let factors = zip(known, known.dropFirst()).map { (ends[$1] - ends[$0]) * 1000 / intervals[$1] }.sorted()
    let factor = factors[factors.count / 2]
    guard factors.count(where: { ($0 / factor - 1).magnitude <= 0.1 }) * 10 >= pairs * 9 else { return nil }
    return .timesOutOfScale(factor: factor)
  }

  /// The intervals between beats, in milliseconds; NaN where the preceding beat is missing.
  private static func intervals(_ rows: [Row]) -> [Double] {
    var last: Double?
    return rows.map { row in
      let interval = row.isAfterGap ? nil : last.flatMap { last in row.time.map { $0 - last } }
      last = row.time
      return interval.flatMap { $0 <= maxLength ? $0 * 1000 : nil } ?? .nan
    }
  }

  /// The seconds from the first to the last interval; `nil` without times.
  private static func span(_ rows: [Row], _ reading: Reading) -> Double? {
    let timed = rows.filter { $0.interval != nil }
    guard reading.timeColumn != nil, let first = timed.first?.time, let last = timed.last?.time else { return nil }
    return last - first
  }

  /// Rejects times that are in another unit.
  private static func check(_ rows: [Row], _ reading: Reading) throws(IntervalUnits.Problem) {
    guard !reading.hasDates else { return }
    let times = rows.map { $0.time ?? 0 }
    let isSaid = reading.options.timeUnit != nil || reading.timeColumn.flatMap { reading.columns.unit(of: $0) } != nil
    if reading.columns[.beat] != nil {
      let areSamples = reading.options.samplingRate != nil && reading.columns.unit(of: .beat) == nil
      let unit = areSamples ? .seconds : reading.timeUnit
      guard let problem = TimeSteps.problem(ofBeats: times, in: unit) else { return }
      if areSamples {
        throw IntervalUnits.Problem(reason: "\(problem.finding); check --sampling-rate, which is in samples a second")
      }
      throw IntervalUnits.Problem(
        reason: problem.unit.map {
          "\(problem.finding); say so with --time-unit \($0.rawValue)"
            + (problem.mayBeSamples ? ", or with --sampling-rate HZ that they are numbers of samples" : "")
        }
          ?? "\(problem.finding); times of beats are in seconds, or in milliseconds with --time-unit ms"
          + (problem.mayBeSamples ? ", or numbers of samples with --sampling-rate HZ" : ""))
    }
    guard let problem = TimeSteps.problem(ofRows: times, in: reading.timeUnit, isSaid: isSaid) else { return }
    let advice = problem.unit.map {
      isSaid
        ? "; say so with --time-unit \($0.rawValue)"
        : "; say so with --time-unit \($0.rawValue), or with --time-unit s that they are seconds"
    }
    throw IntervalUnits.Problem(reason: problem.finding + (advice ?? ""))
  }
}
