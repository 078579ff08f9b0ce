internal import Spelling
internal import Tables

/// The columns of a table with heart rates or intervals, found by their names.
struct TableColumns {
  /// What a column holds.
  enum Column: String, CaseIterable {
    case time, beat, rate, interval, contact, value, type, unit, source

    /// People's names for it, in small letters without blanks, marks and units; those of an end before those of a start.
    fileprivate var names: [String] {
      switch self {
      case .time:
        ["enddate", "end", "time", "timestamp", "t", "seconds", "milliseconds", "date", "datetime", "startdate"]
      case .beat:
        [
          "beat", "beats", "beattime", "beattimes", "peak", "peaks", "rpeak", "rpeaks", "rpeaktime", "rpeaktimes",
        ]
      case .rate: ["hr", "bpm", "heartrate", "heartrates", "pulse"]
      case .interval: ["rr", "ibi", "nn", "ibis", "rri", "nni", "rrinterval", "rrintervals", "interval", "nninterval"]
      case .contact: ["contact"]
      case .value: ["value"]
      case .type: ["type", "quantitytype"]
      case .unit: ["unit"]
      case .source: ["source", "sourcename", "sensor"]
      }
    }
  }

  let delimiter: Unicode.Scalar
  /// How many columns there are.
  let count: Int
  private let places: [Column: Int]
  private let units: [Column: ReadingOptions.TimeUnit]

  /// The index of a column.
  subscript(column: Column) -> Int? { places[column] }

  /// The unit that a column's name says.
  func unit(of column: Column) -> ReadingOptions.TimeUnit? { units[column] }

  /// The most columns that a table of heart data has.
  static let most = 4096

  private static func isTooWide(_ line: String) -> Bool {
    line.unicodeScalars.count { TableRow.delimiters.contains($0) } >= most
  }

  /// Whether a line names a column with heart rates or intervals, or begins with words as a header does.
  static func isHeader(_ line: String) -> Bool {
    // Which is refused as the header of a table.
    guard !isTooWide(line) else { return true }
    let delimiter = TableRow.delimiter(of: line) { named($0) != nil }
    let columns = TableRow.fields(of: line, delimiter).compactMap { named($0.text)?.column }
    return [.rate, .interval, .beat, .value].contains(where: columns.contains) || columns.count >= 2
  }

  /// Whether a line only says what separates the fields of the others, as spreadsheets begin: `sep=;`.
  static func isSeparator(_ line: some Collection<UInt8>) -> Bool {
    let bytes = line.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\r") }
    guard bytes.count == 5, bytes.prefix(4).map({ $0 | 0x20 }).elementsEqual("sep=".utf8.map { $0 | 0x20 }) else {
      return false
    }
    return TableRow.delimiters.contains(Unicode.Scalar(bytes[4]))
  }

  /// The columns that a header names.
  ///
  /// - Throws: what is missing of them, or twice there; and that they are too many.
  init(_ header: String, line: Int) throws(RecordingFault) {
    guard !Self.isTooWide(header) else {
      throw RecordingFault(
        line: line, reason: "more than \(Self.most) columns; a table of heart data needs a time and one value")
    }
    delimiter = TableRow.delimiter(of: header) { Self.named($0) != nil }
    let fields = TableRow.fields(of: header, delimiter)
    count = fields.count
    var best: [Column: (place: Int, rank: Int)] = [:]
    var units: [Column: ReadingOptions.TimeUnit] = [:]
    for (place, field) in fields.enumerated() {
      guard let (column, rank, unit) = Self.named(field.text) else { continue }
      if let other = best[column] {
        // A start beside an end is one time; two columns of heart rates are two answers.
        guard column == .time, other.rank != rank else {
          let names = "“\(fields[other.place].text)” and “\(field.text)”"
          throw RecordingFault(line: line, reason: "two columns of \(column.rawValue)s, \(names); leave one out")
        }
        guard rank < other.rank else { continue }
      }
      best[column] = (place, rank)
      units[column] = unit
    }
    places = best.mapValues(\.place)
    self.units = units
    if places[.rate] == nil, places[.interval] == nil, places[.beat] == nil,
      places[.value] == nil || places[.type] == nil
    {
      throw RecordingFault(
        line: line,
        reason: "no column of heart rates (“hr”, “bpm”), of intervals (“rr_ms”, “ibi”), of the times of beats "
          + "(“beat_s”, “r_peaks”) or of values with their “type”")
    }
    if places[.time] == nil, places[.beat] == nil, places[.interval] == nil {
      throw RecordingFault(line: line, reason: "heart rates need their times, in a column “time”")
    }
  }

  /// What a name stands for: `RR (ms)` are intervals in milliseconds.
  private static func named(_ name: String) -> (column: Column, rank: Int, unit: ReadingOptions.TimeUnit?)? {
    let words = name.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber })
    var unit: ReadingOptions.TimeUnit?
    var parts = words
    if parts.count > 1, let last = parts.last {
      switch last {
      case "ms", "msec", "milliseconds", "millis": unit = .milliseconds
      case "s", "sec", "secs", "seconds": unit = .seconds
      case "bpm", "min": break
      default: parts.append("")
      }
      parts.removeLast()
      // “(1/min)” is two words.
      while parts.count > 1, parts.last == "1" || parts.last == "count" { parts.removeLast() }
    }
    let folded = parts.joined()
    if folded == "milliseconds" { unit = .milliseconds }
    if folded == "seconds" { unit = .seconds }
    for column in Column.allCases {
      if let rank = column.names.firstIndex(of: folded) { return (column, rank, unit) }
    }
    return nil
  }
}
