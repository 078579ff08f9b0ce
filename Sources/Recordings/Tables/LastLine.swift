package import Basics

/// Finds a last line that was probably cut off: it has no line end, and is shorter than the others.
package struct LastLine: Hashable, Sendable {
  private var count = 0
  // The length of the shortest last field.
  private var shortest = Int.max
  private var cut: Int?

  /// Creates a finder for one file.
  package init() {}

  /// Takes the fields of the next row.
  ///
  /// - Parameters:
  ///   - fields: the fields.
  ///   - columns: how many there should be.
  ///   - row: the row.
  package mutating func take(_ fields: [String], of columns: Int, _ row: RowCutter.Row) {
    let length = fields.last?.utf8.count ?? 0
    if row.isOpen, count > 1, fields.count < columns || length < shortest { cut = row.line }
    count += 1
    shortest = min(shortest, length)
  }

  /// The caveat on it; `nil` for a file that is probably whole.
  package var caveat: RecordingCaveat? { cut.map { .lastLineOpen(line: $0) } }
}
