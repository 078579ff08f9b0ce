import Basics

/// A column of an exported table: its name, type and meaning.
package struct ExportField: Hashable, Sendable {
  /// The type of its cells, by the names of the Table Schema specification.
  package enum Kind: String, Sendable {
    /// A text.
    case string
    /// A number.
    case number
    /// A whole number.
    case integer
    /// `true` or `false`.
    case boolean
    /// An instant, in the form of RFC 3339.
    case datetime
  }

  /// The name, as camelCase with a unit after an underscore.
  package let name: String
  /// The type.
  package let kind: Kind
  /// What a cell says.
  package let meaning: String

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
