import Basics

/// How help screens are broken into lines: words that describe stand beside what they describe.
struct HelpLayout: Sendable {
  /// A term, and what it means.
  struct Row: Hashable, Sendable {
    let term: String
    let text: String

    init(_ term: String, _ text: String) {
      self.term = term
      self.text = text
    }
  }

  /// How many columns a line has.
  let width: Int

  /// - Parameter width: how many columns the reader's window has; very narrow and very wide ones are not followed.
  init(width: Int) { self.width = min(max(width, 40), 100) }

  /// That of the terminal, or 80 columns in a pipe.
  static var current: HelpLayout { HelpLayout(width: TerminalSize.current?.columns ?? 80) }

  /// A text in lines; words that are longer than a line stay whole.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - indent: the columns that stay empty before the first line.
  ///   - hanging: those before the others; as many as before the first unless it is given.
  /// - Returns: the lines.
  func wrapped(_ text: String, indent: Int = 0, hanging: Int? = nil) -> [String] {
    var lines: [String] = []
    var line = Self.space(indent)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.displayWidth + 1 + word.displayWidth > width {
        lines.append(line)
        line = Self.space(hanging ?? indent)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }

  /// Rows in two columns; where a term is too long for its column, what it means begins on the next line.
  func table(_ rows: [Row]) -> [String] {
    let most = max(18, width * 2 / 5)
    let column = rows.map(\.term.displayWidth).filter { $0 <= most }.max() ?? min(most, 8)
    let indent = column + 4
    return rows.flatMap { row -> [String] in
      guard !row.text.isEmpty else { return ["  \(row.term)"] }
      let text = wrapped(row.text, indent: indent)
      guard row.term.displayWidth <= column else { return ["  \(row.term)"] + text }
      let term = "  \(row.term)" + Self.space(column - row.term.displayWidth + 2)
      return [term + text[0].dropFirst(indent)] + text.dropFirst()
    }
  }

  private static func space(_ count: Int) -> String { String(repeating: " ", count: count) }
}
