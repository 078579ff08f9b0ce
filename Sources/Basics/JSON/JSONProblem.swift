/// A problem in a JSON text, with its position.
package struct JSONProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The byte offset at which it was detected.
  package let offset: Int

  /// The problem, in lower case and without its position.
  package let reason: String

  /// The path of the value that has the problem.
  package let path: JSONPointer

  package init(offset: Int, reason: String, path: JSONPointer = .root) {
    self.offset = offset
    self.reason = reason
    self.path = path
  }

  /// The same problem with its path extended by the enclosing object or array.
  func inside(_ part: String) -> JSONProblem { JSONProblem(offset: offset, reason: reason, path: path.inside(part)) }

  /// The reason with the byte offset; use ``TextPlace`` for line and column.
  package var description: String { "byte \(offset): \(reason)" }
}

/// All problems of a text, in order of position; never empty.
package struct JSONProblems: Error, Hashable, Sendable, CustomStringConvertible {
  package let problems: [JSONProblem]

  /// One problem per line.
  package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// A line and column in a text, both from 1; the column counts characters, as an editor does.
package struct TextPlace: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int

  /// The column in characters, from 1.
  package let column: Int

  /// The position of a byte offset in a UTF-8 text; an offset past the end gives the end.
  package init(offset: Int, in text: [UInt8]) {
    var walk = TextWalk(text)
    self = walk.place(of: offset)
  }

  /// The positions of many byte offsets, in one pass over the text.
  package static func places(of offsets: [Int], in text: [UInt8]) -> [Int: TextPlace] {
    var walk = TextWalk(text)
    return Dictionary(offsets.sorted().map { ($0, walk.place(of: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  fileprivate init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// `7:21`.
  package var description: String { "\(line):\(column)" }

  /// Orders by line, then by column.
  package static func < (left: TextPlace, right: TextPlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A forward scan of a text that counts lines and columns.
private struct TextWalk {
  private let text: [UInt8]
  private var position = 0
  private var line = 1
  private var column = 1

  init(_ text: [UInt8]) { self.text = text }

  /// The position of an offset that is not before the previous one.
  mutating func place(of offset: Int) -> TextPlace {
    let end = min(offset, text.count)
    while position < end, let newline = text[position..<end].firstIndex(of: UInt8(ascii: "\n")) {
      position = newline + 1
      line += 1
      column = 1
    }
    if position < end { column += String(decoding: text[position..<end], as: UTF8.self).count }
    position = max(position, end)
    return TextPlace(line: line, column: column)
  }
}

/// The path of a value in a JSON text, according to RFC 6901: `/steps/1/stepDuration`; empty for the whole text.
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// Keys and element indices from the outermost to the innermost.
  package let parts: [String]

  /// The path of the whole text.
  package static let root = JSONPointer([])

  /// Creates a path from keys and element indices.
  package init(_ parts: [String]) { self.parts = parts }

  /// The path of a member of the object at this path.
  package func appending(_ key: String) -> JSONPointer { JSONPointer(parts + [key]) }

  /// The path of an element, numbered from 0, of the array at this path.
  package func appending(_ index: Int) -> JSONPointer { appending("\(index)") }

  func inside(_ part: String) -> JSONPointer { JSONPointer([part] + parts) }

  /// `/steps/1/stepDuration`; `~` is written `~0` and `/` is written `~1`.
  package var description: String {
    parts.map { part in
      "/" + String(part.flatMap { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) })
    }.joined()
  }
}

extension JSONNode {
  /// The value at a path; if there is none, the nearest enclosing value.
  package func nearest(to path: JSONPointer) -> JSONNode {
    var node = self
    for part in path.parts {
      switch node.content {
      case .object(let members):
        guard let member = members.first(where: { $0.key == part }) else { return node }
        node = member.value
      case .array(let elements):
        guard let index = Int(part), elements.indices.contains(index) else { return node }
        node = elements[index]
      default: return node
      }
    }
    return node
  }
}
