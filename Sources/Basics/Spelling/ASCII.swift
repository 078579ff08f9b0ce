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

  private static let similar: [Character: String] = {
    var similar: [Character: String] = [:]
    for (plain, marked) in [
      ("A", "ÀÁÂÃÄÅÆ"), ("C", "Ç"), ("E", "ÈÉÊË"), ("I", "ÌÍÎÏ"), ("N", "Ñ"), ("O", "ÒÓÔÕÖØŒ"), ("U", "ÙÚÛÜ"),
      ("Y", "ÝŸ"),
      ("a", "àáâãäåæ"), ("c", "ç"), ("e", "èéêë€"), ("i", "ìíîï"), ("n", "ñ"), ("o", "òóôõöøœ°"), ("s", "ß"),
      ("u", "ùúûüµ"), ("y", "ýÿ"), ("\"", "“”„«»"), ("'", "’‘"), ("-", "–—−"), (".", "…·"), ("x", "×"), ("*", "♥•"),
      ("~", "♪"), ("!", "¡"), (" ", "\u{A0}\u{202F}"),
    ] { for character in marked { similar[character] = plain } }
    return similar
  }()
}
