import Basics

extension String {
  /// The text with escapes for characters that break lines or change the writing direction, and without noncharacters.
  var printable: String {
    var text = visible
    text.unicodeScalars.removeAll { $0.value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains($0.value) }
    return text
  }

  /// The text split at the escapes, `\\u{202E}`, that ``printable`` has inserted.
  ///
  /// Escapes are left-to-right everywhere, and right-to-left text would reorder their parts.
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

  /// The length of the longest run without a line-break opportunity, in characters.
  var longestWord: Int { split { $0 == " " || $0 == "\u{a0}" }.map(\.count).max() ?? 0 }
}
