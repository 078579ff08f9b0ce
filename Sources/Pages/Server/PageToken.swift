import Basics

/// What a browser shows to be let in: 128 random bits, new for every session.
package struct PageToken: Hashable, Sendable {
  /// The bits as 32 hexadecimal digits.
  package let text: String

  package init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<2).map { _ in UInt64.random(in: 0 ... .max, using: &generator).paddedHex }.joined()
  }

  /// A token with this text.
  init(text: String) { self.text = text }

  /// Whether a field `Authorization` has the token; takes as long for any other text of its length.
  func isMeant(by field: String) -> Bool {
    let (given, wanted) = (Array(field.utf8), Array("Bearer \(text)".utf8))
    guard given.count == wanted.count else { return false }
    return zip(given, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension UInt64 {
  fileprivate var paddedHex: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
