import Basics
import Quantities
import Recordings

/// A row of a table.
///
/// A header names the columns; the delimiter is a comma, a semicolon or a tab. Without a header there are one to four
/// columns: `hr`; `hr,rr`; `t,hr,rr`; `t,hr,rr,contact`. One field may hold several intervals, separated by `;` or
/// spaces. A field may be empty or in double quotes; `contact` is `1`, `0`, `true` or `false`, and a time is a number
/// or a date. If the delimiter is not a comma, numbers may have decimal commas.
enum CSVRow {
  // No header is that long.
  static let maxHeaderLength = 1000

  /// The values of a row other than its sample.
  struct Rest: Sendable {
    /// A value with its type and unit, to be converted to a rate or an interval.
    var value: Double?
    var type: String?
    var unit: String?
    /// The source that measured it.
    var source: String?
    /// The time in seconds, even of a row that is not a sample; `nil` for a date.
    var time: Double?
    /// The day of a row, and the time of day beside it.
    var day: String?
    var clockTime: String?
    /// The first day of times that are numbers.
    var firstDay: WallTime?
    /// The times of day before, which tell when a day has passed.
    var clock = ClockTime()

    /// Forgets the values of a row before the next one.
    mutating func clear() {
      (value, type, unit, source, time) = (nil, nil, nil, nil, nil)
      (day, clockTime) = (nil, nil)
    }
  }

  /// Parses a header line; `nil` if the line is not a header: it names neither rates, intervals, beats or contact nor
  /// values with their types nor a channel, or it names one of them twice.
  static func header(_ line: Span<UInt8>) -> RowReader.Header? {
    guard line.count <= maxHeaderLength, mayBeHeader(line),
      let text = String(validating: line.copied, as: UTF8.self)
    else { return nil }
    return RowReader.Header(TableColumns(text))
  }

  private static let beginnings = HeartColumn.beginnings(of: [.rate, .interval, .contact, .beat, .value, .type])
    .union(
      QuantityType.recordable.flatMap { [$0.channelName, $0.identifier, $0.healthKitIdentifier] }.map { name in
        let letters = Array(name.lowercased().utf8.prefix(2))
        return UInt16(letters[0]) << 8 | UInt16(letters[1])
      })

  /// Whether a field begins like a name that every header has; a cheap test that spares a flood of other lines the
  /// rest.
  private static func mayBeHeader(_ line: Span<UInt8>) -> Bool {
    var (first, letters): (UInt8, Int) = (0, 0)
    for index in line.indices {
      switch line[index] {
      case UInt8(ascii: ","), UInt8(ascii: ";"), 0x09: letters = 0
      case let letter where letter >= 0x80: return true
      case let letter
      where UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= letter:
        if letters == 1, beginnings.contains(UInt16(first) << 8 | UInt16(letter | 0x20)) { return true }
        first = letter | 0x20
        letters += 1
      default: continue
      }
    }
    return false
  }

  /// Whether a line only declares the delimiter of the others.
  static func isSeparator(_ line: Span<UInt8>) -> Bool { line.count <= 8 && TableRow.isSeparator(line.copied) }

  /// Parses a row into a sample.
  ///
  /// - Returns: why it cannot be parsed; `nil` on success.
  static func read(
    _ line: Span<UInt8>, header: RowReader.Header?, into sample: inout Sample, _ rest: inout Rest
  ) -> String? {
    let delimiter = header?.delimiter ?? UInt8(ascii: ",")
    let count = TableRow.count(of: line, delimiter)
    if let header {
      guard count == header.columns.count else {
        return "\(count) columns, where the header has \(header.columns.count)"
      }
    } else if count > 4 {
      return "\(count) columns without a header; expected hr, or hr,rr, or t,hr,rr"
    }
    var start = 0
    for column in 0..<count {
      let end = TableRow.end(of: line, from: start, delimiter)
      let content = if let header { header.columns.contents[column] } else { Self.content(column, of: count) }
      if let content, let problem = read(line, start, end, content, header, into: &sample, &rest) { return problem }
      if let channel = header?.channels[column],
        let problem = read(line, start, end, channel, header, into: &sample)
      {
        return problem
      }
      start = end + 1
    }
    return header?.columns[.day] == nil ? undated(line, header, rest) : place(into: &sample, &rest, header)
  }

  /// The time of a row with a day and a time of day.
  ///
  /// - Returns: why it has none; `nil` on success.
  private static func place(
    into sample: inout Sample, _ rest: inout Rest, _ header: RowReader.Header?
  ) -> String? {
    guard let written = rest.clockTime else { return nil }
    guard let day = rest.day else { return "a time without a day" }
    guard let iso = CalendarText.day(day), let midnight = WallTime("\(iso)T00:00:00Z") else {
      // The number of a day, or a word, is not needed beside times that are numbers.
      let hasCommas = header?.delimiter != UInt8(ascii: ",")
      if CalendarText.likeness(ofDay: day) == nil, let number = Decimal.number(written.utf8.span, comma: hasCommas) {
        sample.time = number * (header?.timeScale ?? 1)
        rest.time = sample.time
        return nil
      }
      return "the day “\(day.prefix(24).visible)” is not one such as 2026-11-19"
    }
    if let time = date(written.utf8.span) {
      sample.time = time
    } else if let instant = CalendarText.instant(day: iso, time: written).flatMap({ WallTime($0 + "Z") }) {
      sample.time = Double(instant.microseconds) / 1e6
    } else if let number = Decimal.number(written.utf8.span, comma: header?.delimiter != UInt8(ascii: ","))
      ?? Decimal.number(written.utf8.span)
    {
      let first = rest.firstDay ?? midnight
      rest.firstDay = first
      let seconds = number * (header?.timeScale ?? 1)
      guard midnight == first || (0...86_401).contains(seconds) else { return "its time is not a second of a day" }
      sample.time = seconds + first.duration(to: midnight).seconds
      rest.time = sample.time
    } else {
      return "the time “\(written.prefix(24).visible)” is neither a number nor a time of day such as 10:00:00"
    }
    return nil
  }

  /// Why a row is refused that has a time of day beside a day that is not read; `nil` for any other.
  private static func undated(_ line: Span<UInt8>, _ header: RowReader.Header?, _ rest: Rest) -> String? {
    guard rest.clockTime != nil, let header, !header.unread.isEmpty else { return nil }
    let fields = TableRow.fields(of: text(line, upTo: 1 << 16), header.columns.delimiter).map(\.text)
    var strays = StrayTimes()
    return strays.problem(header.columns, fields)
  }

  private static func content(_ column: Int, of count: Int) -> HeartColumn {
    switch count > 2 ? column - 1 : column {
    case -1: .time
    case 0: .rate
    case 1: .interval
    default: .contact
    }
  }

  private static func read(
    _ line: Span<UInt8>, _ from: Int, _ to: Int, _ column: HeartColumn, _ header: RowReader.Header?,
    into sample: inout Sample, _ rest: inout Rest
  ) -> String? {
    guard let (start, end) = trimmed(line, from, to) else { return nil }
    let hasCommas = header.map { $0.delimiter != UInt8(ascii: ",") } ?? false
    var position = start
    switch column {
    case .rate:
      guard let value = number(line, &position, hasCommas), position == end else { return notANumber(line, start, end) }
      sample.heartRate = value
    case .time where header?.columns[.day] != nil, .beat where header?.columns[.day] != nil:
      rest.clockTime = TableRow.unquoted(line.extracting(from..<to))
    case .day: rest.day = TableRow.unquoted(line.extracting(from..<to))
    case .time, .beat:
      if let value = number(line, &position, hasCommas), position == end {
        sample.time = value * (header?.timeScale ?? 1)
        rest.time = sample.time
      } else if let time = date(line.extracting(start..<end)) {
        sample.time = time
      } else if let time = rest.clock.take(CalendarText.plainClock(text(line.extracting(start..<end)))) {
        sample.time = Double(time) / 1e6
        rest.clockTime = ""
      } else {
        return notANumber(line, start, end)
      }
    case .interval:
      while true {
        guard let value = number(line, &position, hasCommas) else { return notANumber(line, start, end) }
        sample.rrIntervals.append(value * (header?.intervalScale ?? 1))
        let before = position
        while position < end, line[position] == UInt8(ascii: ";") || line[position] == 0x20 { position += 1 }
        if position == end { return nil }
        if position == before { return notANumber(line, start, end) }
      }
    case .contact:
      guard let value = truth(line.extracting(start..<end)) else {
        return "contact is \(excerpt(line.extracting(start..<end))); expected 1, 0, true or false"
      }
      sample.contact = value
    case .value:
      guard let value = number(line, &position, hasCommas), position == end else { return notANumber(line, start, end) }
      rest.value = value
    case .type: rest.type = TableRow.unquoted(line.extracting(from..<to))
    case .unit: rest.unit = TableRow.unquoted(line.extracting(from..<to))
    case .source: rest.source = TableRow.unquoted(line.extracting(from..<to))
    case .start, .end, .bundle, .version, .device, .id, .participant: break
    }
    return nil
  }

  private static func read(
    _ line: Span<UInt8>, _ from: Int, _ to: Int, _ channel: Channel, _ header: RowReader.Header?,
    into sample: inout Sample
  ) -> String? {
    guard let (start, end) = trimmed(line, from, to) else { return nil }
    var position = start
    guard let value = number(line, &position, header?.delimiter != UInt8(ascii: ",")), position == end else {
      return notANumber(line, start, end)
    }
    return sample.take(value, of: channel)
  }

  /// The bounds of a field without spaces and quotes; `nil` for a missing value.
  private static func trimmed(_ line: Span<UInt8>, _ from: Int, _ to: Int) -> (Int, Int)? {
    var start = from
    var end = to
    func isPadding(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "\"") }
    while start < end, isPadding(line[start]) { start += 1 }
    while end > start, isPadding(line[end - 1]) { end -= 1 }
    guard start < end else { return nil }
    // R and pandas write a missing value so.
    if end - start == 2, line[start] == UInt8(ascii: "N"), line[start + 1] == UInt8(ascii: "A") { return nil }
    return (start, end)
  }

  private static func number(_ line: Span<UInt8>, _ position: inout Int, _ hasCommas: Bool) -> Double? {
    let start = position
    let number = Decimal.read(line, &position)
    guard hasCommas, number != nil, position < line.count, line[position] == UInt8(ascii: ",") else { return number }
    position = start
    return Decimal.read(line, &position, comma: true)
  }

  // Seconds since 1970; a date without an offset is in UTC.
  private static func date(_ field: Span<UInt8>) -> Double? {
    guard field.count >= 10, field.count <= 40 else { return nil }
    let text = text(field)
    return (WallTime(text) ?? WallTime(text + "Z") ?? CalendarText.instant(text).flatMap { WallTime($0 + "Z") }).map {
      Double($0.microseconds) / 1e6
    }
  }

  private static func text(_ field: Span<UInt8>, upTo longest: Int = 40) -> String {
    field.count <= longest ? String(decoding: field.copied, as: UTF8.self) : ""
  }

  private static func truth(_ field: Span<UInt8>) -> Bool? {
    if field.count == 1 {
      return field[0] == UInt8(ascii: "1") ? true : field[0] == UInt8(ascii: "0") ? false : nil
    }
    return switch excerpt(field).lowercased() {
    case "“true”": true
    case "“false”": false
    default: nil
    }
  }

  private static func notANumber(_ line: Span<UInt8>, _ start: Int, _ end: Int) -> String {
    "\(excerpt(line.extracting(start..<end))) is not a number"
  }
}
