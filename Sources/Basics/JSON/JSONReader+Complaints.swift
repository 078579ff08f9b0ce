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
