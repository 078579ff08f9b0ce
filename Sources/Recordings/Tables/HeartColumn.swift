import Basics

/// The content of a column in a table of heart data, recognised by common names.
package enum HeartColumn: String, CaseIterable, Sendable {
  case time, beat, rate, interval, contact, value, type, unit, source

  /// Lower-case names without spaces, punctuation and units; names of an end precede those of a start.
  private var names: [String] {
    switch self {
    case .time:
      [
        "enddate", "end", "time", "timestamp", "t", "seconds", "milliseconds", "sec", "elapsed", "elapsedtime",
        "timeelapsed", "timesincestart", "sampletime", "rritime", "rrtime", "hrtime", "sensortimestamp", "unixtime",
        "unixtimestamp", "epoch", "epochtime", "phonetimestamp", "phonedatarxtimestamp", "zeit", "zeitstempel",
        "localtime", "date", "datetime",
        "onset", "startdate",
      ]
    case .beat:
      ["beat", "beats", "beattime", "beattimes", "peak", "peaks", "rpeak", "rpeaks", "rpeaktime", "rpeaktimes"]
    case .rate: ["hr", "bpm", "heartrate", "heartrates", "pulse", "herzfrequenz", "puls"]
    case .interval:
      [
        "rr", "ibi", "nn", "ibis", "rri", "nni", "rrinterval", "rrintervals", "interval", "nninterval",
        "ppinterval", "ppintervals", "ppi", "pp",
      ]
    case .contact: ["contact"]
    case .value: ["value"]
    case .type: ["type", "quantitytype"]
    case .unit: ["unit"]
    case .source: ["source", "sourcename", "sensor"]
    }
  }

  // A dictionary, because every line that may be a header is looked up.
  private static let known: [String: (column: HeartColumn, rank: Int)] = Dictionary(
    uniqueKeysWithValues: allCases.flatMap { column in
      column.names.enumerated().map { ($1, (column, $0)) }
    })

  /// The first two letters of every name that some columns have, the first in the upper byte: a word with other letters
  /// is not such a name.
  package static func beginnings(of columns: [HeartColumn]) -> Set<UInt16> {
    Set(
      columns.flatMap(\.names).compactMap { name in
        let letters = Array(name.utf8.prefix(2))
        return letters.count == 2 ? UInt16(letters[0]) << 8 | UInt16(letters[1]) : nil
      })
  }

  /// The interpretation of a column's name.
  package struct Name: Hashable, Sendable {
    /// The column's content.
    package let column: HeartColumn
    /// The precedence among columns of the same content; the lowest rank is used.
    package let rank: Int
    /// How many of the unit of time in the name make a second: 1, 1000, a million or 1e9; `nil` without a unit.
    package let perSecond: Double?
  }

  /// Interprets a name: `RR (ms)` are intervals in milliseconds; `nil` for an unknown name.
  package static func named(_ name: String) -> Name? {
    let words = name.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber })
    var perSecond: Double?
    var parts = words
    if parts.count > 1, let last = parts.last {
      switch last {
      case "ms", "msec", "milliseconds", "millis": perSecond = 1000
      case "s", "sec", "secs", "seconds": perSecond = 1
      // The micro sign and the Greek letter mu.
      case "us", "\u{B5}s", "\u{3BC}s", "usec", "microseconds": perSecond = 1e6
      case "ns", "nsec", "nanoseconds": perSecond = 1e9
      case "bpm", "min": break
      default: parts.append("")
      }
      parts.removeLast()
      // “(1/min)” is split into two words.
      while parts.count > 1, parts.last == "1" || parts.last == "count" { parts.removeLast() }
    }
    let folded = parts.joined()
    if folded == "milliseconds" { perSecond = 1000 }
    if folded == "seconds" || folded == "sec" { perSecond = 1 }
    return known[folded].map { Name(column: $0.column, rank: $0.rank, perSecond: perSecond) }
  }

  /// Splits a header at the delimiter with which most of its names are known, and interprets them.
  static func names(in header: String) -> (delimiter: Unicode.Scalar, fields: [TableRow.Field], names: [Name?]) {
    let delimiter = TableRow.delimiter(of: header) { named($0) != nil }
    let fields = TableRow.fields(of: header, delimiter)
    return (delimiter, fields, fields.map { named($0.text) })
  }

  /// The maximum number of columns in a table of heart data.
  static let most = 4096

  /// Whether a line has more columns than any table of heart data.
  static func isTooWide(_ line: String) -> Bool {
    line.unicodeScalars.count { TableRow.delimiters.contains($0) } >= most
  }

  /// Whether a line names a column with heart rates or intervals, or begins with words as a header does.
  static func isHeader(_ line: String) -> Bool {
    // It is rejected later, as the header of a table.
    guard !isTooWide(line) else { return true }
    let columns = names(in: line).names.compactMap { $0?.column }
    return [.rate, .interval, .beat, .value].contains(where: columns.contains) || columns.count >= 2
  }
}
