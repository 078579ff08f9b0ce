import Basics
import Quantities

/// Reads rows of columns with a header: separated by commas, semicolons or tabs, quoted as in RFC 4180.
final class TableReader: RecordReader {
  var batch = ImportBatch()
  private(set) var report = ImportReport()

  private let options: ImportOptions
  private let file: String
  private var header: TableHeader?
  private var rows: TableRows?
  private var cutter = RowCutter()
  private var lastLine = LastLine()
  // The samples of the last rows, as far as they have one start.
  private var last: (start: WallTime, uuids: Set<UUID>) = (.earliest, [])

  init(_ options: ImportOptions, file: String) {
    self.options = options
    self.file = file
  }

  func read(_ piece: [UInt8], isLast: Bool) throws(Fault) {
    let (rows, fault) = cutter.take(piece, isLast: isLast)
    for (index, row) in rows.enumerated() { try read(row, before: rows[(index + 1)...]) }
    if isLast, case .lastLineOpen(let line)? = lastLine.caveat {
      report.note(line: line, "it has no line end and is shorter than the others; the file may have been cut off")
    }
    if let fault { throw Fault(line: fault.line, column: 1, reason: "\(fault)") }
    if isLast, header == nil { throw Fault(line: 1, column: 1, reason: "it has no header") }
  }

  private func read(_ row: RowCutter.Row, before others: ArraySlice<RowCutter.Row>) throws(Fault) {
    guard let text = row.text else {
      guard header != nil else {
        throw Fault(line: row.line, column: 1, reason: "the header is not UTF-8; save the file as UTF-8")
      }
      return report.refuse(line: row.line, "the row is not UTF-8; save the file as UTF-8")
    }
    guard let header, let rows else {
      // Excel's own first line, `sep=;`, says what the header shows as well.
      guard !text.isEmpty, !TableRow.isSeparator(row.bytes) else { return }
      let header = try TableHeader(text, rows: others.compactMap(\.text), line: row.line, options)
      report.ignoredColumns = header.ignored
      self.header = header
      self.rows = TableRows(header, options, file: file)
      return
    }
    guard text.contains(where: { !$0.isWhitespace }) else { return }
    let fields = TableRow.fields(of: text, header.delimiter).map(\.text)
    lastLine.take(fields, of: header.count, row)
    do throws(Refusal) {
      guard fields.count == header.count else {
        throw Refusal(reason: "\(fields.count.counted("column")), where the header has \(header.count)")
      }
      let sample = try rows.sample(fields)
      batch.samples.append(sample)
      report.take(sample)
      if last.start != sample.start { last = (sample.start, []) }
      // The store keeps a sample once, however often a file says it.
      if !last.uuids.insert(sample.uuid).inserted { report.repeatRow(line: row.line) }
    } catch {
      report.refuse(line: row.line, error.reason)
    }
  }
}
