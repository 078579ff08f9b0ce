/// Rows of delimiter-separated fields, quoted according to RFC 4180.
package enum TableRow: Sendable {
  /// The supported delimiters: commas, semicolons and tabs.
  package static let delimiters: [Unicode.Scalar] = [",", ";", "\t"]

  /// Whether a line only declares the delimiter, as the first line of some spreadsheet exports does: `sep=;`.
  package static func isSeparator(_ line: some Collection<UInt8>) -> Bool { separator(declaredBy: line) != nil }

  /// The delimiter that a line declares; `nil` for any other line.
  ///
  /// Programs that saved the table again may have added empty columns, and people blanks: `sep=;;;`, `sep = ;`.
  package static func separator(declaredBy line: some Collection<UInt8>) -> Unicode.Scalar? {
    let bytes = line.filter { !"\"\r ".utf8.contains($0) }
    guard bytes.count >= 5, bytes.prefix(4).map({ $0 | 0x20 }).elementsEqual("sep=".utf8.map { $0 | 0x20 }) else {
      return nil
    }
    let declared = Unicode.Scalar(bytes[4])
    let isAlone = bytes[5...].allSatisfy { delimiters.contains(Unicode.Scalar($0)) }
    return isAlone && delimiters.contains(declared) ? declared : nil
  }

  /// A field, unquoted and trimmed.
  package struct Field: Hashable, Sendable {
    package let text: String

    /// The column of its first character, from 1.
    package let column: Int

    /// The index of its first byte in the row.
    package let offset: Int
  }

  /// The delimiter with which most fields of a header are known; of several, the first.
  package static func delimiter(of header: String, isKnown: (String) -> Bool) -> Unicode.Scalar {
    func known(_ delimiter: Unicode.Scalar) -> Int { fields(of: header, delimiter).count { isKnown($0.text) } }
    return delimiters.reduce(delimiters[0]) { known($1) > known($0) ? $1 : $0 }
  }

  package static func fields(of row: String, _ delimiter: Unicode.Scalar) -> [Field] {
    let bytes = row.utf8.span
    var fields: [Field] = []
    var (start, column) = (0, 1)
    while true {
      let end = end(of: bytes, from: start, UInt8(ascii: delimiter))
      fields.append(Field(text: unquoted(bytes.extracting(start..<end)), column: column, offset: start))
      guard end < bytes.count else { return fields }
      // Bytes that continue a character do not count.
      column += (start...end).count { bytes[$0] & 0xC0 != 0x80 }
      start = end + 1
    }
  }

  /// The number of a row's fields.
  package static func count(of row: Span<UInt8>, _ delimiter: UInt8) -> Int {
    var (count, last) = (1, end(of: row, from: 0, delimiter))
    while last < row.count { (count, last) = (count + 1, end(of: row, from: last + 1, delimiter)) }
    return count
  }

  /// The end of the field that starts at an index of a row: the next delimiter that is not quoted, or the row's end.
  package static func end(of row: Span<UInt8>, from start: Int, _ delimiter: UInt8) -> Int {
    var quotes = Quotes()
    var end = start
    while end < row.count, row[end] != delimiter || quotes.isOpen {
      _ = quotes.take(row[end])
      end += 1
    }
    return end
  }

  /// The text of a field: without its quotes, and trimmed.
  package static func unquoted(_ field: Span<UInt8>) -> String {
    var quotes = Quotes()
    var text: [UInt8] = []
    for index in field.indices where quotes.take(field[index]) { text.append(field[index]) }
    while text.last == UInt8(ascii: " ") { text.removeLast() }
    return String(decoding: text.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// The quotes of a field.
  private struct Quotes {
    private(set) var isOpen = false
    // Whether the preceding byte was a closing quote, and whether the field is blank so far.
    private var wasOpen = false
    private var isBlank = true

    /// Takes the next byte and returns whether it belongs to the text, as one of a doubled quote does.
    mutating func take(_ byte: UInt8) -> Bool {
      let isQuote = byte == UInt8(ascii: "\"") && (isOpen || wasOpen || isBlank)
      let isText = !isQuote || wasOpen && !isOpen
      if isText, byte != UInt8(ascii: " ") { isBlank = false }
      wasOpen = isQuote && isOpen
      if isQuote { isOpen.toggle() }
      return isText
    }
  }

  /// A text as a field, quoted if it contains a comma, a quote or a line end.
  package static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// Texts as a comma-separated row, without a line end.
  package static func text(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") }
}

extension TableRow {
  /// A text that no program takes for anything else in a table: on one line, without characters that change the writing
  /// direction, and not a formula of a spreadsheet.
  ///
  /// A text that begins with `=`, `+`, `-` or `@` and is neither a number nor a range such as `-60:0` gets an apostrophe before it, as spreadsheets expect it.
  package static func harmless(_ text: String) -> String {
    let shown = text.visible
    guard let first = shown.unicodeScalars.first, formulaBeginnings.contains(first), !isNumeric(shown) else {
      return shown
    }
    return "'\(shown)"
  }

  /// Whether a text is a number, or two with a colon between them.
  private static func isNumeric(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { Double($0) != nil }
  }

  /// The characters with which formulas begin, and their wide forms.
  private static let formulaBeginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
}

/// The encodings of Unicode text with two or four bytes per character.
package enum UnicodeForm: String {
  case utf16 = "UTF-16"
  case utf16LittleEndian = "UTF-16LE"
  case utf16BigEndian = "UTF-16BE"
  case utf32 = "UTF-32"
  case utf32LittleEndian = "UTF-32LE"
  case utf32BigEndian = "UTF-32BE"

  /// Recognises the encoding by the byte order mark, or by the zeros in the first characters; `nil` for any other
  /// bytes.
  package init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      self = .utf32
    } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16
    } else {
      // The pattern of four characters, or two, from ASCII.
      let zeros = bytes.prefix(8).map { $0 == 0 }
      switch zeros {
      case [false, true, true, true, false, true, true, true]: self = .utf32LittleEndian
      case [true, true, true, false, true, true, true, false]: self = .utf32BigEndian
      case [false, true, false, true, false, true, false, true]: self = .utf16LittleEndian
      case [true, false, true, false, true, false, true, false]: self = .utf16BigEndian
      default: return nil
      }
    }
  }
}
