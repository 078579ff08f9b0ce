import Testing

@testable import Session

@Suite("The keys of a terminal")
struct KeyDecoderTests {
  @Test(
    "Bytes become keys; sequences of other keys mean nothing",
    arguments: [
      ("7p", [.letter("7"), .letter("p")]), ("\u{1B}[C\u{1B}[D", [.arrow(.right), .arrow(.left)]),
      ("\u{1B}OA\u{1B}OB", [.arrow(.up), .arrow(.down)]), ("\u{1B}[1;5C", [.arrow(.right)]),
      ("\u{1B}[3~s", [.letter("s")]), ("\u{1B}[5~\u{1B}[6~", [.jump(.pageUp), .jump(.pageDown)]),
      ("\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~", [.jump(.home), .jump(.end), .jump(.home), .jump(.end)]),
      ("\u{14}\u{10}", [.letter("\u{10}")]),
      ("\u{1B}\n", [.enter]), ("\u{1B}[\n7", [.enter, .letter("7")]), ("\r\n\n", [.enter, .enter]),
      ("\u{1B}p", [.letter("p")]), ("\u{7F}", [.letter("\u{7F}")]), ("\u{1B}[15~\u{1B}[C", [.arrow(.right)]),
      ("ß€🎵", [.letter("ß"), .letter("€"), .letter("🎵")]), ("\u{202E}", [.letter("\u{202E}")]), ("\u{85}\u{9B}", []),
    ] as [(String, [OperatorKey])])
  func keys(text: String, keys: [OperatorKey]) {
    #expect(Self.keys(of: Array(text.utf8)) == keys)
  }

  @Test(
    "Bytes that are not UTF-8 are left out, and what follows them is read",
    arguments: [
      ([0xE9, 0x61], "a"), ([0xC3, 0xC3, 0xBC], "ü"), ([0x80, 0x62], "b"), ([0xED, 0xA0, 0x80, 0x63], "c"),
      ([0xF0, 0x9F, 0x0A], "\n"), ([0xFF, 0xFE, 0x64], "d"), ([0xC0, 0x80, 0x65], "e"), ([0xF4, 0x90, 0x80, 0x80], ""),
    ] as [([UInt8], String)])
  func invalid(bytes: [UInt8], text: String) {
    #expect(Self.keys(of: bytes) == text.map { $0 == "\n" ? .enter : .letter($0) })
  }

  @Test("Of a paste without a Return no more is taken than the longest answer can use; then everything is read again")
  func paste() {
    let limit = KeyDecoder.maxTextLength
    let keys = Self.keys(of: [UInt8](repeating: 0x61, count: limit + 5) + [0x0A, 0x62])
    #expect(keys.count == limit + 2 && keys.suffix(2) == [.enter, .letter("b")])
  }

  private static func keys(of bytes: [UInt8]) -> [OperatorKey] {
    var decoder = KeyDecoder()
    return bytes.compactMap { decoder.take($0) }
  }
}
