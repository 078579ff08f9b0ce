import Basics

/// The secrets of a request, which no message, file or outbox may get back from a server's answer, in whatever form it repeats
/// them.
package struct Secrets: Sendable {
  /// What to look for in a folded text: printable characters, and letters and digits alone.
  private var printable: [[UInt8]] = []
  private var letters: [[UInt8]] = []

  /// Number of successive characters of a secret that give it away.
  private static let part = 8
  /// Number of encodings that may lie inside each other.
  private static let depth = 4

  /// No secrets.
  package init() {}

  /// Adds a secret.
  mutating func add(_ secret: String) {
    let bytes = Array(secret.utf8)
    guard !bytes.isEmpty else { return }
    printable.append(bytes.folded)
    // Of short ones the letters alone are in every text.
    if bytes.folded.alphanumeric.count >= Self.part / 2 { letters.append(bytes.folded.alphanumeric) }
    letters.append(Array(bytes.hexDigits.utf8))
    letters += (0..<3).map { Self.core(bytes, after: $0).folded.alphanumeric }.filter { $0.count >= Self.part / 2 }
  }

  /// The characters in base 64 that do not depend on what stands around the bytes, which begin after so many others.
  private static func core(_ bytes: [UInt8], after count: Int) -> [UInt8] {
    let text = ([UInt8](repeating: 0, count: count) + bytes).base64
    let whole = (count + bytes.count) * 8 / 6
    return Array(text.utf8.prefix(whole).dropFirst(count == 0 ? 0 : count + 1))
  }

  /// Whether a text repeats a secret or a part of one: as it is, split by spaces or invisible characters, in capitals, as
  /// base 64 or hexadecimal digits, or escaped for a URL, JSON or HTML, several times over.
  package func areIn(_ text: String) -> Bool {
    if printable.isEmpty { return false }
    var text = Array(printable: text)
    for _ in 0..<Self.depth {
      let folded = text.folded
      let found =
        printable.contains { folded.holdsPart(of: $0, Self.part) }
        || letters.contains { folded.alphanumeric.holdsPart(of: $0, Self.part) }
      if found { return true }
      let next = Escapes.decoded(text)
      if next == text { return false }
      text = next
    }
    return false
  }
}

extension [UInt8] {
  /// The printable characters of ASCII of a text, also those in full width.
  fileprivate init(printable text: String) {
    self = text.unicodeScalars.compactMap { scalar in
      switch scalar.value {
      case 0x21...0x7E: UInt8(scalar.value)
      case 0xFF01...0xFF5E: UInt8(scalar.value - 0xFF01 + 0x21)
      default: nil
      }
    }
  }

  /// The printable characters of ASCII, in small letters.
  fileprivate var folded: [UInt8] {
    compactMap { byte in
      switch byte {
      case 0x41...0x5A: byte + 0x20
      case 0x21...0x7E: byte
      default: nil
      }
    }
  }

  /// The letters and digits.
  fileprivate var alphanumeric: [UInt8] { filter { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) } }

  /// Whether a part of another text is in this one, of so many characters, or of all if there are fewer.
  fileprivate func holdsPart(of other: [UInt8], _ count: Int) -> Bool {
    let length = Swift.min(count, other.count)
    guard length > 0, self.count >= length else { return false }
    let parts = Set((0...other.count - length).map { Array(other[$0..<$0 + length]) })
    return (0...self.count - length).contains { parts.contains(Array(self[$0..<$0 + length])) }
  }
}

/// Escapes of URLs, JSON, C, HTML and mail, of characters of ASCII.
private enum Escapes {
  /// The text with one layer of escapes undone.
  static func decoded(_ text: [UInt8]) -> [UInt8] {
    var (decoded, place) = ([UInt8](), 0)
    while place < text.count {
      if let (byte, length) = escape(text[place...]) {
        if (0x21...0x7E).contains(byte) { decoded.append(byte) }
        place += length
      } else {
        decoded.append(text[place])
        place += 1
      }
    }
    return decoded
  }

  private static let names: [(String, UInt8)] = [
    ("&amp;", 0x26), ("&lt;", 0x3C), ("&gt;", 0x3E), ("&quot;", 0x22), ("&apos;", 0x27),
  ]

  /// The character that an escape at the beginning of a text stands for, and the escape's length.
  private static func escape(_ text: ArraySlice<UInt8>) -> (byte: UInt8, length: Int)? {
    switch text.first {
    case UInt8(ascii: "%"), UInt8(ascii: "="): return number(text, after: 1, digits: 2, radix: 16)
    case UInt8(ascii: "&"):
      for (name, byte) in names where text.starts(with: name.utf8) { return (byte, name.utf8.count) }
      guard text.dropFirst().first == UInt8(ascii: "#") else { return nil }
      let isHexadecimal = [0x78, 0x58].contains(text.dropFirst(2).first)
      return number(text, after: isHexadecimal ? 3 : 2, digits: nil, radix: isHexadecimal ? 16 : 10, end: ";")
    case UInt8(ascii: "\\"):
      switch text.dropFirst().first {
      case UInt8(ascii: "u"), UInt8(ascii: "U"):
        return number(text, after: 2, digits: 4, radix: 16)
          ?? (text.dropFirst(2).first == UInt8(ascii: "{")
            ? number(text, after: 3, digits: nil, radix: 16, end: "}") : nil)
      case UInt8(ascii: "x"): return number(text, after: 2, digits: 2, radix: 16)
      case let byte?: return (byte, 2)
      case nil: return nil
      }
    default: return nil
    }
  }

  /// The number of an escape: so many digits, or up to a character that ends it.
  private static func number(
    _ text: ArraySlice<UInt8>, after start: Int, digits: Int?, radix: Int, end: Unicode.Scalar? = nil
  ) -> (byte: UInt8, length: Int)? {
    let rest = text.dropFirst(start)
    let own = digits.map { rest.prefix($0) } ?? rest.prefix(8).prefix { $0 != end.map { UInt8(ascii: $0) } }
    guard !own.isEmpty, own.count == digits ?? own.count,
      let value = Int(String(decoding: own, as: UTF8.self), radix: radix)
    else { return nil }
    // A character that is not of ASCII is left out.
    return (UInt8(exactly: value) ?? 0, start + own.count + (end == nil ? 0 : 1))
  }
}
