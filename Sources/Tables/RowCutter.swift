/// Cuts a table into its rows, from pieces that follow one another; a line's end in quotes is no row's.
public struct RowCutter: Sendable {
  /// A quote that is opened and never closed.
  public struct OpenQuote: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line on which its row begins, from 1.
    public let line: Int

    /// What is wrong.
    public var description: String { "a quote that is opened in this row is never closed" }
  }

  /// A row as it stands in its table, without the line's end.
  public struct Row: Hashable, Sendable {
    /// Its bytes.
    public let bytes: [UInt8]

    /// The line on which it begins, from 1.
    public let line: Int

    /// Its text; `nil` where that is no UTF-8.
    public var text: String? { String(validating: bytes, as: UTF8.self) }
  }

  private var held: [UInt8] = []
  private var scanned = 0
  private var isQuoted = false
  private var line = 1

  // So long is no row; a quote was left open.
  private static let longest = 1 << 20

  /// A cutter at a table's beginning.
  public init() {}

  /// Takes bytes and gives the rows that end in them; a mark of byte order is left out.
  ///
  /// - Parameters:
  ///   - piece: what follows the bytes that were taken before.
  ///   - isLast: whether the table ends after them.
  /// - Returns: the rows, and the quote that was left open, behind which nothing can be read.
  public mutating func take(_ piece: [UInt8], isLast: Bool) -> (rows: [Row], fault: OpenQuote?) {
    var rows: [Row] = []
    held += piece
    var start = 0
    for position in scanned..<held.count {
      if held[position] == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if held[position] == UInt8(ascii: "\n"), !isQuoted {
        rows.append(row(held[start..<position]))
        start = position + 1
      }
    }
    held.removeFirst(start)
    scanned = held.count
    if held.count > Self.longest || isLast && isQuoted { return (rows, OpenQuote(line: line)) }
    if isLast, !held.isEmpty { rows.append(row(held[...])) }
    return (rows, nil)
  }

  private mutating func row(_ bytes: ArraySlice<UInt8>) -> Row {
    let first = line
    line += 1 + bytes.count { $0 == UInt8(ascii: "\n") }
    var bytes = bytes
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    if first == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    return Row(bytes: Array(bytes), line: first)
  }
}
