import Basics

/// Reads a training session as Polar Flow exports it in CSV: a line about the session, and a row a second.
///
/// The first two lines hold the person's name, height and weight; only the session's date and time are read.
struct PolarFlowReader: DeviceReader {
  var samples = DeviceSamples()

  private var cutter = RowCutter()
  private var headings: [String]?
  private var hasSession = false
  private var places: (time: Int, rate: Int)?

  init() { samples.noun = "row" }

  mutating func take(_ bytes: [UInt8], isLast: Bool) throws(DeviceFault) {
    let (rows, fault) = cutter.take(bytes, isLast: isLast)
    for row in rows { try read(row) }
    if let fault { throw DeviceFault(place: .line(fault.line), reason: "\(fault)") }
    if isLast, places == nil {
      throw DeviceFault(
        place: .file,
        reason: "it is a list of sessions of Polar Flow, without a row per second; export a session by itself")
    }
  }

  private mutating func read(_ row: RowCutter.Row) throws(DeviceFault) {
    guard let text = row.text else {
      throw DeviceFault(place: .line(row.line), reason: "the row is not UTF-8; save the file as UTF-8")
    }
    guard text.contains(where: { !$0.isWhitespace }) else { return }
    let fields = TableRow.fields(of: text, ",").map(\.text)
    if let places { return take(fields, places, row.line) }
    guard let headings else {
      self.headings = fields
      return
    }
    if fields.first == "Sample rate" {
      let names = fields.map { HeartColumn.named($0)?.column }
      guard let time = names.firstIndex(of: .time), let rate = names.firstIndex(of: .rate) else {
        throw DeviceFault(place: .line(row.line), reason: "the rows have no columns “Time” and “HR (bpm)”")
      }
      places = (time, rate)
    } else if !hasSession {
      hasSession = true
      func field(_ name: String) -> String? {
        headings.firstIndex(of: name).flatMap { fields.indices.contains($0) ? fields[$0] : nil }
      }
      if let date = field("Date"), let time = field("Start time"), let start = Self.start(date, time) {
        samples.clock = .elapsed(since: start)
      }
    }
  }

  // The day comes first, as in 20-11-2026, or the year; other orders cannot be told apart.
  private static func start(_ date: String, _ time: String) -> String? {
    let parts = date.split(separator: "-")
    guard parts.count == 3 else { return nil }
    let day = parts[0].count == 4 ? parts : parts.reversed()
    let text = "\(day[0])-\(day[1])-\(day[2])T\(time)"
    return TimeZone.utc.time(text) == nil ? nil : text
  }

  private mutating func take(_ fields: [String], _ places: (time: Int, rate: Int), _ line: Int) {
    samples.entries += 1
    guard fields.count > max(places.time, places.rate) else {
      return samples.faults.note(
        line, "\(fields.count.counted("column")), and the heart rate is in column \(places.rate + 1)")
    }
    guard !fields[places.rate].isEmpty else { return }
    guard let rate = Decimal.number(fields[places.rate].utf8.span) else {
      return samples.faults.note(line, "the heart rate “\(fields[places.rate].prefix(24).visible)” is not a number")
    }
    guard let time = ClockTime.microseconds(fields[places.time]) else {
      return samples.faults.note(
        line, "the time “\(fields[places.time].prefix(24).visible)” is not one such as 00:01:30")
    }
    samples.take(rate: rate, at: time)
  }
}
