/// Rows of text under headings, each column as wide as its widest entry.
package struct TextTable: Sendable {
  /// The alignment of the entries of a column.
  package enum Alignment: Sendable {
    case left
    case right
  }

  private let headings: [(String, Alignment)]
  private var widths: [Int]
  private var rows: [[String]] = []

  package init(_ headings: [(String, Alignment)]) {
    self.headings = headings
    widths = headings.map(\.0.displayWidth)
  }

  /// Adds a row; missing entries at its end are empty.
  package mutating func add(_ row: [String]) {
    rows.append(row.map(\.visible))
    makeRoom(for: rows[rows.count - 1])
  }

  private mutating func makeRoom(for row: [String]) {
    for (column, text) in row.prefix(widths.count).enumerated() {
      widths[column] = max(widths[column], text.displayWidth)
    }
  }

  /// The rows as lines, headings first.
  package var lines: [String] { [line(headings.map(\.0))] + rows.map(line) }

  private func line(_ row: [String]) -> String {
    var line = ""
    for (column, width) in widths.enumerated() {
      let text = row.count > column ? row[column] : ""
      line += (column > 0 ? "  " : "") + text.padded(to: width, isRight: headings[column].1 == .right)
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Passes on the lines of many things, headings first; their rows are made twice, for the widths and for the lines, so that
  /// none need be kept.
  package static func write<Thing>(
    _ headings: [(String, Alignment)], of things: [Thing], _ row: (Thing) -> [String], line: (String) -> Void
  ) {
    var table = TextTable(headings)
    for thing in things { table.makeRoom(for: row(thing).map(\.visible)) }
    line(table.line(headings.map(\.0)))
    for thing in things { line(table.line(row(thing).map(\.visible))) }
  }
}

/// The form of an output.
package enum OutputForm: Sendable {
  /// Text for people.
  case people
  case json
  /// A table of comma-separated values.
  case csv
}

/// Where listings are printed.
package protocol Printer: Sendable {
  /// Prints a line for people; control characters are escaped.
  func line(_ text: String)

  /// Prints bytes unchanged.
  func write(_ bytes: [UInt8])

  /// Prints a problem, apart from the listing.
  func report(_ text: String)
}
