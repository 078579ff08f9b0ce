import Basics

/// The content of a column in a table of heart data or samples, recognised by common names.
///
/// This is the only list of names: analyses, imports and replays read it.
package enum HeartColumn: String, CaseIterable, Sendable {
  case time, start, end, day, beat, rate, interval, contact, value, type, unit, source
  // Of imported tables only.
  case bundle, version, device, id, participant

  /// Whether only imports read it.
  var isOfImports: Bool { [.bundle, .version, .device, .id, .participant].contains(self) }

  /// Lower-case names without spaces, punctuation and units; the first take precedence.
  private var names: [String] {
    switch self {
    case .time:
      [
        "time", "timestamp", "t", "seconds", "milliseconds", "sec", "elapsed", "elapsedtime",
        "timeelapsed", "timesincestart", "sampletime", "rritime", "rrtime", "hrtime", "sensortimestamp", "unixtime",
        "unixtimestamp", "epoch", "epochtime", "phonetimestamp", "phonedatarxtimestamp", "zeit", "zeitstempel",
        "uhrzeit", "tijd", "heure", "hora", "tid", "timeofday", "clocktime", "secondsofday",
        "localtime", "datetime", "onset",
      ]
    case .start: ["start", "startdate", "starttime", "startdatetime"]
    case .end: ["end", "enddate", "endtime", "enddatetime"]
    case .day: ["date", "day", "datum", "tag", "jour", "fecha", "dia", "giorno", "dag", "localdate"]
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
    case .unit: ["unit", "units"]
    case .source: ["source", "sourcename", "sensor"]
    case .bundle: ["sourcebundleidentifier", "bundleidentifier"]
    case .version: ["sourceversion"]
    case .device: ["device", "devicename"]
    case .id: ["id", "uuid", "identifier"]
    case .participant: ["participant", "participantid", "subject", "subjectid"]
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
    let rank: Int
    /// How many of the unit of time in the name make a second: 1, 1000, a million or 1e9; `nil` without a unit.
    var perSecond: Double?
    /// A unit in the name that is none of the column's content.
    var misfit: String?
    /// The name in lower case without its unit, spaces and punctuation.
    var word = ""

    static let unit = Name(column: .unit, rank: 0, perSecond: nil)

    /// Whether it counts samples.
    var isInSamples: Bool { misfit.map { ["samples", "sample", "frames"].contains($0.lowercased()) } ?? false }
  }

  /// A unit at the end of a column's name.
  private enum NamedUnit {
    case time(perSecond: Double)
    case perMinute
    /// One of another quantity.
    case other
  }

  private static let units: [Substring: NamedUnit] = {
    var units: [Substring: NamedUnit] = ["bpm": .perMinute]
    for word in ["ms", "msec", "msecs", "millisecond", "milliseconds", "millis"] as [Substring] {
      units[word] = .time(perSecond: 1000)
    }
    for word in ["s", "sec", "secs", "second", "seconds"] as [Substring] { units[word] = .time(perSecond: 1) }
    // The micro sign and the Greek letter mu.
    for word in ["us", "\u{B5}s", "\u{3BC}s", "mcs", "usec", "microsecond", "microseconds"] as [Substring] {
      units[word] = .time(perSecond: 1e6)
    }
    for word in ["ns", "nsec", "nanosecond", "nanoseconds"] as [Substring] { units[word] = .time(perSecond: 1e9) }
    for word in [
      "hz", "khz", "mhz", "ohm", "ohms", "kohm", "mohm", "\u{3C9}", "k\u{3C9}", "\u{2126}", "k\u{2126}", "v", "mv",
      "uv",
      "\u{B5}v", "\u{3BC}v", "siemens", "microsiemens", "adu", "counts", "samples", "sample", "ticks", "frames",
      "percent", "degc", "celsius", "mmhg", "minutes", "hours", "days",
    ] as [Substring] { units[word] = .other }
    return units
  }()

  /// Interprets a name: `RR (ms)` are intervals in milliseconds; `nil` for an unknown name.
  package static func named(_ name: String) -> Name? {
    let lower = name.lowercased()
    var words = words(in: name)
    var unit: NamedUnit?
    if words.count > 1, let last = words.last {
      unit = units[last]
      // “hr_min” may be a minimum.
      let isPerMinute = lower.contains("/min") || words.dropLast().last.map(perMinute.contains) ?? false
      if ["min", "minute"].contains(last), isPerMinute {
        unit = .perMinute
      } else if longUnits.contains(last), ofTimes.contains(known[words.dropLast().joined()]?.column) {
        unit = .other
      }
      if unit != nil { words.removeLast() }
      // “(1/min)” is split into two words.
      while unit != nil, words.count > 1, words.last.map(perMinute.contains) ?? false { words.removeLast() }
    }
    if lower.contains("%") { unit = .other }
    let folded = words.joined()
    guard let found = known[folded] else { return nil }
    var perSecond: Double?
    var misfit: String?
    switch (found.column, unit) {
    case (_, nil):
      if folded == "milliseconds" { perSecond = 1000 }
      if folded == "seconds" || folded == "sec" { perSecond = 1 }
    case (.rate, .perMinute): break
    case (.time, .time(let number)), (.start, .time(let number)), (.end, .time(let number)),
      (.beat, .time(let number)), (.interval, .time(let number)):
      perSecond = number
    case (.rate, _), (.interval, _), (.time, _), (.beat, _): misfit = Self.unit(of: name)
    default: return nil
    }
    return Name(column: found.column, rank: found.rank, perSecond: perSecond, misfit: misfit, word: folded)
  }

  /// The words of a name, in lower case.
  static func words(in name: String) -> [Substring] {
    name.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber })
  }

  /// The name before “unit”: that of the column whose unit a column has; `nil` for a column of something else.
  static func owner(ofUnit name: String) -> String? {
    var words = words(in: name)
    guard let last = words.popLast(), let ending = ["units", "unit"].first(where: { last.hasSuffix($0) }) else {
      return nil
    }
    words.append(last.dropLast(ending.count))
    let owner = words.joined(separator: " ").trimmed
    return owner.isEmpty ? nil : owner
  }

  private static let perMinute: Set<Substring> = ["1", "count", "counts", "beat", "beats", "per", "pulses"]

  // Units of times alone, in which none are read: “hr_min” may be a minimum.
  private static let longUnits: Set<Substring> = ["min", "mins", "minute", "h", "hrs", "hour", "d"]
  private static let ofTimes: Set<HeartColumn?> = [.time, .beat]

  // The unit as it is written.
  private static func unit(of name: String) -> String {
    if name.contains("%") { return "%" }
    if let open = name.lastIndex(where: { $0 == "(" || $0 == "[" }) {
      return String(name[name.index(after: open)...].prefix { $0 != ")" && $0 != "]" }).visible
    }
    let last = name.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).last ?? ""
    return String(last.prefix(24)).visible
  }

  /// Splits a header at the delimiter with which most of its names are known, and interprets them.
  static func names(in header: String) -> (delimiter: Unicode.Scalar, fields: [TableRow.Field], names: [Name?]) {
    let delimiter = TableRow.delimiter(of: header) { named($0) != nil }
    let fields = TableRow.fields(of: header, delimiter)
    // The intervals of an Empatica E4: when it was started, and the word.
    if fields.count == 2, fields[1].text.lowercased() == "ibi", let start = Double(fields[0].text), start > 1e8 {
      return (
        delimiter, fields,
        [Name(column: .time, rank: 0, perSecond: 1), Name(column: .interval, rank: 0, perSecond: 1)]
      )
    }
    return (delimiter, fields, fields.map { named($0.text) })
  }

  /// The maximum number of columns in a table of heart data.
  static let maxCount = 4096

  /// Whether a line has more columns than any table of heart data.
  static func isTooWide(_ line: String) -> Bool {
    line.unicodeScalars.count { TableRow.delimiters.contains($0) } >= maxCount
  }

  /// Whether a line names a column with heart rates or intervals, or begins with words as a header does.
  static func isHeader(_ line: String) -> Bool {
    // It is rejected later, as the header of a table.
    guard !isTooWide(line) else { return true }
    let columns = names(in: line).names.compactMap { $0?.column }
    return [.rate, .interval, .beat, .value].contains(where: columns.contains) || columns.count >= 2
  }
}
