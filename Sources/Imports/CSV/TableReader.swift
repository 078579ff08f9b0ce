internal import Quantities

/// Reads rows of columns with a header: separated by commas, semicolons or tabs, quoted as in RFC 4180.
final class TableReader: RecordReader {
  var batch = ImportBatch()
  private(set) var report = ImportReport()

  private let options: ImportOptions
  private let file: String
  private var header: TableHeader?
  private var rows: TableRows?
  private var held: [UInt8] = []
  private var scanned = 0
  private var isQuoted = false
  private var line = 1

  // So long is no row; a quote was left open.
  private static let longestRow = 1 << 20

  init(_ options: ImportOptions, file: String) {
    self.options = options
    self.file = file
  }

  func read(_ piece: [UInt8], isLast: Bool) throws(Fault) {
    held += piece
    var start = 0
    for position in scanned..<held.count {
      if held[position] == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if held[position] == UInt8(ascii: "\n"), !isQuoted {
        try row(held[start..<position])
        start = position + 1
      }
    }
    held.removeFirst(start)
    scanned = held.count
    if held.count > Self.longestRow || isLast && isQuoted {
      let reason =
        isQuoted ? "a quote that is opened in this row is never closed" : "a row that has no end within a megabyte"
      throw Fault(line: line, column: 1, reason: reason)
    }
    if isLast { try row(held[...]) }
    if isLast, header == nil { throw Fault(line: 1, column: 1, reason: "it has no header") }
  }

  private func row(_ bytes: ArraySlice<UInt8>) throws(Fault) {
    let first = line
    line += 1 + bytes.count { $0 == UInt8(ascii: "\n") }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      guard header != nil else {
        throw Fault(line: first, column: 1, reason: "the header is not UTF-8; save the file as UTF-8")
      }
      return report.refuse(line: first, "the row is not UTF-8; save the file as UTF-8")
    }
    if text.unicodeScalars.last == "\r" { text.unicodeScalars.removeLast() }
    guard let header, let rows else {
      if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
      // Excel's own first line, `sep=;`, says what the header shows as well.
      guard !text.isEmpty, !(text.hasPrefix("sep=") && text.unicodeScalars.count == 5) else { return }
      let header = try TableHeader(text, line: first, options)
      report.ignoredColumns = header.ignored
      self.header = header
      self.rows = TableRows(header, options, file: file)
      return
    }
    guard text.contains(where: { !$0.isWhitespace }) else { return }
    let fields = TableHeader.fields(of: text, header.delimiter).map(\.text)
    do throws(Refusal) {
      guard fields.count == header.count else {
        throw Refusal(reason: "\(fields.count) columns, where the header has \(header.count)")
      }
      batch.samples.append(try rows.sample(fields))
      report.samples += 1
    } catch {
      report.refuse(line: first, error.reason)
    }
  }
}
