import Basics

/// Rows of text under headings, each column as wide as its widest entry.
struct Table: Sendable {
  /// The alignment of the entries of a column.
  enum Alignment: Sendable {
    case left
    case right
  }

  private let headings: [(String, Alignment)]
  private var rows: [[String]] = []

  init(_ headings: [(String, Alignment)]) { self.headings = headings }

  /// Adds a row; missing entries at its end are empty.
  mutating func add(_ row: [String]) { rows.append(row.map(\.visible)) }

  /// The rows as lines, headings first.
  var lines: [String] {
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
