internal import Analysis
internal import Decimals
internal import Spelling
internal import Tables

extension Recording {
  /// The intervals of a text, one a line; empty lines and those that begin with `#` are passed over.
  static func intervals(_ path: String, _ options: ReadingOptions) throws(RecordingError) -> Recording {
    var cutter = RowCutter()
    var intervals: [Double] = []
    var faults = RowFaults()
    try FilePieces.read(path, path) { (bytes, isLast) throws(RecordingFault) in
      let (rows, fault) = cutter.take(bytes, isLast: isLast)
      for row in rows {
        var text = row.bytes[...]
        if let comment = text.firstIndex(of: UInt8(ascii: "#")) { text = text[..<comment] }
        while let last = text.last, Self.isBlank(last) { text.removeLast() }
        text = text.drop(while: Self.isBlank)
        guard !text.isEmpty else { continue }
        let number = Decimal.number(Array(text).span)
        if intervals.isEmpty, number == nil {
          throw RecordingFault(line: row.line, reason: complaint(String(decoding: text, as: UTF8.self)))
        }
        if let number, number <= 0 { faults.note(row.line, "\(number) is no interval") }
        if number == nil {
          faults.note(row.line, "“\(String(decoding: text.prefix(24), as: UTF8.self).visible)” is not a number")
        }
        // What is no interval stays in its place, and leaves a gap.
        intervals.append(number.map { $0 > 0 ? $0 : .nan } ?? .nan)
      }
      if let fault { throw RecordingFault(line: fault.line, reason: "\(fault)") }
    }
    intervals = try IntervalUnits.milliseconds(intervals, options.intervalUnit, path)
    let series = IntervalSeries(intervals)
    return Recording(path: path, beats: series, remarks: faults.remarks(of: intervals.count))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  private static func complaint(_ text: String) -> String {
    let shown = text.prefix(40).visible
    if text.contains(where: { $0 == "," || $0 == ";" || $0 == "\t" || $0 == " " }) {
      return "“\(shown)” is neither a number nor the header of a table; a table needs a first row such as “time,hr”, "
        + "“time,rr_ms” or “rr_ms”, a text has one interval a line"
    }
    return "“\(shown)” is neither an interval in milliseconds nor a column's name; columns are “time”, “hr” and “rr_ms”"
  }
}

/// Rows that could not be used, told with their lines.
struct RowFaults {
  private var first: [String] = []
  private var count = 0

  mutating func note(_ line: Int, _ reason: String) {
    count += 1
    if first.count < 3 { first.append("line \(line): \(reason)") }
  }

  /// What is to be said of them.
  func remarks(of rows: Int) -> [String] {
    guard count > 0 else { return [] }
    let more = count > first.count ? " and \(count - first.count) more" : ""
    return ["\(Count.of(count, "row")) left out of \(rows): \(first.joined(separator: ", "))\(more)."]
  }
}

/// Checks that intervals are in the unit they are said to be in.
enum IntervalUnits {
  // Heart rates from 24 to 240 a minute.
  private static let plausible = 250.0...2500

  /// Intervals in milliseconds.
  ///
  /// - Throws: ``RecordingError`` where they look like another unit, like heart rates, or like two units.
  static func milliseconds(
    _ intervals: [Double], _ unit: ReadingOptions.TimeUnit, _ path: String
  ) throws(RecordingError) -> [Double] {
    func refuse(_ reason: String) -> RecordingError { .unreadable(path: path, reason: reason) }
    let factor = 1000 / unit.perSecond
    let converted = factor == 1 ? intervals : intervals.map { $0 * factor }
    let known = converted.filter(\.isFinite).sorted()
    guard !known.isEmpty else { return converted }
    let median = known[known.count / 2]
    let asSeconds = known.count { plausible.contains($0 * 1000) }
    let asMilliseconds = known.count { plausible.contains($0) }
    if asSeconds >= max(3, known.count / 20), asMilliseconds >= max(3, known.count / 20) {
      throw refuse(
        "its intervals are mixed: \(asMilliseconds) look like milliseconds and \(asSeconds) like seconds")
    }
    if plausible.contains(median) { return converted }
    let shown = "its intervals are \(IntervalUnits.shown(median / factor)) in the middle"
    if unit == .milliseconds, plausible.contains(median * 1000) {
      throw refuse("\(shown), which looks like seconds; say so with --interval-unit s")
    }
    if unit == .seconds, plausible.contains(median / 1000) {
      throw refuse("\(shown), which looks like milliseconds; leave out --interval-unit s")
    }
    if unit == .milliseconds, (24.0...240).contains(median) {
      throw refuse(
        "\(shown), which looks like heart rates; a table with the columns “time” and “hr” has those")
    }
    throw refuse(
      "\(shown), and no heart beats like that; intervals are in milliseconds, or in seconds with --interval-unit s")
  }

  private static func shown(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }
}
