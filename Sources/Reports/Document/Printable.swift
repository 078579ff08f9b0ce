import Basics

extension String {
  /// The text with what would break a line or turn its direction written out, and without what is no character.
  var printable: String {
    var text = visible
    text.unicodeScalars.removeAll { $0.value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains($0.value) }
    return text
  }

  /// The text cut where characters begin and end that ``printable`` has written out, `\\u{202E}`.
  ///
  /// They are read from left to right wherever they stand, and would be torn apart in words that are not.
  var escapes: [(text: String, isEscape: Bool)] {
    var parts: [(String, Bool)] = []
    for (place, piece) in split(separator: "\\u{", omittingEmptySubsequences: false).enumerated() {
      guard place > 0 else {
        parts.append((String(piece), false))
        continue
      }
      guard let end = piece.firstIndex(of: "}") else {
        parts.append(("\\u{" + piece, false))
        continue
      }
      parts.append(("\\u{" + piece[...end], true))
      parts.append((String(piece[piece.index(after: end)...]), false))
    }
    return parts.filter { !$0.0.isEmpty }
  }

  /// The longest stretch without a place where lines may break, in characters.
  var longestWord: Int { split { $0 == " " || $0 == "\u{a0}" }.map(\.count).max() ?? 0 }
}
