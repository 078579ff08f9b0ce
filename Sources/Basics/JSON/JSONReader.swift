/// A strict RFC 8259 JSON parser that keeps the position of every value.
///
/// It rejects input that Foundation's decoder accepts: a byte order mark, a trailing comma, a duplicate key, a number
/// that overflows a double, a lone surrogate, invalid UTF-8, text after the value. Nesting is limited, so that no file
/// can exhaust the stack. Keys are duplicates if their bytes are equal: keys that differ in Unicode normalisation are
/// separate in a ``JSONNode``, while in a ``JSONValue`` the first of them wins.
package struct JSONReader: Sendable {
  /// The maximum nesting depth of arrays and objects.
  static let maxDepth = 64

  let bytes: [UInt8]
  var position = 0
  private var depth = 0
  private var duplicates: [JSONProblem] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses a text that consists of a single value.
  ///
  /// - Parameter text: the text's UTF-8 bytes.
  /// - Returns: the value.
  /// - Throws: ``JSONProblems`` with the one syntax error, or with every duplicate key.
  package static func read(_ text: [UInt8]) throws(JSONProblems) -> JSONNode {
    let (node, duplicates) = try readWithDuplicates(text)
    guard duplicates.isEmpty else { throw JSONProblems(problems: duplicates) }
    return node
  }

  /// Parses a text that consists of a single value, for a caller that reports duplicate keys along with other problems.
  ///
  /// - Parameter text: the text's UTF-8 bytes.
  /// - Returns: the value, whose objects keep the first of equal keys, and a problem for each later one.
  /// - Throws: ``JSONProblems`` with the one syntax error and the duplicate keys before it.
  package static func readWithDuplicates(_ text: [UInt8]) throws(JSONProblems) -> (
    node: JSONNode, duplicates: [JSONProblem]
  ) {
    var reader = JSONReader(text)
    do {
      return (try reader.document(), reader.duplicates)
    } catch {
      throw JSONProblems(problems: reader.duplicates + [error])
    }
  }

  private mutating func document() throws(JSONProblem) -> JSONNode {
    if bytes.starts(with: ByteOrderMark.bytes) {
      throw problem("a byte order mark, which JSON does not have; save the file as UTF-8 without it")
    }
    if let form = Self.wideForm(bytes) { throw problem("the text is \(form); save the file as UTF-8") }
    skipSpace()
    guard position < bytes.count else { throw problem("nothing but white space; expected a JSON value") }
    let node = try value()
    skipSpace()
    guard position == bytes.count else { throw unexpected("nothing more after the value") }
    return node
  }

  /// The name of the text's UTF-16 or UTF-32 encoding, detected by a byte order mark or the zero bytes of the first
  /// character; `nil` for any other text.
  private static func wideForm(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    guard bytes.count >= 2, bytes[0] == 0 || bytes[1] == 0 else { return nil }
    // JSON starts with an ASCII character.
    switch bytes.prefix(4).map({ $0 == 0 }) {
    case [true, true, true, false], [false, true, true, true]: return "UTF-32"
    case [true, false, true, false], [false, true, false, true], [true, false], [false, true],
      [true, false, false, false], [false, true, false, false], [true, false, false, true], [false, true, true, false]:
      return "UTF-16"
    default: return nil
    }
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
      let number = try number()
      return JSONNode(content: .number(number), offset: offset, written: written(from: offset, number))
    default: throw unexpected("a value")
    }
  }

  /// Reads a member or an element, and adds its key or index to the path of problems.
  private mutating func value(inside part: @autoclosure () -> String) throws(JSONProblem) -> JSONNode {
    let earlier = duplicates.count
    defer {
      if duplicates.count > earlier {
        let part = part()
        for index in earlier..<duplicates.count { duplicates[index] = duplicates[index].inside(part) }
      }
    }
    do {
      return try value()
    } catch {
      throw error.inside(part())
    }
  }

  // MARK: Arrays and objects

  private mutating func members() throws(JSONProblem) -> [JSONMember] {
    var members: [JSONMember] = []
    // The keys of a large object.
    var seen: Set<[UInt8]> = []
    try enter()
    while !take("}") {
      if !members.isEmpty {
        guard take(",") else {
          throw unexpected(", or } after the member “\(members[members.count - 1].key.shortened)”")
        }
        skipSpace()
        if current == UInt8(ascii: "}") { throw problem("a comma before }; JSON has no trailing commas") }
      }
      guard current == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
      let keyOffset = position
      let key = try string()
      skipSpace()
      guard take(":") else { throw unexpected(": after the key “\(key.shortened)”") }
      skipSpace()
      let member = JSONMember(key: key, keyOffset: keyOffset, value: try value(inside: key))
      if isNew(key, among: members, &seen) {
        members.append(member)
      } else {
        let reason = "the key “\(key.shortened)” is given twice in this object; keep one of them"
        duplicates.append(JSONProblem(offset: keyOffset, reason: reason, path: JSONPointer([key])))
      }
      skipSpace()
    }
    depth -= 1
    return members
  }

  /// Whether no member has this key, byte for byte: Swift strings are equal if their normal forms are.
  private func isNew(_ key: String, among members: [JSONMember], _ seen: inout Set<[UInt8]>) -> Bool {
    guard members.count >= 16 else {
      return !members.contains { $0.key == key && $0.key.utf8.elementsEqual(key.utf8) }
    }
    if seen.isEmpty { seen = Set(members.map { Array($0.key.utf8) }) }
    return seen.insert(Array(key.utf8)).inserted
  }

  private mutating func elements() throws(JSONProblem) -> [JSONNode] {
    var elements: [JSONNode] = []
    try enter()
    while !take("]") {
      if !elements.isEmpty {
        guard take(",") else { throw unexpected(", or ] after an element") }
        skipSpace()
        if current == UInt8(ascii: "]") { throw problem("a comma before ]; JSON has no trailing commas") }
      }
      elements.append(try value(inside: "\(elements.count)"))
      skipSpace()
    }
    depth -= 1
    return elements
  }

  private mutating func enter() throws(JSONProblem) {
    guard depth < Self.maxDepth else { throw problem("nested more than \(Self.maxDepth) deep") }
    depth += 1
    position += 1
    skipSpace()
  }

  // MARK: Numbers and literals

  private mutating func literal(_ word: String, _ content: JSONNode.Content) throws(JSONProblem) -> JSONNode.Content {
    guard bytes[position...].starts(with: word.utf8) else { throw unexpected("a value") }
    position += word.utf8.count
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
      throw JSONProblem(offset: start, reason: "the number \(text.shortened) is out of range")
    }
    return number
  }

  /// The original digits of a number, if its double has another value.
  private func written(from start: Int, _ number: Double) -> String? {
    guard number.magnitude > 9_007_199_254_740_991 else { return nil }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits(_ reason: String) throws(JSONProblem) {
    let start = position
    while let next = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
    if position == start { throw problem(reason) }
  }

  // MARK: Bytes

  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  func problem(_ reason: String) -> JSONProblem { JSONProblem(offset: position, reason: reason) }
}

extension JSONReader {
  /// Reads a string from its opening quote; parts without escapes are copied in bulk.
  mutating func string() throws(JSONProblem) -> String {
    let opening = position
    position += 1
    var text: [UInt8] = []
    var start = position
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        let last = bytes[start..<position]
        position += 1
        let string =
          text.isEmpty ? String(validating: last, as: UTF8.self) : String(validating: text + last, as: UTF8.self)
        guard let string else { throw JSONProblem(offset: opening, reason: "this string is not valid UTF-8") }
        return string
      case UInt8(ascii: "\\"):
        text += bytes[start..<position]
        try escape(into: &text)
        start = position
      case 0x0A, 0x0D:
        // The usual cause is a missing quote.
        throw JSONProblem(
          offset: opening,
          reason: "this string is not closed on its line; add the closing quote, or write a line break in it as \\n")
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        throw problem("a control character in a string; write it as \\u00\(byte < 16 ? "0" : "")\(digits)")
      default:
        position += 1
      }
    }
    throw JSONProblem(offset: opening, reason: "this string has no closing quote")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
    let backslash = position
    position += 2
    switch backslash + 1 < bytes.count ? bytes[backslash + 1] : 0 {
    case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): text.append(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "u"): text += try unicodeEscape(backslash).utf8
    default:
      throw JSONProblem(offset: backslash, reason: "no escape begins like this; a backslash is written \\\\")
    }
  }

  /// Reads the digits after `\u`, and a second escape if the first is a high surrogate.
  private mutating func unicodeEscape(_ backslash: Int) throws(JSONProblem) -> String {
    var code = try hexadecimalUnit()
    if (0xD800..<0xDC00).contains(code), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      let second = try hexadecimalUnit()
      guard (0xDC00..<0xE000).contains(second) else { throw halfPair(backslash) }
      code = 0x10000 + (code - 0xD800) << 10 + (second - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw halfPair(backslash) }
    return String(Character(scalar))
  }

  private func halfPair(_ backslash: Int) -> JSONProblem {
    JSONProblem(offset: backslash, reason: "half a surrogate pair; a character above U+FFFF is written as two escapes")
  }

  private mutating func hexadecimalUnit() throws(JSONProblem) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw problem("expected four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}

extension JSONReader {
  /// Common mistakes by their first characters, with the remedy.
  private static let slips: [(beginnings: [String], remedy: String)] = [
    (["//", "/*", "#"], "JSON has no comments; a key that begins with x- may hold one"),
    (["'", "“", "”", "‘", "’"], "strings and keys stand in straight double quotes"),
    (["+"], "a number has no plus sign"),
    (["."], "a number begins with a digit: 0.5, not .5"),
    (["NaN", "Infinity"], "JSON has no such number"),
    (["True", "False", "None", "Null"], "true, false and null are written in lower case"),
  ]

  /// A problem here: `expectation` was expected, but something else was found; common mistakes come with a remedy.
  func unexpected(_ expectation: String) -> JSONProblem {
    guard position < bytes.count else { return problem("the text ends where \(expectation) was expected") }
    let rest = bytes[position...].prefix(64)
    func begins(_ word: String) -> Bool { rest.starts(with: word.utf8) }
    let remedy = Self.slips.first { $0.beginnings.contains(where: begins) }?.remedy
    let missing =
      bytes[position] == UInt8(ascii: "\"") && expectation.hasPrefix(",") ? "a comma is missing before it" : nil
    return problem("expected \(expectation), found \(found(rest))" + ((remedy ?? missing).map { "; \($0)" } ?? ""))
  }

  /// A description of the next characters, for messages: `“abc”`, `the byte 0xff`.
  private func found(_ rest: ArraySlice<UInt8>) -> String {
    let isWord = { (byte: UInt8) in Character(Unicode.Scalar(byte)).isLetter && byte < 0x80 }
    let word = rest.prefix(while: isWord)
    if !word.isEmpty { return "“\(String(decoding: word, as: UTF8.self))”" }
    let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
    guard let length, bytes[position] >= 0x20, bytes[position] != 0x7F else {
      return "the byte 0x\(bytes[position] < 16 ? "0" : "")\(String(bytes[position], radix: 16))"
    }
    return "“\(String(decoding: rest.prefix(length), as: UTF8.self))”"
  }
}

extension StringProtocol {
  /// The text, truncated to forty characters for a message; control characters are shown as spaces.
  package var shortened: String {
    let start = prefix(40)
    let shown = String(start.map { $0.unicodeScalars.allSatisfy { $0.value < 0x20 || $0.value == 0x7F } ? " " : $0 })
    return start.endIndex < endIndex ? shown + "…" : shown
  }
}
