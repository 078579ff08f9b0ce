import Basics
import Quantities

extension HeartRecording {
  /// Reads the recordings of a table, one for each source that it names; at least one.
  static func table(
    _ pieces: consuming FilePieces, _ path: String, _ options: ReadingOptions
  ) throws(RecordingError) -> [HeartRecording] {
    var cutter = RowCutter()
    var table: TableOfBeats?
    try pieces.read { (bytes, isLast) throws(RecordingFault) in
      let (rows, fault) = cutter.take(bytes, isLast: isLast)
      for (index, row) in rows.enumerated() {
        guard let text = row.text else { throw RecordingFault(line: row.line, reason: "the row is not UTF-8") }
        guard text.contains(where: { !$0.isWhitespace }) else {
          table?.blank(line: row.line)
          continue
        }
        guard text.first != "#" else { continue }
        if table == nil {
          guard !TableRow.isSeparator(row.bytes) else { continue }
          let first = rows[(index + 1)...].compactMap(\.text)
          table = TableOfBeats(try TableColumns(text, rows: first, line: row.line, options), options)
        } else {
          try table?.take(text, row)
        }
      }
      if let fault { throw RecordingFault(line: fault.line, reason: "\(fault)") }
    }
    return try table?.recordings(path) ?? [nothing(path)]
  }
}

/// The rows of a table.
private struct TableOfBeats {
  private let columns: TableColumns
  private let options: ReadingOptions
  private var timeColumn: HeartColumn { columns.timeColumn }
  private let timeUnit: ReadingOptions.TimeUnit
  private var sources: [TableSource] = []
  private var places: [String: Int] = [:]
  private var faults = RowFaults()
  private var count = 0
  private var withoutContact = 0
  private var zeros = 0
  private var signs = DecimalSigns()
  // The first date, and the forms of times with the first line of each.
  private var zero: WallTime?
  private var clock = ClockTime()
  // The days beside times that are numbers: the first, the last, and how many days it is after the first.
  private var days: (first: WallTime, last: String, count: Int)?
  private var lastNumber: Double?
  private var dayProblem: String?
  private var maxNumberLength = 0.0
  private var withoutSeconds: (line: Int, text: String)?
  private var forms: [TimeForm: Int] = [:]
  private var values = TypedValues()
  private var strays = StrayTimes()
  private var owners: RowOwners
  private var lastLine = LastLine()
  // The ignored columns that rise from row to row as times do; only collected if there is no time column.
  private var rising: [RisingColumn] = []

  init(_ columns: TableColumns, _ options: ReadingOptions) {
    self.columns = columns
    self.options = options
    owners = RowOwners(columns)
    timeUnit = options.timeUnit ?? columns.unit(of: columns.timeColumn) ?? .seconds
    if columns[columns.timeColumn] == nil { rising = columns.unread.map { RisingColumn(column: $0) } }
  }

  // In a table with one column a blank line is a missing value.
  mutating func blank(line: Int) {
    if columns.count == 1, !sources.isEmpty { sources[0].blanks.blank(line) }
  }

  mutating func take(_ text: String, _ cut: RowCutter.Row) throws(RecordingFault) {
    let line = cut.line
    // With one column there is no delimiter, and a comma is a decimal comma.
    let fields =
      columns.count == 1 && !text.contains("\"")
      ? [text.filter { !$0.isWhitespace }] : TableRow.fields(of: text, columns.delimiter).map(\.text)
    func field(_ column: HeartColumn) -> String? {
      columns[column].flatMap { fields[$0].isEmpty || fields[$0] == "NA" ? nil : fields[$0] }
    }
    if columns.count == 1, fields == [""] { return blank(line: line) }
    count += 1
    lastLine.take(fields, of: columns.count, cut)
    guard fields.count == columns.count else {
      return leaveOut(line, "\(fields.count.counted("column")), where the header has \(columns.count)", nil)
    }
    for place in rising.indices { rising[place].take(fields[rising[place].column.place]) }
    let source = field(.source)
    if let contact = field(.contact), ["0", "false"].contains(contact.lowercased()) {
      withoutContact += 1
      return interrupt(source)
    }
    var row = TableSource.Row(line: line)
    if let reason = strays.problem(columns, fields) { throw RecordingFault(line: line, reason: reason) }
    do throws(RowFault) {
      row.time = try field(timeColumn).map { (text) throws(RowFault) in try time(text, field(.day), line) }
      row.interval = try field(.interval).map { (text) throws(RowFault) in
        try number(text, "interval", line) * millisecondsOfInterval
      }
      // Optical sensors of Polar send intervals between pulses with a heart rate of 0: none, and no loss of contact.
      if let text = field(.rate), !columns.isOfPulses || row.interval == nil || Decimal.number(text.utf8.span) != 0 {
        row.rate = try number(text, "heart rate", line)
      }
      if let symbol = field(.unit), let type = columns.typeOfUnit, let value = row.rate ?? row.interval {
        try take(value, type.identifier, symbol, into: &row)
      }
      if let value = field(.value), let type = field(.type) {
        try take(try number(value, "value", line), type, field(.unit), into: &row)
      }
    } catch {
      return leaveOut(line, error.reason, source)
    }
    if let reason = owners.problem(fields, time: row.time, line: line) {
      throw RecordingFault(line: line, reason: reason)
    }
    if forms.count > 1, case let ordered = forms.sorted(by: { $0.value < $1.value }) {
      throw RecordingFault(
        line: ordered[1].value,
        reason: "its time is a \(ordered[1].key.rawValue), and that of line \(ordered[0].value) a "
          + "\(ordered[0].key.rawValue); write all alike")
    }
    if columns[timeColumn] != nil, row.time == nil { return leaveOut(line, "no time", source) }
    // A missing interval leaves a gap; an empty row does not count.
    guard row.rate != nil || row.interval != nil || columns[.interval] != nil || columns[.beat] != nil else { return }
    sources[place(of: source)].take(row)
  }

  private mutating func place(of source: String?) -> Int {
    let place = places[source ?? ""] ?? sources.count
    if place == sources.count {
      places[source ?? ""] = place
      sources.append(TableSource(name: source))
    }
    return place
  }

  private mutating func leaveOut(_ line: Int, _ reason: String, _ source: String?) {
    faults.note(line, reason)
    interrupt(source)
  }

  // Marks a missing beat between the row before and the row after.
  private mutating func interrupt(_ source: String?) {
    if let place = places[source ?? ""] { sources[place].isInterrupted = true }
  }

  private struct RowFault: Error { let reason: String }

  private mutating func number(_ text: String, _ what: String, _ line: Int) throws(RowFault) -> Double {
    guard let number = signs.number(text.utf8.span, line: line) else {
      throw RowFault(reason: "the \(what) “\(text.prefix(24).visible)” is not a number")
    }
    guard number > 0 || what == "time" else {
      if what != "value" { signs.note(negative: number, line: line) }
      if what == "heart rate", number == 0 { zeros += 1 }
      throw RowFault(reason: "the \(what) \(number) is not above zero")
    }
    return number
  }

  /// How a time is written.
  private enum TimeForm: String {
    case number, date
    case clock = "time of day"
  }

  private mutating func time(_ text: String, _ day: String?, _ line: Int) throws(RowFault) -> Double {
    var local: String?
    if columns[.day] != nil {
      guard let day else { throw RowFault(reason: "a time without a day") }
      guard let date = CalendarText.day(day) else {
        throw RowFault(reason: "the day “\(day.prefix(24).visible)” is not one such as 2026-11-19")
      }
      if let number = signs.number(text.utf8.span, line: line) { return seconds(number, on: date, line) }
      local = CalendarText.instant(day: date, time: text)
      guard local != nil || WallTime(text) != nil || CalendarText.instant(text) != nil else {
        throw RowFault(reason: "the time “\(text.prefix(24).visible)” is not a time of day such as 10:00:00")
      }
    }
    local = local ?? CalendarText.instant(text)
    if let date = WallTime(text) ?? WallTime(text + "Z") ?? local.flatMap({ WallTime($0 + "Z") }) {
      forms[.date] = forms[.date] ?? line
      let first = zero ?? date
      zero = first
      return first.duration(to: date).seconds
    }
    if let time = clock.take(CalendarText.plainClock(text)) {
      if withoutSeconds == nil, CalendarText.clock(text)?.hasSeconds == false { withoutSeconds = (line, text) }
      forms[.clock] = forms[.clock] ?? line
      return Double(time) / 1e6
    }
    guard let number = signs.number(text.utf8.span, line: line) else {
      let shown = text.prefix(24).visible
      throw RowFault(
        reason:
          "the time “\(shown)” is neither a number nor a date such as 2026-11-20T10:00:00Z nor a time of day such "
          + "as 10:00:00")
    }
    forms[.number] = forms[.number] ?? line
    maxNumberLength = max(maxNumberLength, number / perSecond)
    return number / perSecond
  }

  // How many of the times' unit make a second.
  private var perSecond: Double {
    let countsSamples = columns[.beat] != nil && columns.unit(of: .beat) == nil
    return countsSamples ? options.samplingRate ?? timeUnit.perSecond : timeUnit.perSecond
  }

  /// The seconds of a number beside a day: those of one day count from anywhere, those of several from midnight.
  private mutating func seconds(_ number: Double, on date: String, _ line: Int) -> Double {
    forms[.number] = forms[.number] ?? line
    let seconds = number / perSecond
    if days?.last != date, let midnight = WallTime("\(date)T00:00:00Z") {
      let first = days?.first ?? midnight
      let count = Int((first.duration(to: midnight).seconds / 86_400).rounded())
      if days != nil, let lastNumber, seconds > lastNumber, seconds < lastNumber + 60 {
        dayProblem =
          dayProblem ?? "line \(line): its day is another one, and its time goes on; times of a day begin at midnight"
      }
      days = (first, date, count)
    }
    maxNumberLength = max(maxNumberLength, seconds)
    lastNumber = seconds
    if days?.count != 0, maxNumberLength > 86_401 {
      dayProblem = dayProblem ?? "line \(line): its day is another one, and the times are no seconds of a day"
    }
    return seconds + Double(days?.count ?? 0) * 86_400
  }

  private mutating func take(
    _ value: Double, _ type: String, _ symbol: String?, into row: inout TableSource.Row
  ) throws(RowFault) {
    switch values.value(value, type, symbol) {
    case .rate(let rate): row.rate = rate
    // Converted, because intervals are later taken to be in the common unit.
    case .interval(let interval): row.interval = interval * intervalUnit.perSecond / 1000
    case .other(let type, _): throw RowFault(reason: "\(type) is neither a heart rate nor an interval between beats")
    case .none(let reason): throw RowFault(reason: reason)
    }
  }

  // What intervals as numbers of samples are multiplied by.
  private var millisecondsOfInterval: Double {
    columns.unit(of: .interval) == nil ? options.samplingRate.map { 1000 / $0 } ?? 1 : 1
  }

  private var intervalUnit: ReadingOptions.TimeUnit {
    options.intervalUnit ?? columns.unit(of: .interval) ?? .milliseconds
  }

  // The maximum number of columns listed by name.
  private static let maxNamed = 12

  /// The caveats on ignored columns.
  private var unreadCaveats: [RecordingCaveat] {
    let unread = columns.unread
    let rising = rising.filter(\.looksLikeTime).map { RecordingCaveat.columnRises(column: $0.column.shown) }
    guard !unread.isEmpty else { return rising }
    return [.columnsNotRead(count: unread.count, first: unread.prefix(Self.maxNamed).map(\.shown))] + rising
  }

  /// The recordings, in the order of the sources.
  func recordings(_ path: String) throws(RecordingError) -> [HeartRecording] {
    func refuse(_ reason: String) -> RecordingError { .unreadable(path: path, reason: reason) }
    if let problem = signs.problem { throw refuse(problem) }
    if let dayProblem { throw refuse(dayProblem) }
    if case let parts = columns.partsOfTime, !parts.isEmpty, maxNumberLength < 60 {
      throw refuse(
        "its columns \(parts.map { "“\($0)”" }.joined(separator: ", ")) look like the parts of one time; write it in one "
          + "column “time”, such as 10:00:00")
    }
    if options.samplingRate != nil,
      ![HeartColumn.beat, .interval].contains(where: { columns[$0] != nil && columns.unit(of: $0) == nil })
    {
      throw refuse("--sampling-rate is for a column of beats or intervals without a unit, and it has none")
    }
    if let problem = signs.negatives { throw refuse(problem) }
    // A sensor without contact reports zeros.
    if (faults.count - zeros) * 2 > count { throw refuse(faults.refusal(of: count)) }
    if sources.isEmpty, faults.count > 0 { throw refuse(faults.refusal(of: count)) }
    let contact = withoutContact > 0 ? RecordingCaveat.noSkinContact(count: withoutContact, entry: .row) : nil
    let clocks = withoutSeconds.map { RecordingCaveat.withoutSeconds(time: $0.text, line: $0.line) }
    let caveats = [faults.caveat(of: count), lastLine.caveat, contact, clocks].compactMap(\.self) + unreadCaveats
    let unreadColumns = columns.unread.map { $0.name.isEmpty ? "column \($0.place + 1)" : $0.name }
    guard !sources.isEmpty else {
      var nothing = HeartRecording.nothing(path, caveats: caveats)
      nothing.unreadColumns = unreadColumns
      return [nothing]
    }
    let reading = TableSource.Reading(
      options: options, columns: columns, timeColumn: columns[timeColumn] == nil ? nil : timeColumn, timeUnit: timeUnit,
      hasDates: !forms.isEmpty && forms[.number] == nil)
    var recordings: [HeartRecording] = []
    for source in sources {
      do throws(IntervalUnits.Problem) {
        var recording = try source.recording(path, reading, count)
        recording.caveats = caveats + recording.caveats
        recording.unreadColumns = unreadColumns
        recordings.append(recording)
      } catch {
        throw refuse(error.reason)
      }
    }
    return recordings
  }
}

/// An ignored column that may hold times, whatever its name.
private struct RisingColumn {
  let column: TableColumns.Unread
  private var last: Double?
  private var count = 0
  private var isRising = true
  // Whether it numbers the rows.
  private var isIndex = true

  init(column: TableColumns.Unread) { self.column = column }

  mutating func take(_ text: String) {
    guard isRising else { return }
    guard let number = WallTime(text).map({ WallTime(milliseconds: 0).duration(to: $0).seconds }) ?? Double(text),
      number.isFinite, last.map({ number > $0 }) ?? true
    else {
      isRising = false
      return
    }
    if let last, number - last != 1 { isIndex = false }
    count += 1
    last = number
  }

  // Fewer rows may rise by chance.
  var looksLikeTime: Bool { isRising && !isIndex && count >= 10 }
}
