import Testing

@testable import Basics

@Suite("Base 64")
struct Base64Tests {
  /// RFC 4648, section 10.
  private static let published = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]

  @Test("The published examples, in both directions", arguments: published)
  func examples(plain: String, text: String) {
    #expect(Array(plain.utf8).base64 == text)
    #expect([UInt8](base64: text) == Array(plain.utf8))
  }

  @Test("All bytes come back")
  func everything() {
    for count in 0..<300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
      #expect([UInt8](base64: bytes.base64) == bytes)
    }
  }

  @Test(
    "Any other text is refused",
    arguments: [
      "QQ=", "QQ", "Q", "QR==", "QQ==\n", " QQ==", "====", "A===", "QQ==QQ==", "Q\0==", "QQ=A", "Qé==", "QQ_-",
    ])
  func refused(text: String) { #expect([UInt8](base64: text) == nil) }
}
