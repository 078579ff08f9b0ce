/// Rows of fields that a delimiter separates, quoted as in RFC 4180.
package enum TableRow: Sendable {
  /// What can separate fields: commas, semicolons and tabs.
  package static let delimiters: [Unicode.Scalar] = [",", ";", "\t"]

  /// Whether a line only says what separates the fields of the others, as spreadsheets begin: `sep=;`.
  package static func isSeparator(_ line: some Collection<UInt8>) -> Bool {
    let bytes = line.filter { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\r") }
    guard bytes.count == 5, bytes.prefix(4).map({ $0 | 0x20 }).elementsEqual("sep=".utf8.map { $0 | 0x20 }) else {
      return false
    }
    return delimiters.contains(Unicode.Scalar(bytes[4]))
  }

  /// A field with its quotes resolved and without blanks around it.
  package struct Field: Hashable, Sendable {
    /// What stands in it.
    package let text: String

    /// Where it begins, in characters from 1.
    package let column: Int
  }

  /// The delimiter that makes the most of a header's fields known; of several the first.
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
    // Whether the character before was a quote that closed.
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
        // Two in a quoted field stand for one.
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

  /// A text as a field: in quotes where it holds a comma, a quote or a line's end.
  package static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// Texts as a row of fields that commas separate, without a line's end.
  package static func text(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") }
}

extension String {
  fileprivate var trimmed: String {
    let rest = drop { $0 == " " }
    return String(rest.reversed().drop { $0 == " " }.reversed())
  }
}
