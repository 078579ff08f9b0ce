/// The size of a terminal in columns and rows.
package struct TerminalSize: Hashable, Sendable {
  /// The number of columns.
  package let columns: Int
  /// The number of rows.
  package let rows: Int

  /// Creates a size.
  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}
