/// Rows of delimiter-separated fields, quoted according to RFC 4180.
package enum TableRow: Sendable {
  /// The supported delimiters: commas, semicolons and tabs.
  package static let delimiters: [Unicode.Scalar] = [",", ";", "\t"]

  /// Whether a line only declares the delimiter, as the first line of some spreadsheet exports does: `sep=;`.
  package static func isSeparator(_ line: some Collection<UInt8>) -> Bool {
    let bytes = line.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\r") }
    guard bytes.count == 5, bytes.prefix(4).map({ $0 | 0x20 }).elementsEqual("sep=".utf8.map { $0 | 0x20 }) else {
      return false
    }
    return delimiters.contains(Unicode.Scalar(bytes[4]))
  }

  /// A field, unquoted and trimmed.
  package struct Field: Hashable, Sendable {
    /// The text of the field.
    package let text: String

    /// The column of its first character, from 1.
    package let column: Int
  }

  /// The delimiter with which most fields of a header are known; of several, the first.
  package static func delimiter(of header: String, isKnown: (String) -> Bool) -> Unicode.Scalar {
    func known(_ delimiter: Unicode.Scalar) -> Int { fields(of: header, delimiter).count { isKnown($0.text) } }
    return delimiters.reduce(delimiters[0]) { known($1) > known($0) ? $1 : $0 }
  }

  /// The fields of a row.
  package static func fields(of row: String, _ delimiter: Unicode.Scalar) -> [Field] {
    var fields: [Field] = []
    var field = String.UnicodeScalarView()
    var column = 1
    var start = 1
    var isQuoted = false
    // Whether the preceding character was a closing quote.
    var wasQuoted = false
    func finish() {
      let text = String(field)
      let isPadded = field.first.map { $0 == " " } ?? false || field.last.map { $0 == " " } ?? false
      fields.append(Field(text: isPadded ? text.trimmed : text, column: start))
      field = String.UnicodeScalarView()
      wasQuoted = false
    }
    for scalar in row.unicodeScalars {
      if scalar == "\"", isQuoted || wasQuoted || field.allSatisfy({ $0 == " " }) {
        // A doubled quote in a quoted field represents one quote.
        if !isQuoted, wasQuoted { field.append(scalar) }
        wasQuoted = isQuoted
        isQuoted.toggle()
      } else if scalar == delimiter, !isQuoted {
        finish()
        start = column + 1
      } else {
        field.append(scalar)
        wasQuoted = false
      }
      column += 1
    }
    finish()
    return fields
  }

  /// A text as a field, quoted if it contains a comma, a quote or a line end.
  package static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// Texts as a comma-separated row, without a line end.
  package static func text(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") }
}

extension String {
  fileprivate var trimmed: String {
    let rest = drop { $0 == " " }
    return String(rest.reversed().drop { $0 == " " }.reversed())
  }
}
