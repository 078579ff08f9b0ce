/// A strict reader of RFC 8259 JSON that keeps the place of every value.
///
/// It refuses what Foundation's decoder lets pass: a byte order mark, a trailing comma, a key that stands twice, a
/// number no double can hold, half a surrogate pair, bytes that are not UTF-8, text after the value. Nesting is bounded,
/// so that no file can exhaust the stack.
public struct JSONReader: Sendable {
  /// How deep arrays and objects may lie in one another.
  public static let deepest = 64

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  private var duplicates: [JSONProblem] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads one value that fills the whole text.
  ///
  /// - Parameter text: the text's UTF-8 bytes.
  /// - Throws: ``JSONProblems`` with the one syntax error, or with every duplicate key.
  public static func read(_ text: [UInt8]) throws(JSONProblems) -> JSONNode {
    var reader = JSONReader(text)
    let node: JSONNode
    do {
      node = try reader.document()
    } catch {
      throw JSONProblems(problems: reader.duplicates + [error])
    }
    guard reader.duplicates.isEmpty else { throw JSONProblems(problems: reader.duplicates) }
    return node
  }

  private mutating func document() throws(JSONProblem) -> JSONNode {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw problem("a byte order mark, which JSON does not have") }
    skipSpace()
    guard position < bytes.count else { throw problem("nothing but white space; expected a JSON value") }
    let node = try value()
    skipSpace()
    guard position == bytes.count else { throw problem("expected nothing more after the value") }
    return node
  }

  private mutating func value() throws(JSONProblem) -> JSONNode {
    let offset = position
    guard let first = current else { throw problem("the text ends where a value was expected") }
    switch first {
    case UInt8(ascii: "{"): return JSONNode(content: .object(try members()), offset: offset)
    case UInt8(ascii: "["): return JSONNode(content: .array(try elements()), offset: offset)
    case UInt8(ascii: "\""): return JSONNode(content: .string(try string()), offset: offset)
    case UInt8(ascii: "t"): return JSONNode(content: try literal("true", .bool(true)), offset: offset)
    case UInt8(ascii: "f"): return JSONNode(content: try literal("false", .bool(false)), offset: offset)
    case UInt8(ascii: "n"): return JSONNode(content: try literal("null", .null), offset: offset)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONNode(content: .number(try number()), offset: offset)
    default: throw problem("expected a value")
    }
  }

  // MARK: Arrays and objects

  private mutating func members() throws(JSONProblem) -> [JSONMember] {
    var members: [JSONMember] = []
    var seen: Set<String> = []
    try enter()
    while !take("}") {
      if !members.isEmpty {
        try expect(",", "expected , or } after the member “\(members[members.count - 1].key)”")
        skipSpace()
        if current == UInt8(ascii: "}") { throw problem("a comma before }; JSON has no trailing commas") }
      }
      guard current == UInt8(ascii: "\"") else { throw problem("expected a key in double quotes") }
      let keyOffset = position
      let key = try string()
      if !seen.insert(key).inserted {
        duplicates.append(JSONProblem(offset: keyOffset, reason: "the key “\(key)” stands twice in this object"))
      }
      skipSpace()
      try expect(":", "expected : after the key “\(key)”")
      skipSpace()
      members.append(JSONMember(key: key, keyOffset: keyOffset, value: try value()))
      skipSpace()
    }
    depth -= 1
    return members
  }

  private mutating func elements() throws(JSONProblem) -> [JSONNode] {
    var elements: [JSONNode] = []
    try enter()
    while !take("]") {
      if !elements.isEmpty {
        try expect(",", "expected , or ] after an element")
        skipSpace()
        if current == UInt8(ascii: "]") { throw problem("a comma before ]; JSON has no trailing commas") }
      }
      elements.append(try value())
      skipSpace()
    }
    depth -= 1
    return elements
  }

  private mutating func enter() throws(JSONProblem) {
    guard depth < Self.deepest else { throw problem("nested more than \(Self.deepest) deep") }
    depth += 1
    position += 1
    skipSpace()
  }

  // MARK: Numbers and literals

  private mutating func literal(_ word: StaticString, _ content: JSONNode.Content) throws(JSONProblem)
    -> JSONNode.Content
  {
    let word = Array(word.description.utf8)
    guard bytes[position...].starts(with: word) else { throw problem("expected a value") }
    position += word.count
    return content
  }

  private mutating func number() throws(JSONProblem) -> Double {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits("expected a digit")
    }
    if current == UInt8(ascii: ".") {
      position += 1
      try digits("expected a digit after the decimal point")
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits("expected a digit in the exponent")
    }
    if let next = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) {
      throw problem("a number may not begin with 0 and go on")
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      throw JSONProblem(offset: start, reason: "the number \(text.prefix(40)) is out of range")
    }
    return number
  }

  private mutating func digits(_ complaint: String) throws(JSONProblem) {
    let start = position
    while let next = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
    if position == start { throw problem(complaint) }
  }

  // MARK: Strings

  private mutating func string() throws(JSONProblem) -> String {
    let opening = position
    position += 1
    var text: [UInt8] = []
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw JSONProblem(offset: opening, reason: "this string is not valid UTF-8")
        }
        return string
      case UInt8(ascii: "\\"):
        position += 1
        try escape(into: &text)
      case 0..<0x20: throw problem("a control character in a string; write it as \\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw JSONProblem(offset: opening, reason: "this string has no closing quote")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
    let escaped = current
    position += 1
    switch escaped {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[position - 1])
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "u"): text += String(try unicodeEscape()).utf8
    default:
      position -= 1
      throw problem("no escape begins like this; a backslash is written \\\\")
    }
  }

  private mutating func unicodeEscape() throws(JSONProblem) -> Character {
    let first = try hexadecimalUnit()
    var code = UInt32(first)
    if (0xD800..<0xDC00).contains(code), bytes[position...].starts(with: Array("\\u".utf8)) {
      position += 2
      let second = UInt32(try hexadecimalUnit())
      guard (0xDC00..<0xE000).contains(second) else { throw problem("half a surrogate pair") }
      code = 0x10000 + (code - 0xD800) << 10 + (second - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw problem("half a surrogate pair") }
    return Character(scalar)
  }

  private mutating func hexadecimalUnit() throws(JSONProblem) -> UInt16 {
    let text = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    guard text.utf8.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt16(text, radix: 16) else {
      throw problem("expected four hexadecimal digits after \\u")
    }
    position += 4
    return unit
  }

  // MARK: Bytes

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar, _ complaint: String) throws(JSONProblem) {
    guard take(character) else { throw problem(complaint) }
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private func problem(_ reason: String) -> JSONProblem { JSONProblem(offset: position, reason: reason) }
}

/// Everything that is wrong with a text, in the order of the text; never empty.
public struct JSONProblems: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problems.
  public let problems: [JSONProblem]

  /// One problem a line.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
