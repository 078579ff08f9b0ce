import Basics
import Quantities

/// Makes samples of a table's rows.
final class TableRows {
  private let header: TableHeader
  private let options: ImportOptions
  private let file: String
  private let hasDecimalComma: Bool
  private var clock = ClockTime()
  private var strays = StrayTimes()
  private var metadata: [String?: Metadata] = [:]
  private var types: [String: QuantityType] = [:]
  private var units = WrittenUnits()

  // Different names that are kept; a file with more only gets slow.
  private static let maxNames = 1000

  init(_ header: TableHeader, _ options: ImportOptions, file: String) {
    self.header = header
    self.options = options
    self.file = file
    hasDecimalComma = options.decimalComma ?? (header.delimiter == ";")
  }

  /// The metadata of a participant's samples.
  private func metadata(of participant: String?) throws(Refusal) -> Metadata {
    if let known = metadata[participant] { return known }
    if let participant, !StudyCode.isLegal(participant) {
      throw Refusal(
        reason:
          "the participant “\(participant.prefix(64))” is not a code, which has letters, digits and “+” only, 64 at "
          + "most; rename it, such as “\(participant.filter { StudyCode.isLegal(String($0)) }.prefix(64))”")
    }
    let texts = [Metadata.Key.participant: participant, Metadata.Key.timeZone: options.localTime?.zone]
    let made: Metadata
    do throws(QuantityError) {
      made = try Metadata(texts.compactMapValues { $0.map { .string($0) } })
    } catch {
      throw Refusal(reason: "\(error)")
    }
    if metadata.count < Self.maxNames { metadata[participant] = made }
    return made
  }

  /// The sample of a row.
  func sample(_ fields: [String]) throws(Refusal) -> QuantitySample {
    func text(_ column: HeartColumn) -> String? {
      header[column].flatMap { fields[$0].isEmpty ? nil : fields[$0] }
    }
    let type = try type(text(.type))
    let unit = try unit(text(.unit), of: type)
    guard let number = text(.value) else { throw Refusal(reason: "no value") }
    guard var value = self.number(number) else { throw Refusal(reason: notANumber(number)) }
    if let rate = options.samplingRate { value *= 1000 / rate }
    guard let beginning = text(.time) ?? text(.start) else { throw Refusal(reason: "no time") }
    if let reason = strays.problem(header.columns, fields) { throw Refusal(reason: reason) }
    let day = try day(text(.day))
    let start = try time(beginning, day)
    let end = try text(.end).map { text throws(Refusal) in try time(text, day) } ?? start
    let source = text(.source) ?? options.source
    let name = source ?? file
    let revision = SourceRevision(
      source: Source(name: name, bundleIdentifier: text(.bundle) ?? "table:\(name)"), version: text(.version))
    let device = text(.device).map { Device(name: $0) }
    let participant = text(.participant) ?? options.participant
    let metadata = try metadata(of: participant)
    let sample: QuantitySample
    do throws(QuantityError) {
      // A percent in a table is a hundredth.
      let quantity = try Quantity(plain: value, unit)
      var identity = Identity("table/2")
      identity.append(participant: participant)
      identity.append(source)
      if let id = text(.id) {
        identity.append(id)
      } else {
        identity.append(type.identifier)
        identity.append(device)
        identity.append(start)
        identity.append(end)
        // A unit that does not fit is refused with the sample, in HealthKit's words.
        let fits = quantity.isCompatible(with: type.canonicalUnit)
        identity.append(fits ? try quantity.value(in: type.canonicalUnit) : 0)
      }
      sample = try QuantitySample(
        uuid: text(.id).map { UUID($0) ?? identity.uuid } ?? identity.uuid(at: start), type: type, quantity: quantity,
        start: start, end: end,
        sourceRevision: revision, device: device, metadata: metadata)
    } catch {
      throw Refusal(reason: "\(error)")
    }
    return try sample.kept()
  }

  private func type(_ name: String?) throws(Refusal) -> QuantityType {
    guard let name else {
      guard let type = header.measure?.type ?? options.type else { throw Refusal(reason: "no type") }
      return type
    }
    if let type = types[name] { return type }
    guard let type = QuantityType(healthKit: name) else {
      let advice = Spelling.advice(
        for: name, among: QuantityType.all.map(\.identifier), aliases: QuantityType.otherHealthKitNames)
      throw Refusal(reason: "the type “\(name.prefix(64))” is not known; \(advice)")
    }
    if types.count < Self.maxNames { types[name] = type }
    return type
  }

  private func unit(_ text: String?, of type: QuantityType) throws(Refusal) -> Unit {
    guard let text else {
      guard let unit = header.measure?.unit ?? options.unit else { throw Refusal(reason: "no unit") }
      return unit
    }
    do throws(QuantityError) { return try units.unit(text, of: type) } catch { throw Refusal(reason: "\(error)") }
  }

  private func number(_ text: String) -> Double? {
    Decimal.number(text.utf8.span, comma: hasDecimalComma)
  }

  private func notANumber(_ text: String) -> String {
    let other: Character = hasDecimalComma ? "." : ","
    let mark = hasDecimalComma ? "comma" : "point"
    let isUsual = options.decimalComma == nil
    return "the value “\(text.prefix(40))” is not a number"
      + (text.contains(other)
        ? " with a decimal \(mark)" + (hasDecimalComma && isUsual ? ", as tables with semicolons have it" : "")
          + "; --decimal \(hasDecimalComma ? "point" : "comma") reads the other" : "")
  }

  /// The day of a row's times; `nil` without a column of days.
  private func day(_ text: String?) throws(Refusal) -> String? {
    guard header[.day] != nil else { return nil }
    guard let text else { throw Refusal(reason: "a time without a day") }
    guard let day = CalendarText.day(text) else {
      throw Refusal(reason: "the day “\(text.prefix(24))” is not one such as 2026-11-19")
    }
    return day
  }

  private func time(_ text: String, _ day: String?) throws(Refusal) -> WallTime {
    let perSecond: Double
    switch options.times {
    case .calendar: return try calendarTime(text, day)
    case .secondsSince1970: perSecond = 1e6
    case .millisecondsSince1970: perSecond = 1e3
    }
    guard let number = number(text), number.magnitude < 1e18 / perSecond else {
      throw Refusal(reason: "the time “\(text.prefix(40))” is not a number of seconds or milliseconds since 1970")
    }
    return WallTime(microseconds: Int64((number * perSecond).rounded()))
  }

  private func calendarTime(_ text: String, _ day: String?) throws(Refusal) -> WallTime {
    if let time = WallTime(text) ?? WallTime(Self.closed(text)) { return time }
    if day != nil, number(text) != nil {
      throw Refusal(
        reason: "the time “\(text.prefix(40))” beside a day is a number; write a time of day such as 10:00:00")
    }
    let local = day.flatMap { CalendarText.instant(day: $0, time: text) } ?? CalendarText.instant(text)
    if day != nil, local == nil {
      throw Refusal(reason: "the time “\(text.prefix(40))” beside a day is not a time of day such as 10:00:00")
    }
    let text = if let local { local } else { try clockTime(text) ?? text }
    let isLocal = TimeZone.utc.time(text) != nil
    guard isLocal else {
      throw Refusal(reason: "the time “\(text.prefix(40))” is not one such as “2026-11-20T11:08:31+01:00”")
    }
    guard let localTime = options.localTime else {
      throw Refusal(reason: "the time “\(text)” has no offset from UTC; add it, or say it for all rows")
    }
    guard let time = localTime.instant(text) else {
      throw Refusal(reason: "the time “\(text)” is none of \(localTime.zone ?? "the offset")")
    }
    return time
  }

  // The local time that a time of day is; `nil` for any other text.
  private func clockTime(_ text: String) throws(Refusal) -> String? {
    guard let time = clock.take(CalendarText.plainClock(text)) else { return nil }
    guard let date = options.date, let midnight = WallTime("\(date)T00:00:00Z") else {
      throw Refusal(reason: "the time “\(text)” is a time of day without a date; give the first row's day with --date")
    }
    return String(midnight.advanced(by: .microseconds(time)).precise.dropLast())
  }

  // Apple's times have a blank before their offset: `2026-11-20 11:08:31 +0100`.
  private static func closed(_ text: String) -> String {
    guard let blank = text.lastIndex(of: " "), text[blank...].dropFirst().first.map({ "+-".contains($0) }) ?? false
    else { return text }
    return String(text[..<blank] + text[blank...].dropFirst())
  }
}

/// Finds a last line that was probably cut off: it has no line end, and is shorter than the others.
struct LastLine: Hashable, Sendable {
  private var count = 0
  // The length of the shortest last field.
  private var shortest = Int.max
  private var cut: Int?

  init() {}

  /// Takes the fields of the next row.
  ///
  /// - Parameters:
  ///   - fields: the fields.
  ///   - columns: how many there should be.
  ///   - row: the row.
  mutating func take(_ fields: [String], of columns: Int, _ row: RowCutter.Row) {
    let length = fields.last?.utf8.count ?? 0
    if row.isOpen, count > 1, fields.count < columns || length < shortest { cut = row.line }
    count += 1
    shortest = min(shortest, length)
  }

  /// The caveat on it; `nil` for a file that is probably whole.
  var caveat: RecordingCaveat? { cut.map { .lastLineOpen(line: $0) } }
}

/// A line of a text with one interval per line.
package enum IntervalLine: Sendable {
  /// The range of a line's content before a comment, without surrounding blanks; `nil` for an empty line, and for
  /// pandas' missing value.
  package static func content(of line: Span<UInt8>) -> Range<Int>? {
    var start = line.byteOrderMarkLength
    var end = start
    while end < line.count, line[end] != UInt8(ascii: "#") { end += 1 }
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    while start < end, isBlank(line[start]) { start += 1 }
    while end > start, isBlank(line[end - 1]) { end -= 1 }
    let isQuotes = end - start == 2 && line[start] == UInt8(ascii: "\"") && line[start + 1] == UInt8(ascii: "\"")
    return start == end || isQuotes ? nil : start..<end
  }
}

/// Whose rows a table has, by the columns that the station's own exports have for that.
struct RowOwners {
  private let participant: Int?
  private let trial: Int?
  private var first: (participant: String?, line: Int) = (nil, 0)
  private var last: (trial: String?, time: Double) = (nil, -.infinity)

  init(_ columns: TableColumns) {
    let names = columns.fields.map(\.text)
    participant = names.firstIndex { HeartColumn.named($0)?.column == .participant }
    trial = names.firstIndex { HeartColumn.words(in: $0).joined() == "trial" }
  }

  /// Why a row does not belong to the recording of the rows above; `nil` if it may.
  ///
  /// The trials of one recording follow each other in time.
  mutating func problem(_ fields: [String], time: Double?, line: Int) -> String? {
    let remedy = "keep the rows of one participant and one trial, or give the bundles of the trials"
    if let participant, case let name = fields[participant], !name.isEmpty {
      guard let known = first.participant else {
        first = (name, line)
        return nil
      }
      if known != name {
        return "its participant is “\(name.prefix(40).visible)”, and that of line \(first.line) is "
          + "“\(known.prefix(40).visible)”; \(remedy)"
      }
    }
    guard let trial, let time else { return nil }
    defer { last = (fields[trial], time) }
    guard let before = last.trial, before != fields[trial], time < last.time else { return nil }
    return "its trial is another one than that of the row above, and its time is earlier; \(remedy)"
  }
}
