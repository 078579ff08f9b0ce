import Basics

/// The layout of help screens: wrapped text, and tables of terms and their descriptions.
struct HelpLayout: Sendable {
  /// A term and its description.
  struct Row: Hashable, Sendable {
    let term: String
    let text: String

    init(_ term: String, _ text: String) {
      self.term = term
      self.text = text
    }
  }

  /// The columns in a line.
  let width: Int

  /// - Parameter width: the columns of the reader's window; limited to 40 to 100.
  init(width: Int) { self.width = min(max(width, 40), 100) }

  /// The layout for the terminal's width, or 80 columns in a pipe.
  static var current: HelpLayout { HelpLayout(width: TerminalSize.current?.columns ?? 80) }

  /// A text wrapped into lines; a word that is longer than a line is not broken.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - indent: the empty columns before the first line.
  ///   - hanging: the empty columns before the other lines; `indent` by default.
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

  /// Rows in two columns; the description of a term that is too long for its column begins on the next line.
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
