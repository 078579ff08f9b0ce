internal import Analysis
internal import Decimals
internal import Quantities
internal import Spelling
internal import Tables

extension Recording {
  /// The recordings of a table, one for each source that it names.
  static func table(_ path: String, _ options: ReadingOptions) throws(RecordingError) -> [Recording] {
    var cutter = RowCutter()
    var table: TableOfBeats?
    try FilePieces.read(path, path) { (bytes, isLast) throws(RecordingFault) in
      let (rows, fault) = cutter.take(bytes, isLast: isLast)
      for row in rows {
        guard let text = row.text else { throw RecordingFault(line: row.line, reason: "the row is not UTF-8") }
        guard text.contains(where: { !$0.isWhitespace }), text.first != "#" else { continue }
        if table == nil {
          table = TableOfBeats(try TableColumns(text, line: row.line), options)
        } else {
          table?.take(text, line: row.line)
        }
      }
      if let fault { throw RecordingFault(line: fault.line, reason: "\(fault)") }
    }
    return try table?.recordings(path) ?? []
  }
}

/// The rows of a table.
private struct TableOfBeats {
  /// A row's numbers.
  struct Row {
    var time: Double?
    var rate: Double?
    var interval: Double?
  }

  private struct Source {
    var name: String?
    var rows: [Row] = []
  }

  private let columns: TableColumns
  private let options: ReadingOptions
  private let hasDecimalComma: Bool
  private var sources: [Source] = []
  private var places: [String: Int] = [:]
  private var faults = RowFaults()
  private var count = 0
  private var withoutContact = 0
  private var zero: WallTime?
  private var units: [String: Unit] = [:]

  init(_ columns: TableColumns, _ options: ReadingOptions) {
    self.columns = columns
    self.options = options
    hasDecimalComma = columns.delimiter == ";"
  }

  mutating func take(_ text: String, line: Int) {
    count += 1
    let fields = TableRow.fields(of: text, columns.delimiter).map(\.text)
    guard fields.count == columns.count else {
      return faults.note(line, "\(fields.count) columns, where the header has \(columns.count)")
    }
    func field(_ column: TableColumns.Column) -> String? {
      columns[column].flatMap { fields[$0].isEmpty || fields[$0] == "NA" ? nil : fields[$0] }
    }
    if let contact = field(.contact), ["0", "false"].contains(contact.lowercased()) {
      withoutContact += 1
      return
    }
    var row = Row()
    do throws(RowFault) {
      row.time = try field(.time).map { (text) throws(RowFault) in try time(text) }
      row.rate = try field(.rate).map { (text) throws(RowFault) in try number(text, "heart rate") }
      row.interval = try field(.interval).map { (text) throws(RowFault) in try number(text, "interval") }
      if let value = field(.value), let type = field(.type) {
        try take(try number(value, "value"), type, field(.unit), into: &row)
      }
    } catch {
      return faults.note(line, error.reason)
    }
    if columns[.time] != nil, row.time == nil { return faults.note(line, "no time") }
    // An interval that is missing leaves a gap; a row without anything is none.
    guard row.rate != nil || row.interval != nil || columns[.interval] != nil else { return }
    if let rate = row.rate, rate <= 0 { row.rate = nil }
    let name = field(.source)
    let place = places[name ?? ""] ?? sources.count
    if place == sources.count {
      places[name ?? ""] = place
      sources.append(Source(name: name))
    }
    sources[place].rows.append(row)
  }

  private struct RowFault: Error { let reason: String }

  private func number(_ text: String, _ what: String) throws(RowFault) -> Double {
    guard let number = Decimal.number(text.utf8.span, comma: hasDecimalComma) else {
      throw RowFault(reason: "the \(what) “\(text.prefix(24).visible)” is not a number")
    }
    guard number > 0 || what == "time" else { throw RowFault(reason: "the \(what) \(number) is not above zero") }
    return number
  }

  private mutating func time(_ text: String) throws(RowFault) -> Double {
    if let date = WallTime(text) ?? WallTime(text + "Z") {
      let first = zero ?? date
      zero = first
      return first.duration(to: date).seconds
    }
    return try number(text, "time") / (columns.unit(of: .time) ?? options.timeUnit).perSecond
  }

  private mutating func take(
    _ value: Double, _ type: String, _ symbol: String?, into row: inout Row
  ) throws(RowFault) {
    guard let type = QuantityType(type) else {
      throw RowFault(reason: "the type “\(type.prefix(40).visible)” is not known")
    }
    let target: Unit
    switch type {
    case .heartRate: target = .countPerMinute
    case .rrInterval: target = .millisecond
    default: throw RowFault(reason: "\(type) is neither a heart rate nor an interval between beats")
    }
    guard let symbol else { throw RowFault(reason: "a value without a unit") }
    let unit: Unit
    do throws(QuantityError) {
      if let known = units[symbol] { unit = known } else { unit = try Unit(symbol) }
    } catch {
      throw RowFault(reason: "\(error)")
    }
    if units.count < 1000 { units[symbol] = unit }
    guard unit.isCompatible(with: target) else { throw RowFault(reason: "“\(symbol)” is no unit of \(type)") }
    let number = unit.convert(value, to: target)
    // Later on intervals are taken to be in the unit of the others.
    if type == .heartRate { row.rate = number } else { row.interval = number * intervalUnit.perSecond / 1000 }
  }

  private var intervalUnit: ReadingOptions.TimeUnit { columns.unit(of: .interval) ?? options.intervalUnit }

  /// The recordings, in the order of the sources.
  func recordings(_ path: String) throws(RecordingError) -> [Recording] {
    var recordings: [Recording] = []
    for source in sources { recordings.append(try recording(source, path)) }
    return recordings
  }

  private func recording(_ source: Source, _ path: String) throws(RecordingError) -> Recording {
    var remarks = faults.remarks(of: count)
    if withoutContact > 0 {
      remarks.append("\(Count.of(withoutContact, "row")) left out: the sensor did not touch the skin.")
    }
    var rows = source.rows
    let backwards = zip(rows, rows.dropFirst()).count { ($0.time ?? 0) > ($1.time ?? 0) }
    if backwards > 0 {
      remarks.append("\(Count.of(backwards, "row")) earlier than the row above; they are put in the order of time.")
      rows = rows.enumerated().sorted { ($0.element.time ?? 0, $0.offset) < ($1.element.time ?? 0, $1.offset) }
        .map(\.element)
    }
    let origin = rows.first?.time ?? 0
    // A clock's time of day is no time of a recording; what was counted from the beginning keeps its zero.
    let shift = origin.magnitude > 86_400 ? origin : 0
    if shift != 0 { remarks.append("Times are counted from the first row, at \(shift) s.") }
    let intervals = try IntervalUnits.milliseconds(rows.map { $0.interval ?? .nan }, intervalUnit, path)
    let rates = rows.compactMap { row in row.rate.flatMap { rate in row.time.map { ($0 - shift, rate) } } }
    try check(rates.map(\.1), rows, path)
    var beats: IntervalSeries?
    if intervals.contains(where: \.isFinite) {
      if columns[.time] == nil {
        beats = IntervalSeries(intervals)
      } else {
        var times = BeatTimes()
        for (row, interval) in zip(rows, intervals) where interval.isFinite {
          times.take([interval], end: (row.time ?? 0) - shift)
        }
        beats = times.series
      }
    }
    if let beats { remarks += beats.gapRemarks }
    return Recording(path: path, sensor: source.name, beats: beats, rates: HeartRates(rates), remarks: remarks)
  }

  /// Refuses heart rates and times that are in other units.
  private func check(_ rates: [Double], _ rows: [Row], _ path: String) throws(RecordingError) {
    let sorted = rates.sorted()
    if !sorted.isEmpty, case let median = sorted[sorted.count / 2], !(20...300).contains(median) {
      throw .unreadable(
        path: path,
        reason: "its heart rates are \(median) in the middle, and no heart beats like that; they are in beats a minute")
    }
    let steps = zip(rows, rows.dropFirst()).map { ($1.time ?? 0) - ($0.time ?? 0) }.filter { $0 > 0 }.sorted()
    guard columns[.time] != nil, zero == nil, !steps.isEmpty, case let step = steps[steps.count / 2] else { return }
    if step >= 100, options.timeUnit == .seconds, columns.unit(of: .time) == nil {
      throw .unreadable(
        path: path, reason: "its times are \(step) apart, which looks like milliseconds; say so with --time-unit ms")
    }
    if step < 0.01, (columns.unit(of: .time) ?? options.timeUnit) == .milliseconds {
      throw .unreadable(path: path, reason: "its times are \(step * 1000) ms apart, which looks like seconds")
    }
  }
}
