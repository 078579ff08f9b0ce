import Basics
import Quantities
import Recordings

/// A reader of lines that are JSON objects or CSV rows, each a sample.
///
/// A line that begins with `{` is JSON, one that begins with `#` is a comment, any other is a row of a table; a stream
/// may mix them. The keys are `hr` (or `bpm`) in beats per minute, `rr` in milliseconds, `contact` and `t` (or `time`)
/// in seconds of the sender's clock; others name channels, and unknown ones are reported once and ignored. Headers name
/// columns as in analysed tables (``HeartColumn``), and channels. See ``read(_:)``.
struct RowReader: Sendable {
  /// The last header; without one the number of columns determines their meaning.
  private(set) var header: Header? { didSet { hasNewHeader = true } }

  private var hasNewHeader = false

  /// Whether a line was a sample; from then on only a known header counts as one.
  private var hasSample = false

  /// The number of lines with words before the first sample.
  private var wordyLines = 0

  /// Whether a line was a header, or had the form of a row or a JSON object, whatever its values.
  private(set) var hasBegun = false

  /// The values of the last row of a table other than its sample.
  private(set) var last = CSVRow.Rest()

  /// The source whose rows are read if a table names sources; `nil` for all.
  var source: String?

  /// The number of rows that were empty, or had the zero of a sensor without contact.
  private(set) var blanks = 0

  /// Rates and intervals below zero, at most two different ones, in the order of their rows.
  private(set) var below: [Double] = []

  /// Whether every line is a single interval, as in analysed texts.
  private let isTextOfIntervals: Bool

  private var lastBeat: Double?
  private var values = TypedValues()
  private var channels = ChannelNames()
  private var lastReport: String?

  // The header is among so many lines with words.
  private static let wordyLineLimit = 200

  // A longer distance between two beats is a gap, in seconds.
  private static let maxInterval = 3.0

  /// Creates a reader for a text of intervals, or for rows.
  init(isTextOfIntervals: Bool = false) { self.isTextOfIntervals = isTextOfIntervals }

  /// Parses a line without its line break.
  mutating func read(_ line: Span<UInt8>) -> Row {
    let row = parse(line)
    switch row {
    case .sample, .partly: hasSample = true
    case .nothing, .unreadable: break
    }
    return row
  }

  private mutating func parse(_ line: Span<UInt8>) -> Row {
    if header != nil { last.clear() }
    let line = line.extracting(line.byteOrderMarkLength..<line.count)
    var start = 0
    while start < line.count, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
    guard start < line.count else { return .nothing }
    if isTextOfIntervals { return TextOfIntervals.read(line) }
    switch line[start] {
    case UInt8(ascii: "{"):
      hasBegun = true
      var sample = Sample()
      if JSONRow.readQuickly(line, from: start, &channels, into: &sample) { return checked(&sample) }
      return JSONRow.readStrictly(line, &channels)
    case UInt8(ascii: "#"):
      return .nothing
    // The first name may be empty (pandas writes its index so), or begin with a letter beyond ASCII.
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "\""),
      UInt8(ascii: ","), UInt8(ascii: ";"), 0x80...0xFF:
      if let found = CSVRow.header(line) {
        header = found
        hasBegun = true
        lastBeat = nil
        return .nothing
      }
      return CSVRow.isSeparator(line) ? .nothing : row(line)
    default:
      return row(line)
    }
  }

  private mutating func row(_ line: Span<UInt8>) -> Row {
    if !hasSample, header == nil || header?.strangeCount != nil {
      // The row of units below a header is none.
      if let found = strangeHeader(line), found.strangeCount != header?.strangeCount {
        header = found
        return .unreadable(found.problem ?? "")
      }
      // A table has as many columns as its header; another line was a greeting.
      if let header, TableRow.count(of: line, header.delimiter) < header.strangeCount ?? 0 { self.header = nil }
    }
    var sample = Sample()
    if let problem = header?.problem { return .unreadable(problem) }
    if let problem = CSVRow.read(line, header: header, into: &sample, &last) { return .unreadable(problem) }
    hasBegun = true
    if isOfOtherSource { return .nothing }
    if let problem = convert(into: &sample) { return .unreadable(problem) }
    guard header?.columns.isOfBeats == true, sample.rrIntervals.isEmpty else { return checked(&sample) }
    guard let beat = sample.time else { return .unreadable("no time of a beat") }
    defer { lastBeat = beat }
    guard let lastBeat else { return sample.heartRate == nil ? .nothing : checked(&sample) }
    let interval = beat - lastBeat
    guard interval > 0 else { return .unreadable("its beat does not come after the one above") }
    guard interval <= Self.maxInterval else {
      return .unreadable("its beat comes \(interval.shown) s after the one above, which is not an interval")
    }
    sample.rrIntervals = [interval * 1000]
    return checked(&sample)
  }

  private mutating func strangeHeader(_ line: Span<UInt8>) -> Header? {
    guard wordyLines < Self.wordyLineLimit, line.indices.contains(where: { line[$0] | 0x20 >= UInt8(ascii: "a") })
    else { return nil }
    wordyLines += 1
    return CSVRow.strangeHeader(line)
  }

  /// Whether the last row belongs to another source than the chosen one.
  var isOfOtherSource: Bool { source != nil && last.source != nil && last.source != source }

  /// Converts a row's value, type and unit to a rate or an interval.
  ///
  /// - Returns: why it cannot be converted; `nil` on success, and if the row has no value.
  private mutating func convert(into sample: inout Sample) -> String? {
    if let symbol = last.unit, let type = header?.columns.typeOfUnit {
      let values = type == .heartRate ? sample.heartRate.map { [$0] } ?? [] : sample.rrIntervals
      sample.heartRate = type == .heartRate ? nil : sample.heartRate
      sample.rrIntervals = type == .heartRate ? sample.rrIntervals : []
      for value in values {
        switch self.values.value(value, type.identifier, symbol) {
        case .rate(let rate): sample.heartRate = rate
        case .interval(let interval): sample.rrIntervals.append(interval)
        case .other: return "“\(symbol.prefix(24).visible)” is not a unit of \(type)"
        case .none(let reason): return reason
        }
      }
      return nil
    }
    guard let value = last.value, let name = last.type else { return nil }
    switch values.value(value, name, last.unit) {
    case .rate(let rate): sample.heartRate = rate
    case .interval(let interval): sample.rrIntervals.append(interval)
    case .other(let type, let unit): return sample.take(value, of: Channel(type, unit: unit))
    case .none(let reason): return reason
    }
    return nil
  }

  /// The reports on columns and names that are not read, each once, worded as predicates.
  mutating func takeReports() -> [String] {
    defer { hasNewHeader = false }
    guard hasNewHeader, let report = header?.report, report != lastReport else { return channels.takeReports() }
    lastReport = report
    return [report] + channels.takeReports()
  }

  private mutating func checked(_ sample: inout Sample) -> Row {
    guard let problem = sample.check() else { return .sample(sample) }
    if let part = sample.plausiblePart { return .partly(part, problem) }
    if let number = sample.heartRate ?? sample.rrIntervals.first {
      if number == 0, sample.heartRate != nil { blanks += 1 }
      if number < 0, below.count < 2, below.first != number { below.append(number) }
    } else {
      blanks += 1
    }
    return .unreadable(problem)
  }
}

/// The beginning of a text for a message, without terminal control sequences.
func excerpt(_ bytes: Span<UInt8>, _ longest: Int = 40) -> String {
  var head: [UInt8] = []
  for index in 0..<min(bytes.count, 4 * longest) { head.append(bytes[index]) }
  // A fast path for floods of unreadable lines, nearly all of which are printable ASCII.
  if head.prefix(longest + 1).allSatisfy({ 0x20..<0x7F ~= $0 }) {
    return "“\(String(decoding: head.prefix(longest), as: UTF8.self))\(head.count > longest ? "…" : "")”"
  }
  let text = String(decoding: head, as: UTF8.self)
  let shown = text.prefix(longest).unicodeScalars
    .map { $0.properties.generalCategory == .control ? "�" : String($0) }.joined()
  return "“\(shown)\(text.count > longest ? "…" : "")”"
}

extension RowReader {
  /// The columns of a table, with the factors that convert its intervals to milliseconds, and its times to seconds.
  struct Header: Sendable {
    let columns: TableColumns
    /// The channels of the columns that are not of heart data.
    let channels: [Int: Channel]
    let delimiter: UInt8
    let intervalScale: Double
    let timeScale: Double
    /// Why its rows cannot be read: a unit that does not fit, or no column that is known.
    let problem: String?
    /// The number of its fields if it names no column that a sensor's table has, and may also be a greeting.
    let strangeCount: Int?

    /// Creates the columns of a sensor's table; `nil` for another table.
    init?(_ columns: TableColumns) {
      let named = columns.unread.compactMap { column in Channel(named: column.name).map { (column.place, $0) } }
      let problem = columns.problem ?? Self.problem(columns.unread)
      guard problem != nil || columns.areOfSensor || !named.isEmpty && !columns.areOfHeart else { return nil }
      self.init(columns, Dictionary(uniqueKeysWithValues: named), problem, UInt8(ascii: columns.delimiter))
    }

    /// Creates the columns of a table whose rows cannot be read.
    init(strange columns: TableColumns, _ delimiter: Unicode.Scalar, count: Int, problem: String) {
      self.init(columns, [:], problem, UInt8(ascii: delimiter), strangeCount: count)
    }

    private init(
      _ columns: TableColumns, _ channels: [Int: Channel], _ problem: String?, _ delimiter: UInt8,
      strangeCount: Int? = nil
    ) {
      self.columns = columns
      self.channels = channels
      self.problem = problem
      self.delimiter = delimiter
      self.strangeCount = strangeCount
      intervalScale = 1000 / (columns.unit(of: .interval) ?? .milliseconds).perSecond
      timeScale = 1 / (columns.unit(of: columns.timeColumn) ?? .seconds).perSecond
    }

    /// Why columns of channels cannot be read: they name a unit that their quantity does not have.
    private static func problem(_ columns: [TableColumns.Unread]) -> String? {
      columns.lazy.compactMap { column -> String? in
        let parts = column.name.split(maxSplits: 1) { $0 == "_" || $0 == "(" || $0 == "[" || $0 == " " }
        guard parts.count == 2, Channel(named: column.name) == nil, let type = QuantityType(channel: String(parts[0])),
          case let unit = parts[1].filter({ !"()[] ".contains($0) }), !unit.isEmpty,
          Channel(named: "\(parts[0])_\(unit)") == nil
        else { return nil }
        return "the column \(column.shown): \(type.channelName) is not measured in “\(unit.prefix(24).visible)”"
      }.first
    }

    /// The columns that are ignored.
    var unread: [TableColumns.Unread] { columns.unread.filter { channels[$0.place] == nil } }

    /// The report on columns that are ignored, worded as a predicate; `nil` if there are none.
    var report: String? {
      guard problem == nil, case let names = unread.map(\.shown), !names.isEmpty else { return nil }
      let more = names.count > 12 ? " and \(names.count - 12) more" : ""
      return "has \(names.count == 1 ? "one column that is" : "\(names.count) columns that are") not read: "
        + names.prefix(12).joined(separator: ", ") + more
    }
  }
}
