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

  let width: Int

  /// - Parameter width: the columns of the reader's window; limited to 40 to 100.
  init(width: Int) { self.width = min(max(width, 40), 100) }

  /// The layout for the terminal's width, or 80 columns in a pipe.
  static var current: HelpLayout { HelpLayout(width: TerminalSize.current?.columns ?? 80) }

  /// A text wrapped into lines, with empty columns before the first line and before the others; a word that is longer
  /// than a line is not broken.
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

extension Command {
  /// `station run PROTOCOL --participant ID [options]`, as the help and the errors show it.
  var usage: String { "station \(usageWords.joined(separator: " "))" }

  /// The words of the usage line after the program's name.
  var usageWords: [String] {
    let required = options.filter(\.isRequired).map(\.spelling)
    let rest = required.count == options.count ? "" : "[options]"
    return ([name, operands] + required + [rest]).filter { !$0.isEmpty }
  }

  /// The help screen, with lines of at most `width` columns unless a single word is longer.
  func help(width: Int) -> String {
    let layout = HelpLayout(width: width)
    var lines = layout.wrapped("usage: \(usage)", indent: 0, hanging: 7)
    lines += [""] + layout.wrapped(summary)
    let rows = options.map { HelpLayout.Row($0.shown, $0.summary) }
    if !rows.isEmpty { lines += [""] + layout.table(rows) }
    for section in sections { lines += [""] + layout.wrapped(section.title) + layout.table(section.rows) }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Option {
  /// `--sensor NAME=SENSOR…`, in a help screen: “…” marks an option that may be given several times.
  var shown: String { spelling + (repeats ? "…" : "") }

  /// `--participant ID`.
  var spelling: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
}
