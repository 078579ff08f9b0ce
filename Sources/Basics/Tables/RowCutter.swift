/// Cuts a table into its rows, from pieces that follow one another; a line's end in quotes is no row's.
///
/// A row ends with CR, LF or both. A quote is one where a field begins with it; elsewhere it is a mark of inches.
package struct RowCutter: Sendable {
  /// A row without an end, behind which nothing can be read.
  package struct EndlessRow: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line on which the row begins, from 1.
    package let line: Int

    /// Whether a quote is open in it.
    package let isQuoted: Bool

    /// What is wrong.
    package var description: String {
      isQuoted ? "a quote that is opened in this row is never closed" : "a row that has no end within a megabyte"
    }
  }

  /// A row as it stands in its table, without the line's end.
  package struct Row: Hashable, Sendable {
    /// Its bytes.
    package let bytes: [UInt8]

    /// The line on which it begins, from 1.
    package let line: Int

    /// Its text; `nil` where that is no UTF-8.
    package var text: String? { String(validating: bytes, as: UTF8.self) }
  }

  private var held: [UInt8] = []
  private var scanned = 0
  private var isQuoted = false
  // What stands before the next byte, blanks at a field's beginning apart.
  private var previous = UInt8(ascii: "\n")
  private var line = 1

  // A field begins after these; after a quote that has closed another one opens, and both stand for one.
  private static let beforeFields = Array(",;\t\n\r\"".utf8)

  // The mark of byte order.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  // So long is no row.
  private static let longest = 1 << 20

  /// A cutter at a table's beginning.
  package init() {}

  /// Takes bytes and gives the rows that end in them; a mark of byte order is left out.
  ///
  /// - Parameters:
  ///   - piece: what follows the bytes that were taken before.
  ///   - isLast: whether the table ends after them.
  /// - Returns: the rows, and one that has no end, behind which nothing can be read.
  package mutating func take(_ piece: [UInt8], isLast: Bool) -> (rows: [Row], fault: EndlessRow?) {
    var rows: [Row] = []
    held += piece
    var start = 0
    for position in scanned..<held.count {
      let byte = held[position]
      // The mark of byte order stands before the first field.
      if line == 1, position < Self.mark.count, byte == Self.mark[position] { continue }
      if previous == UInt8(ascii: "\r"), byte != UInt8(ascii: "\n"), !isQuoted {
        rows.append(row(held[start..<position]))
        start = position
      }
      let before = previous
      previous = byte
      if byte == UInt8(ascii: "\"") {
        let opens = !isQuoted && Self.beforeFields.contains(before)
        // One amid a field is a character like others.
        if !isQuoted, !opens { previous = 0 }
        isQuoted = opens
      } else if byte == UInt8(ascii: "\n"), !isQuoted {
        rows.append(row(held[start..<position]))
        start = position + 1
      } else if byte == UInt8(ascii: " "), Self.beforeFields.contains(before) {
        previous = before
      }
    }
    held.removeFirst(start)
    scanned = held.count
    if held.count > Self.longest || isLast && isQuoted {
      return (rows, EndlessRow(line: line, isQuoted: isQuoted))
    }
    if isLast, !held.isEmpty { rows.append(row(held[...])) }
    return (rows, nil)
  }

  private mutating func row(_ bytes: ArraySlice<UInt8>) -> Row {
    let first = line
    line += 1 + bytes.count { $0 == UInt8(ascii: "\n") }
    // Of CR and LF the first is left.
    var bytes = bytes
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    if first == 1, bytes.starts(with: Self.mark) { bytes.removeFirst(Self.mark.count) }
    return Row(bytes: Array(bytes), line: first)
  }
}
