extension JSONValue {
  /// The value as UTF-8 text; equal values give the same bytes.
  ///
  /// Keys are sorted by their UTF-8 bytes, slashes are not escaped, integers have no fraction, and other numbers have
  /// the fewest digits that parse to the same double.
  ///
  /// - Parameter pretty: whether to indent by two spaces and end with a newline, instead of writing one line without
  ///   spaces.
  /// - Returns: the text.
  /// - Precondition: all numbers are finite; JSON cannot represent others.
  package func encoded(pretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(indents: pretty)
    writer.write(self, depth: 0)
    if pretty { writer.bytes.append(UInt8(ascii: "\n")) }
    return writer.bytes
  }

  /// The value as ``encoded(pretty:)`` of an array has it, for an array that is written piece by piece.
  package func encodedElement() -> [UInt8] {
    var writer = JSONWriter(indents: true)
    writer.write(self, depth: 1)
    return writer.bytes
  }

  /// ``encoded(pretty:)`` as a string.
  package func text(pretty: Bool = false) -> String {
    String(decoding: encoded(pretty: pretty), as: UTF8.self)
  }
}

private struct JSONWriter {
  let indents: Bool
  var bytes: [UInt8] = []

  mutating func write(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let value): write(value)
    case .string(let value): write(value)
    case .array(let elements):
      list(elements, "[", "]", depth: depth) { writer, element in writer.write(element, depth: depth + 1) }
    case .object(let members):
      let sorted = members.sorted { $0.key.precedes($1.key) }
      list(sorted, "{", "}", depth: depth) { writer, member in
        writer.write(member.key)
        writer.bytes += (writer.indents ? ": " : ":").utf8
        writer.write(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func list<Element>(
    _ elements: [Element], _ open: Character, _ close: Character, depth: Int,
    each: (inout JSONWriter, Element) -> Void
  ) {
    bytes += open.utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      breakLine(depth + 1)
      each(&self, element)
    }
    if !elements.isEmpty { breakLine(depth) }
    bytes += close.utf8
  }

  private mutating func breakLine(_ depth: Int) {
    guard indents else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func write(_ number: Double) {
    precondition(number.isFinite, "JSON has no text for \(number)")
    if number == number.rounded(), number.magnitude <= 9_007_199_254_740_992 {
      bytes += "\(Int64(number))".utf8
    } else {
      bytes += "\(number)".utf8
    }
  }

  private mutating func write(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    guard string.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
      bytes += string.utf8
      return
    }
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "\\\"".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case UInt8(ascii: "\r"): bytes += "\\r".utf8
      case UInt8(ascii: "\t"): bytes += "\\t".utf8
      case 0..<0x20:
        let hex = String(byte, radix: 16)
        bytes += "\\u00\(hex.count < 2 ? "0" : "")\(hex)".utf8
      default: bytes.append(byte)
      }
    }
  }
}

/// JSON text that is built piece by piece, for output where a tree would be too expensive.
package struct JSONText: Sendable {
  /// The text so far, in UTF-8.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty text.
  ///
  /// - Parameter capacity: the expected size in bytes.
  package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Appends text verbatim.
  package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends text verbatim.
  package mutating func append(_ text: [UInt8]) { bytes.append(contentsOf: text) }

  /// Appends an integer.
  package mutating func append(_ number: Int64) { bytes.append(contentsOf: String(number).utf8) }

  /// Appends a number as ``JSONValue/encoded(pretty:)`` writes it.
  ///
  /// - Precondition: the number is finite; JSON cannot represent others.
  package mutating func append(_ number: Double) {
    if number == number.rounded(), number.magnitude <= 9_007_199_254_740_992 {
      append(Int64(number))
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
  }

  /// Appends a string in quotes.
  package mutating func append(quoted text: String) { bytes.append(contentsOf: JSONValue.string(text).encoded()) }
}
