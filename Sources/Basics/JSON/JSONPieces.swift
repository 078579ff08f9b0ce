/// Splits a text into its JSON values, piece by piece and in constant memory.
///
/// The values are the elements of a top-level array, those of an array under a key of an object, or consecutive values.
/// The splitter tracks only brackets and strings; the reader of a value checks whether it is valid JSON. With one value
/// per line, as in NDJSON, a broken line does not affect the others.
package struct JSONPieces: Sendable {
  /// The text of one value.
  package struct Piece: Hashable, Sendable {
    /// The UTF-8 bytes, without surrounding white space.
    package let text: [UInt8]
    /// The line on which it starts, from 1.
    package let line: Int
    /// Whether it is an element of the split array, rather than a stand-alone value.
    package let isElement: Bool
  }

  /// An error after which no more values can be read.
  package struct Fault: Error, Hashable, Sendable {
    /// The line on which it was detected, from 1.
    package let line: Int
    package let reason: String
  }

  private enum Shape { case array, lines, values }

  private let key: [UInt8]?
  private var shape: Shape?
  private var held: [UInt8] = []
  private var scanned = 0
  // The start of the current, incomplete value, and its line.
  private var start = 0
  private var startLine = 1
  private var line = 1
  private var depth = 0
  // The nesting depth of the array's elements; `nil` for stand-alone values, and outside the key's array.
  private var listDepth: Int?
  private var isInString = false
  private var isEscaped = false
  private var elements = 0
  private var isClosed = false
  // Whether the current object contains the key, and whether the key's value comes next.
  private var hasList = false
  private var isKeyNext = false
  private var stringStart = 0
  private var pieces: [Piece] = []

  // The maximum length of a value; no document of a sample is longer.
  private static let maxLength = 1 << 20

  /// Creates a splitter.
  ///
  /// - Parameter key: a member of an object: if it is an array, its elements are the values, and the rest of that
  ///   object is skipped.
  package init(elementsOf key: String? = nil) { self.key = key.map { Array("\"\($0)\"".utf8) } }

  /// Adds bytes and returns the values that they complete.
  ///
  /// - Parameters:
  ///   - bytes: the next bytes of the text.
  ///   - isLast: whether the text ends after them.
  /// - Returns: the values, and the error that ends reading, if any.
  package mutating func take(_ bytes: [UInt8], isLast: Bool) -> (pieces: [Piece], fault: Fault?) {
    held += bytes
    if shape == nil {
      guard held.count >= ByteOrderMark.bytes.count || isLast else { return ([], nil) }
      held = Array(held.afterByteOrderMark)
      guard let first = held.firstIndex(where: { !Self.isSpace($0) }) else { return ([], nil) }
      shape =
        held[first] == UInt8(ascii: "[")
        ? .array : key == nil && Self.endsInItsLine(held[first...]) ? .lines : .values
    }
    pieces = []
    do throws(Fault) {
      try walk(isLast: isLast)
      return (pieces, nil)
    } catch {
      return (pieces, error)
    }
  }

  private mutating func walk(isLast: Bool) throws(Fault) {
    var position = scanned
    while true {
      if !isEscaped {
        position = Self.next(held.span, from: position, shape == .lines ? .line : isInString ? .string : .structure)
      }
      guard position < held.count else { break }
      let byte = held[position]
      if shape == .lines {
        cut(at: position, skipping: 1)
      } else {
        try step(position, byte)
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
    if isLast { try finish() }
    // Skipped parts of an object with the key need not be kept.
    if hasList, listDepth == nil { start = isInString ? min(stringStart, held.count) : held.count }
    held.removeFirst(start)
    stringStart -= start
    start = 0
    scanned = held.count
    guard held.count <= Self.maxLength else {
      throw Fault(line: startLine, reason: "a document that has no end within a megabyte")
    }
  }

  private enum Sought { case line, string, structure }

  /// The index of the next structurally relevant byte.
  private static func next(_ bytes: Span<UInt8>, from start: Int, _ sought: Sought) -> Int {
    var position = start
    switch sought {
    case .line:
      while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    case .string:
      while position < bytes.count, case let byte = bytes[position],
        byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte != UInt8(ascii: "\n")
      { position += 1 }
    case .structure:
      // Digits, lower-case letters, points and minus signs have no structural meaning.
      while position < bytes.count, case let byte = bytes[position],
        byte &- UInt8(ascii: "-") < 13 || byte &- UInt8(ascii: "a") < 26
      { position += 1 }
    }
    return position
  }

  private mutating func step(_ position: Int, _ byte: UInt8) throws(Fault) {
    if isInString {
      string(position, byte)
      return
    }
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      stringStart = position
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      if byte == UInt8(ascii: "["), depth == (shape == .array ? 1 : isKeyNext ? 2 : 0), !isClosed {
        guard !hasList else { throw fault("the key \(String(decoding: key ?? [], as: UTF8.self)) is given twice") }
        (listDepth, hasList, elements) = (depth, true, 0)
        (start, startLine) = (position + 1, line)
      }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == listDepth {
        guard byte == UInt8(ascii: "]") else { throw fault("a } where the ] of the array was expected") }
        cut(at: position, skipping: 1)
        listDepth = nil
        isClosed = shape == .array
      }
      depth -= 1
      guard depth >= 0 else { throw fault("a bracket that nothing opens") }
      guard depth == 0, shape == .values else { return }
      if !hasList { cut(at: position + 1, skipping: 0) }
      (start, startLine, hasList) = (position + 1, line, false)
      return
    case UInt8(ascii: ","):
      guard depth == listDepth else { break }
      elements += 1
      cut(at: position, skipping: 1)
    default: break
    }
    if byte != UInt8(ascii: ":"), !Self.isSpace(byte) { isKeyNext = false }
    if isClosed, depth > 0 || !Self.isSpace(byte) && position + 1 != start { throw fault("text after the array's end") }
  }

  private mutating func string(_ position: Int, _ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      isKeyNext = depth == 1 && shape == .values && key.map { held[stringStart...position].elementsEqual($0) } ?? false
    }
  }

  // Completes a value. An empty one counts only between the commas of an array.
  private mutating func cut(at end: Int, skipping count: Int) {
    var first = start
    while first < end, Self.isSpace(held[first]) {
      if held[first] == UInt8(ascii: "\n") { startLine += 1 }
      first += 1
    }
    var last = end
    while last > first, Self.isSpace(held[last - 1]) { last -= 1 }
    if first < last || elements > 0 {
      pieces.append(Piece(text: Array(held[first..<last]), line: startLine, isElement: listDepth != nil))
    }
    start = end + count
    startLine = line + (shape == .lines ? 1 : 0)
  }

  private mutating func finish() throws(Fault) {
    if shape == .lines { return cut(at: held.count, skipping: 0) }
    let isWhole = shape == .array ? isClosed : depth == 0 && !isInString && held[start...].allSatisfy(Self.isSpace)
    guard isWhole else {
      let first = startLine + held[start...].prefix(while: Self.isSpace).count { $0 == UInt8(ascii: "\n") }
      throw fault("the file ends in the middle of the value that begins in line \(first)")
    }
  }

  private func fault(_ reason: String) -> Fault { Fault(line: line, reason: reason) }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  // Whether the value that starts here is alone on its line.
  private static func endsInItsLine(_ text: ArraySlice<UInt8>) -> Bool {
    var values = JSONPieces()
    values.shape = .values
    let line = text.prefix { $0 != UInt8(ascii: "\n") }
    let (pieces, fault) = values.take(Array(line), isLast: true)
    return pieces.count == 1 && fault == nil
  }
}
