/// Cuts a text into the JSON values it holds: the elements of one array, or values one after another.
///
/// It only follows brackets and strings; whether a value is JSON is for its reader to say. Where values stand one a line,
/// as in NDJSON, a line that is broken costs no other.
struct JSONPieces {
  /// The text of one value.
  struct Piece: Hashable {
    let text: [UInt8]
    /// The line on which it begins, from 1.
    let line: Int
  }

  private enum Shape { case array, lines, values }

  private var shape: Shape?
  private var held: [UInt8] = []
  private var scanned = 0
  // Where the value begins that has not come to its end, and on which line.
  private var start = 0
  private var startLine = 1
  private var line = 1
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var elements = 0
  private var isClosed = false
  private var pieces: [Piece] = []

  // No document of a sample is as long.
  private static let longest = 1 << 20

  init() {}

  /// Takes bytes and gives the values that end in them, and why no more can follow.
  mutating func take(_ bytes: [UInt8], isLast: Bool) -> (pieces: [Piece], fault: Fault?) {
    held += bytes
    if shape == nil {
      if held.starts(with: [0xEF, 0xBB, 0xBF]) { held.removeFirst(3) }
      guard let first = held.firstIndex(where: { !Self.isSpace($0) }) else { return ([], nil) }
      shape = held[first] == UInt8(ascii: "[") ? .array : Self.endsInItsLine(held[first...]) ? .lines : .values
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
    for position in scanned..<held.count {
      if shape == .lines {
        if held[position] == UInt8(ascii: "\n") { cut(at: position, skipping: 1) }
      } else {
        try step(position)
      }
      if held[position] == UInt8(ascii: "\n") { line += 1 }
    }
    if isLast { try finish() }
    held.removeFirst(start)
    start = 0
    scanned = held.count
    guard held.count <= Self.longest else {
      throw Fault(line: startLine, column: 1, reason: "a document that has no end within a megabyte")
    }
  }

  private mutating func step(_ position: Int) throws(Fault) {
    let byte = held[position]
    if isInString {
      if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      if shape == .array, depth == 1, !isClosed { start = position + 1 }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      guard depth >= 0 else { throw fault("a bracket that nothing opens") }
      guard depth == 0 else { return }
      if shape == .array {
        isClosed = true
        cut(at: position, skipping: 1)
      } else {
        cut(at: position + 1, skipping: 0)
      }
    case UInt8(ascii: ","):
      guard shape == .array, depth == 1 else { return }
      elements += 1
      cut(at: position, skipping: 1)
    default: break
    }
    if isClosed, depth > 0 || !Self.isSpace(byte) && position + 1 != start { throw fault("text after the array's end") }
  }

  // A value ends here. Nothing at all is one only between an array's commas.
  private mutating func cut(at end: Int, skipping count: Int) {
    let space = held[start..<end].prefix(while: Self.isSpace)
    let isBlank = space.count == end - start
    if !isBlank || elements > 0 {
      let first = startLine + space.count { $0 == UInt8(ascii: "\n") }
      pieces.append(Piece(text: Array(held[(start + space.count)..<end]), line: first))
    }
    start = end + count
    startLine = line + (shape == .lines ? 1 : 0)
  }

  private mutating func finish() throws(Fault) {
    if shape == .lines { return cut(at: held.count, skipping: 0) }
    let isWhole = shape == .array ? isClosed : held[start...].allSatisfy(Self.isSpace)
    guard isWhole else { throw fault("the file ends in the middle of the value that begins in line \(startLine)") }
  }

  private func fault(_ reason: String) -> Fault { Fault(line: line, column: 1, reason: reason) }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  // Whether the value that begins here is alone in its line.
  private static func endsInItsLine(_ text: ArraySlice<UInt8>) -> Bool {
    var values = JSONPieces()
    values.shape = .values
    let line = text.prefix { $0 != UInt8(ascii: "\n") }
    let (pieces, fault) = values.take(Array(line), isLast: true)
    return pieces.count == 1 && fault == nil
  }
}
