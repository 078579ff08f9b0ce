import Glibc

extension String {
  /// The text for a terminal that shows ASCII only, with the same width in columns.
  ///
  /// Letters lose their marks, and quotation marks, dashes and the station's own signs become similar ones; every other
  /// character becomes a question mark for each of its columns.
  package var ascii: String {
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
    return reduce(into: "") { text, character in
      guard !character.isASCII else { return text.append(character) }
      text += Self.similar[character] ?? String(repeating: "?", count: character.displayWidth)
    }
  }

  /// Whether each of its characters has a similar one in ASCII.
  package var hasASCII: Bool {
    allSatisfy { $0.isASCII || Self.similar[$0] != nil || $0.displayWidth == 0 }
  }

  private static let similar: [Character: String] = {
    var similar: [Character: String] = [:]
    for (plain, marked) in [
      ("A", "ÀÁÂÃÄÅÆĀĂĄ"), ("C", "ÇĆĈĊČ"), ("D", "ÐĎĐ"), ("E", "ÈÉÊËĒĔĖĘĚ"), ("G", "ĜĞĠĢ"), ("H", "ĤĦ"),
      ("I", "ÌÍÎÏĨĪĬĮİ"), ("J", "Ĵ"), ("K", "Ķ"), ("L", "ĹĻĽĿŁ"), ("N", "ÑŃŅŇ"), ("O", "ÒÓÔÕÖØŒŌŎŐ"), ("R", "ŔŖŘ"),
      ("S", "ŚŜŞŠȘ"), ("T", "ŢŤŦȚ"), ("U", "ÙÚÛÜŨŪŬŮŰŲ"), ("W", "Ŵ"), ("Y", "ÝŸŶ"), ("Z", "ŹŻŽ"),
      ("a", "àáâãäåæāăą"), ("c", "çćĉċč"), ("d", "ðďđ"), ("e", "èéêë€ēĕėęě"), ("g", "ĝğġģ"), ("h", "ĥħ"),
      ("i", "ìíîïĩīĭįı"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľŀł"), ("n", "ñńņň"), ("o", "òóôõöøœ°ōŏő"), ("r", "ŕŗř"),
      ("s", "ßśŝşšș"), ("t", "ţťŧț"), ("u", "ùúûüµũūŭůűų"), ("w", "ŵ"), ("y", "ýÿŷ"), ("z", "źżž"),
      ("\"", "“”„«»"), ("'", "’‘‚"), ("-", "–—−"), (".", "…·"), ("x", "×"), ("*", "♥•"), ("~", "♪"), ("!", "¡"),
      ("?", "¿"), ("<", "←"), (">", "→"), ("^", "↑"), ("v", "↓"), (" ", "\u{A0}\u{202F}"),
    ] { for character in marked { similar[character] = plain } }
    return similar
  }()
}

extension String {
  /// Whether the bytes of the text in UTF-8 come before those of another: an order that no version of Unicode changes.
  package func precedes(_ other: String) -> Bool {
    let answer = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.utf8.withContiguousStorageIfAvailable { others in
        guard let start = bytes.baseAddress, let other = others.baseAddress else { return bytes.count < others.count }
        let order = unsafe memcmp(start, other, min(bytes.count, others.count))
        return order == 0 ? bytes.count < others.count : order < 0
      }
    }
    return (answer ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension Sequence<UInt8> {
  /// Two lower-case hexadecimal digits for each byte.
  package var hexDigits: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
