import Basics

/// Writes the cells of rows one after the other, as a CSV table or as JSON objects, one per line.
struct RowWriter: Sendable {
  private let form: TableExport.Form
  /// What comes before each cell, in the order of the columns.
  private let beginnings: [[UInt8]]

  /// A writer of rows with these columns.
  init(_ form: TableExport.Form, _ fields: [ExportField]) {
    self.form = form
    beginnings = fields.enumerated().map { index, field in
      switch form {
      case .csv: Array((index == 0 ? "" : ",").utf8)
      case .jsonLines: Array("\(index == 0 ? "{" : ",")\(JSONValue.string(field.name).text()):".utf8)
      }
    }
  }

  private static let null = Array("null".utf8)

  private func missing(to rows: inout [UInt8]) { if form == .jsonLines { rows += Self.null } }

  /// Appends a text, or a missing one.
  func text(_ text: String?, at column: Int, to rows: inout [UInt8]) {
    rows += beginnings[column]
    guard let text else { return missing(to: &rows) }
    switch form {
    case .csv: rows += TableRow.field(TableRow.harmless(text)).utf8
    case .jsonLines: rows += JSONValue.string(text).text().utf8
    }
  }

  /// Appends a number with at most so many decimals; one that is not finite is missing.
  func number(_ number: Double?, decimals: Int, at column: Int, to rows: inout [UInt8]) {
    rows += beginnings[column]
    guard let number, number.isFinite else { return missing(to: &rows) }
    rows.append(number, decimals: decimals)
  }

  /// Appends `true` or `false`.
  func truth(_ truth: Bool, at column: Int, to rows: inout [UInt8]) {
    rows += beginnings[column]
    rows += truth ? "true".utf8 : "false".utf8
  }

  /// Appends any value.
  func value(_ value: JSONValue?, at column: Int, to rows: inout [UInt8]) {
    switch value {
    case .string(let text)?: self.text(text, at: column, to: &rows)
    case .null?, nil: text(nil, at: column, to: &rows)
    case let value?:
      rows += beginnings[column]
      rows += value.text().utf8
    }
  }

  /// Ends a row.
  func end(_ rows: inout [UInt8]) {
    if form == .jsonLines { rows.append(UInt8(ascii: "}")) }
    rows.append(UInt8(ascii: "\n"))
  }

  /// Appends a whole row.
  func row<Row>(_ row: Row, _ columns: [ExportColumn<Row>], to rows: inout [UInt8]) {
    for (index, column) in columns.enumerated() { value(column.cell(row), at: index, to: &rows) }
    end(&rows)
  }
}

/// A column of an exported table: its name, type and meaning.
struct ExportField: Hashable, Sendable {
  /// The type of its cells, by the names of the Table Schema specification.
  enum Kind: String, Sendable {
    case string
    case number
    /// A whole number.
    case integer
    /// `true` or `false`.
    case boolean
    /// An instant, in the form of RFC 3339.
    case datetime
  }

  /// The name, as camelCase with a unit after an underscore.
  let name: String
  let kind: Kind
  /// What a cell says.
  let meaning: String

  init(_ name: String, _ kind: Kind, _ meaning: String) {
    (self.name, self.kind, self.meaning) = (name, kind, meaning)
  }

  /// The field as a Table Schema describes it.
  var json: JSONValue {
    ["name": .string(name), "type": .string(kind.rawValue), "description": .string(meaning)]
  }
}

/// A column of an exported table with the content of its cells.
struct ExportColumn<Row>: Sendable {
  let field: ExportField
  /// The content of a row's cell; `nil` for an empty one.
  let cell: @Sendable (Row) -> JSONValue?

  init(_ name: String, _ kind: ExportField.Kind, _ meaning: String, _ cell: @escaping @Sendable (Row) -> JSONValue?) {
    (field, self.cell) = (ExportField(name, kind, meaning), cell)
  }
}
