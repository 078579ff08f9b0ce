/// Rows of text under headings, each column as wide as its widest entry.
package struct TextTable: Sendable {
  /// The alignment of the entries of a column.
  package enum Alignment: Sendable {
    case left
    case right
  }

  private let headings: [(String, Alignment)]
  private var rows: [[String]] = []

  package init(_ headings: [(String, Alignment)]) { self.headings = headings }

  /// Adds a row; missing entries at its end are empty.
  package mutating func add(_ row: [String]) { rows.append(row.map(\.visible)) }

  /// The rows as lines, headings first.
  package var lines: [String] {
    let all = [headings.map(\.0)] + rows
    let widths = headings.indices.map { column in all.map { $0.count > column ? $0[column].displayWidth : 0 }.max() ?? 0
    }
    return all.map { row in
      let cells = headings.indices.map { column in
        let text = row.count > column ? row[column] : ""
        let space = String(repeating: " ", count: widths[column] - text.displayWidth)
        return headings[column].1 == .left ? text + space : space + text
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
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
