/// Splits a table into rows, piece by piece; line ends within quotes do not end a row.
///
/// A row ends with CR, LF or both. A quote is special only at the start of a field; elsewhere it is literal, such as an
/// inch mark.
package struct RowCutter: Sendable {
  /// A row without an end, after which the table cannot be read.
  package struct EndlessRow: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line on which the row starts, from 1.
    package let line: Int

    /// The offset of its first byte in the table.
    package let offset: Int

    /// Whether it contains an unclosed quote.
    let isQuoted: Bool

    package var description: String {
      isQuoted ? "a quote that is opened in this row is never closed" : "a row that has no end within a megabyte"
    }
  }

  /// A raw row of a table, without its line end.
  package struct Row: Hashable, Sendable {
    package let bytes: [UInt8]

    /// The line on which it starts, from 1.
    package let line: Int

    /// The offset of its first byte in the table.
    package let offset: Int

    /// Whether the table ends within it, without a line end.
    package var isOpen = false

    /// Its text; `nil` if it is not valid UTF-8.
    package var text: String? { String(validating: bytes, as: UTF8.self) }
  }

  private var held: [UInt8] = []
  // The offset of the first byte that is held.
  private var offset = 0
  private var scanned = 0
  private var isQuoted = false
  // The byte before the next one, ignoring blanks at the start of a field.
  private var previous = UInt8(ascii: "\n")
  private var line = 1

  // The bytes after which a field starts; a quote after a closing quote reopens the field, and both represent one
  // quote.
  private static let beforeFields = Array(",;\t\n\r\"".utf8)

  // The maximum length of a row.
  private static let maxLength = 1 << 20

  package init() {}

  /// Adds bytes and returns the rows that they complete; a byte order mark is skipped.
  ///
  /// - Parameters:
  ///   - piece: the next bytes of the table.
  ///   - isLast: whether the table ends after them.
  /// - Returns: the rows, and the row without an end, if any, after which the table cannot be read.
  package mutating func take(_ piece: [UInt8], isLast: Bool) -> (rows: [Row], fault: EndlessRow?) {
    var rows: [Row] = []
    held += piece
    var start = 0
    for position in scanned..<held.count {
      let byte = held[position]
      // A byte order mark precedes the first field.
      if line == 1, position < ByteOrderMark.bytes.count, byte == ByteOrderMark.bytes[position] { continue }
      if previous == UInt8(ascii: "\r"), byte != UInt8(ascii: "\n"), !isQuoted {
        rows.append(row(held[start..<position]))
        start = position
      }
      let before = previous
      previous = byte
      if byte == UInt8(ascii: "\"") {
        let opens = !isQuoted && Self.beforeFields.contains(before)
        // A quote within a field is an ordinary character.
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
    offset += start
    scanned = held.count
    if held.count > Self.maxLength || isLast && isQuoted {
      return (rows, EndlessRow(line: line, offset: offset, isQuoted: isQuoted))
    }
    if isLast, !held.isEmpty {
      let isOpen = held.last != UInt8(ascii: "\r")
      var last = row(held[...])
      last.isOpen = isOpen
      rows.append(last)
    }
    return (rows, nil)
  }

  private mutating func row(_ bytes: ArraySlice<UInt8>) -> Row {
    let first = line
    line += 1 + bytes.count { $0 == UInt8(ascii: "\n") }
    // Of a CR LF the CR is left.
    var bytes = bytes
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    if first == 1 { bytes = bytes.afterByteOrderMark }
    return Row(bytes: Array(bytes), line: first, offset: offset + bytes.startIndex)
  }
}
