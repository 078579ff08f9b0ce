import Testing

@testable import Basics

@Suite("Rows of tables")
struct RowTests {
  /// The rows of a text that comes in pieces of that size.
  private func rows(_ text: String, pieces size: Int) -> ([String?], RowCutter.EndlessRow?) {
    let bytes = Array(text.utf8)
    var cutter = RowCutter()
    var rows: [String?] = []
    for start in stride(from: 0, to: max(1, bytes.count), by: size) {
      let end = min(start + size, bytes.count)
      let (cut, fault) = cutter.take(Array(bytes[start..<end]), isLast: end == bytes.count)
      rows += cut.map(\.text)
      if let fault { return (rows, fault) }
    }
    return (rows, nil)
  }

  @Test(
    "end with LF, CR or both, and not within quotes, however the text is cut into pieces",
    arguments: [
      ("a,b\n1,2\n", ["a,b", "1,2"]), ("a,b\r\n1,2\r\n", ["a,b", "1,2"]), ("a,b\r1,2\r", ["a,b", "1,2"]),
      ("a,b\r1,2", ["a,b", "1,2"]), ("\u{FEFF}a\n1", ["a", "1"]), ("\u{FEFF}\"a\nb\"\n1", ["\"a\nb\"", "1"]),
      ("a\n\n1\n", ["a", "", "1"]), ("", []),
      ("\"x\ny\",1\n2", ["\"x\ny\",1", "2"]), ("\"x\ry\"\r2\r", ["\"x\ry\"", "2"]),
      ("a; \"x\ny\"\n2", ["a; \"x\ny\"", "2"]), ("\"x\"\"\ny\"\n2", ["\"x\"\"\ny\"", "2"]),
      ("Polar 5\" strap,1\n2\" and 3\"\"\n4", ["Polar 5\" strap,1", "2\" and 3\"\"", "4"]),
    ])
  func ends(text: String, expected: [String]) {
    for size in [1, 2, 3, 1000] {
      let (rows, fault) = rows(text, pieces: size)
      #expect(rows == expected, "pieces of \(size)")
      #expect(fault == nil)
    }
  }

  @Test("without an end are reported with their line, and whether a quote is open")
  func endless() {
    let (_, quoted) = rows("a\nb,\"c\nd\n", pieces: 2)
    #expect(quoted == RowCutter.EndlessRow(line: 2, offset: 2, isQuoted: true))
    let (_, long) = rows("a\n" + String(repeating: "b", count: 1_100_000), pieces: 100_000)
    #expect(long == RowCutter.EndlessRow(line: 2, offset: 2, isQuoted: false))
  }

  @Test(
    "have fields with their quotes resolved; a quote amid a field is a character",
    arguments: [
      ("a, b ,c", ["a", "b", "c"]), ("\"a,b\",c", ["a,b", "c"]), ("\"a\"\"b\",\"\"", ["a\"b", ""]),
      ("Polar 5\" strap,72", ["Polar 5\" strap", "72"]), (" \"a,b\",c", ["a,b", "c"]), ("", [""]),
      ("1\"\",2", ["1\"\"", "2"]),
    ])
  func fields(row: String, expected: [String]) {
    #expect(TableRow.fields(of: row, ",").map(\.text) == expected)
  }

  @Test("are written so that they are read again", arguments: ["a", "a,b", "say \"so\"", "two\nlines", "5\"", ""])
  func written(text: String) {
    #expect(TableRow.fields(of: TableRow.text([text, "x"]), ",").map(\.text) == [text, "x"])
  }
}
