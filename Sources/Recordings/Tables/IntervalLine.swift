import Basics

/// A line of a text with one interval per line.
package enum IntervalLine: Sendable {
  /// The range of a line's content before a comment, without surrounding blanks; `nil` for an empty line, and for
  /// pandas' missing value.
  package static func content(of line: Span<UInt8>) -> Range<Int>? {
    var start = line.byteOrderMarkLength
    var end = start
    while end < line.count, line[end] != UInt8(ascii: "#") { end += 1 }
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    while start < end, isBlank(line[start]) { start += 1 }
    while end > start, isBlank(line[end - 1]) { end -= 1 }
    let isQuotes = end - start == 2 && line[start] == UInt8(ascii: "\"") && line[start + 1] == UInt8(ascii: "\"")
    return start == end || isQuotes ? nil : start..<end
  }
}
