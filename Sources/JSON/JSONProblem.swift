/// Why a text is not the JSON that was wanted, and where.
public struct JSONProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset in the text at which it was noticed, in bytes.
  public let offset: Int

  /// What is wrong there, in lower case and without its place.
  public let reason: String

  /// A problem at a place.
  public init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  /// The reason with the byte offset; use ``TextPlace`` for line and column.
  public var description: String { "byte \(offset): \(reason)" }
}

/// A line and column in a text, both from 1; the column counts characters, as an editor does.
public struct TextPlace: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int

  /// The column in characters, from 1.
  public let column: Int

  /// The place of a byte offset in a UTF-8 text; an offset past the end is the end.
  public init(offset: Int, in text: [UInt8]) {
    let end = min(offset, text.count)
    let start = text[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = 1 + text[..<start].count { $0 == UInt8(ascii: "\n") }
    column = 1 + String(decoding: text[start..<end], as: UTF8.self).count
  }

  /// `7:21`.
  public var description: String { "\(line):\(column)" }

  /// By line, then by column.
  public static func < (left: TextPlace, right: TextPlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
