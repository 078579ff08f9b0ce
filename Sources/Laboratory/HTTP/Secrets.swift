import Basics

/// The secrets of a request, which no message, file or outbox may get back from a server's answer.
///
/// There is no list of all forms in which an answer can repeat a secret. Of an answer to a request with a secret only plain
/// words are therefore told: texts with escapes, codes or many numbers are not.
struct Secrets: Sendable {
  /// What to look for in the folded letters and digits of a text: as it is and backwards, and in encodings.
  private var plain: [[UInt8]] = []
  private var encoded: [[UInt8]] = []

  /// The number of successive characters of a secret, and of an encoding of it, that give it away.
  private static let (part, encodedPart) = (4, 8)

  init() {}

  /// Adds a secret.
  mutating func add(_ secret: String) {
    let bytes = Array(secret.utf8)
    guard !bytes.isEmpty else { return }
    let letters = secret.foldedLetters
    // A secret without letters and digits could not be found: no words are told then.
    plain += [letters, letters.reversed()]
    encoded += ([bytes.hexDigits] + (0..<3).map { Self.core(bytes, after: $0) }).map(\.foldedLetters)
      .filter { $0.count >= Self.part }
  }

  /// The characters in base 64 that do not depend on what stands around the bytes, which begin after so many others.
  private static func core(_ bytes: [UInt8], after count: Int) -> String {
    let text = ([UInt8](repeating: 0, count: count) + bytes).base64
    let whole = (count + bytes.count) * 8 / 6
    return String(text.prefix(whole).dropFirst(count == 0 ? 0 : count + 1))
  }

  /// Whether a text may repeat a secret or a part of one: it has a part of it, backwards or in base 64 or hexadecimal
  /// digits too, or is more than plain words.
  func mayBeIn(_ text: String) -> Bool {
    guard !plain.isEmpty else { return false }
    let letters = text.foldedLetters
    return !text.isOfPlainWords || plain.contains { letters.holdsPart(of: $0, Self.part) }
      || encoded.contains { letters.holdsPart(of: $0, Self.encodedPart) }
  }
}

extension String {
  /// The letters and digits of ASCII, in small letters.
  fileprivate var foldedLetters: [UInt8] {
    utf8.compactMap { byte in
      switch byte {
      case 0x41...0x5A: byte + 0x20
      case 0x30...0x39, 0x61...0x7A: byte
      default: nil
      }
    }
  }

  /// Whether it is what a person would write: no escapes, no long codes, and few numbers.
  fileprivate var isOfPlainWords: Bool {
    guard unicodeScalars.allSatisfy(\.isOfPlainText), !contains("\\"), !contains("&#"),
      !contains(/[%=][0-9A-Za-z]/)
    else { return false }
    let words = split { !($0.isLetter || $0.isNumber) }
    let numbers = words.filter { $0.contains { $0.isNumber } }
    return words.allSatisfy { $0.count <= 24 } && numbers.allSatisfy { $0.count <= 12 } && numbers.count <= 7
  }
}

extension Unicode.Scalar {
  /// Whether it belongs to the usual letters and signs of a language: not invisible, and no other form of a letter.
  fileprivate var isOfPlainText: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0xA1...0xAC, 0xAE...0x1CFF, 0x1E00...0x1FFF, 0x2010...0x2027, 0x3001...0x30FF,
      0x4E00...0x9FFF, 0xAC00...0xD7A3:
      true
    default: false
    }
  }
}

extension [UInt8] {
  /// Whether a part of another text is in this one, of so many characters, or of all if there are fewer.
  fileprivate func holdsPart(of other: [UInt8], _ count: Int) -> Bool {
    let length = Swift.min(count, other.count)
    guard self.count >= length else { return false }
    let parts = Set((0...other.count - length).map { Array(other[$0..<$0 + length]) })
    return (0...self.count - length).contains { parts.contains(Array(self[$0..<$0 + length])) }
  }
}
