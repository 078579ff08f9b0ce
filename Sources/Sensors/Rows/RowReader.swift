/// A reader of lines that are JSON objects or CSV rows, each a sample.
///
/// A line that begins with `{` is JSON, one that begins with `#` is a comment, any other is a row of a table; a stream may
/// mix them. The keys are `hr` (or `bpm`) in beats a minute, `rr` in milliseconds, `contact` and `t` (or `time`) in seconds
/// of the sender's clock; others are passed over. Headers name columns as in the tables that are analysed: ``HeartColumn``.
/// See ``read(_:)``.
struct RowReader: Sendable {
  /// A column of a CSV row.
  enum Column: Sendable { case rate, intervals, contact, time, other }

  /// What a header says of the rows below it.
  struct Header: Sendable {
    let columns: [Column]
    let delimiter: UInt8
    /// What makes milliseconds of intervals, and seconds of times.
    var intervalScale = 1.0
    var timeScale = 1.0
  }

  /// The last header; without one the number of columns tells what they hold.
  private(set) var header: Header?

  /// Whether every line is a single interval, as in the texts that are analysed.
  private let isTextOfIntervals: Bool

  /// A reader; of a text of intervals, or of rows.
  init(isTextOfIntervals: Bool = false) { self.isTextOfIntervals = isTextOfIntervals }

  /// Reads a line without its line break.
  mutating func read(_ line: Span<UInt8>) -> Row {
    // Spreadsheets begin a file with a mark of byte order.
    let hasMark = line.count >= 3 && line[0] == 0xEF && line[1] == 0xBB && line[2] == 0xBF
    return readUnmarked(line.extracting((hasMark ? 3 : 0)..<line.count))
  }

  private mutating func readUnmarked(_ line: Span<UInt8>) -> Row {
    var start = 0
    while start < line.count, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
    guard start < line.count else { return .nothing }
    if isTextOfIntervals { return TextOfIntervals.read(line) }
    switch line[start] {
    case UInt8(ascii: "{"):
      var sample = Sample()
      if JSONRow.readQuickly(line, from: start, into: &sample) { return checked(&sample) }
      return JSONRow.readStrictly(line)
    case UInt8(ascii: "#"):
      return .nothing
    // The first name may be empty, as pandas writes its index, or begin with a letter beyond ASCII.
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "\""),
      UInt8(ascii: ","), UInt8(ascii: ";"), 0x80...0xFF:
      if let found = CSVRow.header(line) {
        header = found
        return .nothing
      }
      return CSVRow.isSeparator(line) ? .nothing : row(line)
    default:
      return row(line)
    }
  }

  private func row(_ line: Span<UInt8>) -> Row {
    var sample = Sample()
    if let complaint = CSVRow.read(line, header: header, into: &sample) { return .unreadable(complaint) }
    return checked(&sample)
  }

  private func checked(_ sample: inout Sample) -> Row {
    if let complaint = sample.check() { return .unreadable(complaint) }
    return .sample(sample)
  }
}

/// The beginning of a text as a message shows it: at most 40 characters, nothing that a terminal would obey.
func excerpt(_ bytes: Span<UInt8>) -> String {
  var head: [UInt8] = []
  for index in 0..<min(bytes.count, 160) { head.append(bytes[index]) }
  // In a flood of lines that cannot be read nearly all are plain, and need no look at their characters.
  if head.prefix(41).allSatisfy({ 0x20..<0x7F ~= $0 }) {
    return "“\(String(decoding: head.prefix(40), as: UTF8.self))\(head.count > 40 ? "…" : "")”"
  }
  let text = String(decoding: head, as: UTF8.self)
  let shown = text.prefix(40).unicodeScalars.map { $0.properties.generalCategory == .control ? "�" : String($0) }
    .joined()
  return "“\(shown)\(text.count > 40 ? "…" : "")”"
}
