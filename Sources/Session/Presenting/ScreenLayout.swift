import Basics

/// Where the contents of a participant's screen stand on a terminal of a size.
struct ScreenLayout: Sendable {
  /// The contents from top to bottom, a row a line.
  struct Document: Sendable {
    struct Line: Sendable {
      var text: String
      var isBold = false
    }

    private(set) var lines: [Line] = []
    /// The lines that are to be seen while keys are pressed, once the end was seen; none before there is a cursor.
    private(set) var focus: Range<Int>?

    /// The line with which the question begins.
    private(set) var question = 0

    mutating func startQuestion() { question = lines.isEmpty ? 0 : lines.count + 1 }

    mutating func add(_ rows: [String], isBold: Bool = false) {
      guard !rows.isEmpty else { return }
      if !lines.isEmpty { lines.append(Line(text: "")) }
      lines += rows.map { Line(text: $0, isBold: isBold) }
    }

    mutating func add(_ entry: EntryRows) {
      add(entry.rows)
      let start = lines.count - entry.rows.count
      focus = start + entry.focus.lowerBound..<start + entry.focus.upperBound
    }
  }

  /// The rows of the terminal.
  let rows: [String]
  /// Whether something does not fit, and is scrolled.
  let isScrolled: Bool
  let showsEnd: Bool
  /// How many lines of the document are on the screen.
  let height: Int

  private let top: Int
  /// How many characters are before each line, spaces apart.
  private let before: [Int]

  /// Lays a document out.
  ///
  /// - Parameters:
  ///   - document: the contents.
  ///   - hint: which keys there are.
  ///   - more: the mark for more below.
  ///   - position: the trial's number in the session.
  ///   - size: the size of the terminal.
  ///   - width: the most columns of a line.
  ///   - above: how many characters are above the first row; `nil` to begin with the question.
  ///   - follows: whether the lines in focus are kept on the screen.
  init(
    _ document: Document, hint: [String], more: String, position: String, size: TerminalSize, width: Int, above: Int?,
    follows: Bool
  ) {
    var whole = document
    whole.add(hint)
    let end = position.isEmpty ? 0 : 1
    guard whole.lines.count + (end == 0 ? 0 : end + 1) > size.rows else {
      (isScrolled, showsEnd, height, top, before) = (false, true, document.lines.count, 0, [])
      let blank = max(0, (size.rows - whole.lines.count) / 2)
      let shown = Array(repeating: "", count: blank) + whole.lines.map { Self.centred($0, size.columns) }
      rows = Self.with(position, below: shown, size)
      return
    }
    // Marks above and below, the keys, and the position, as far as there is room for them beside the text.
    let isTiny = size.rows < 6
    let keys = isTiny || hint.count > size.rows / 2 ? [] : hint
    let lines = keys.isEmpty ? whole.lines : document.lines
    let before = Self.sums(lines)
    self.before = before
    height = max(1, size.rows - (isTiny ? 1 : 2 + keys.count + end))
    var first = above.map { above in before.lastIndex { $0 <= above } ?? 0 } ?? document.question
    first = max(0, min(first, lines.count - height))
    if follows, let focus = document.focus, !focus.isEmpty {
      first = min(max(first, focus.upperBound - height), focus.lowerBound)
    }
    top = max(0, min(first, lines.count - height))
    isScrolled = lines.count > height
    showsEnd = top + height >= lines.count
    let margin = String(repeating: " ", count: max(0, (size.columns - width) / 2))
    var shown = isTiny ? [] : [top > 0 ? (margin + Self.above).cut(to: size.columns) : ""]
    shown += lines[top..<min(top + height, lines.count)].map { line in
      line.isBold ? "\(margin)\u{1B}[1m\(line.text)\u{1B}[0m" : margin + line.text
    }
    shown += Array(repeating: "", count: max(0, (isTiny ? 0 : 1) + height - shown.count))
    shown.append(showsEnd ? "" : "\u{1B}[1m\(more.cut(to: size.columns))\u{1B}[0m")
    if showsEnd { shown += keys.map { Self.centred(.init(text: $0), size.columns) } }
    rows = Self.with(position, below: Array(shown.prefix(size.rows)), size)
  }

  /// The mark for more above.
  private static let above = "..."

  /// How many characters are above the first row after scrolling by some lines.
  func above(after lines: Int) -> Int {
    before.isEmpty ? 0 : before[max(0, min(top + lines, before.count - 1 - height))]
  }

  private static func sums(_ lines: [Document.Line]) -> [Int] {
    // A line counts at least one character, so that no two lines have the same place.
    lines.reduce(into: [0]) { sums, line in sums.append((sums.last ?? 0) + max(1, line.text.count { $0 != " " })) }
  }

  private static func centred(_ line: Document.Line, _ columns: Int) -> String {
    let margin = String(repeating: " ", count: max(0, (columns - line.text.displayWidth) / 2))
    return margin + (line.isBold ? "\u{1B}[1m\(line.text)\u{1B}[0m" : line.text)
  }

  private static func with(_ position: String, below rows: [String], _ size: TerminalSize) -> [String] {
    guard !position.isEmpty, rows.count < size.rows else { return rows }
    let margin = String(repeating: " ", count: max(0, size.columns - position.displayWidth - 1))
    return rows + Array(repeating: "", count: size.rows - 1 - rows.count) + [margin + position]
  }
}
