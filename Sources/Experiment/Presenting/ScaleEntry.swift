import Basics
import Study

/// What a person enters at the station for a question with a scale: a typed number, or a mark moved with the arrow keys.
struct ScaleEntry: Hashable, Sendable {
  let question: Question
  let scale: ScaleAnswerFormat
  /// Whether the number is read as it stands on a line, unseen while it is typed.
  private let isLine: Bool
  /// The number entered so far, which may not be on the scale yet; `nil` before the first key.
  private(set) var number: Int?
  /// Why the last answer was not accepted; forgotten with the next key.
  var problem: AnswerProblem?

  init(_ question: Question, isLine: Bool = false) {
    (self.question, self.isLine) = (question, isLine)
    switch question.format {
    case .scale(let scale): self.scale = scale
    }
  }

  /// The words for the entered number, if it has any.
  var anchor: String? { number.flatMap { scale.anchors[$0] } }

  /// `1 (unpleasant), 5 (neutral), 9 (pleasant)`, for a presenter that does not draw the scale.
  var legend: String {
    let marked = Set(scale.anchors.keys).union([scale.minimum, scale.maximum]).sorted()
    return marked.map { number in "\(number)" + (scale.anchors[number].map { " (\($0))" } ?? "") }
      .joined(separator: ", ")
  }

  /// The entry for a status line: `5 (neutral); Return confirms`.
  var status: String {
    if let problem { return problem.words(scale) }
    guard let number else { return "a digit or an arrow key chooses" }
    return "\(number)" + (anchor.map { " (\($0))" } ?? "") + "; Return confirms"
  }

  /// Forgets what was entered.
  mutating func clear() { number = nil }

  mutating func take(_ key: OperatorKey) -> KeyUse {
    switch key {
    case .letter(let letter) where letter.isASCII && letter.isNumber:
      type(letter.wholeNumberValue ?? 0)
    case .letter("\u{7F}"), .letter("\u{8}"):
      number = number.flatMap { $0 >= 10 ? $0 / 10 : nil }
    case .arrow(.right), .arrow(.up): move(by: 1)
    case .arrow(.left), .arrow(.down): move(by: -1)
    case .enter:
      guard let number else { return .unused }
      return .answers(.integer(number))
    case .letter(let letter) where isLine && !letter.isWhitespace:
      // 7.5 is no 75: what is not a number as a whole is on no scale.
      number = Self.noNumber
    case .letter, .end: return .unused
    }
    problem = nil
    return .used
  }

  /// Above every scale.
  private static let noNumber = 999_999

  /// A further digit; on a screen, one that leads beyond the scale begins another number.
  private mutating func type(_ digit: Int) {
    let longer = (number ?? 0) * 10 + digit
    number = longer <= scale.maximum || isLine ? min(longer, Self.noNumber) : digit
  }

  /// The first arrow key shows the mark in the middle.
  private mutating func move(by distance: Int) {
    let next = number.map { $0 + distance } ?? (scale.minimum + scale.maximum) / 2
    number = min(max(next, scale.minimum), scale.maximum)
  }
}

extension AnswerProblem {
  /// The problem for an operator.
  func words(_ scale: ScaleAnswerFormat?) -> String {
    let range = scale.map { " from \($0.minimum) to \($0.maximum)" } ?? ""
    return switch self {
    case .missing: "an answer is required: choose a number\(range)"
    case .outOfRange(let value): "\(value) is not on the scale: choose a number\(range)"
    }
  }
}

extension ScaleEntry {
  /// The most columns between two neighbouring numbers.
  private static let widestStep = 8

  /// The scale as rows of equal width, with a mark and the anchors below their numbers; in ASCII apart from the anchors.
  func rows(width: Int) -> [String] {
    let digits = "\(scale.maximum)".count
    let steps = scale.maximum - scale.minimum
    // A number takes its digits and the brackets of the mark.
    let cell = digits + 2
    let step = min(Self.widestStep, max(0, width - cell) / steps)
    let isDense = step < cell
    let length = isDense ? max(width, cell) : steps * step + cell
    func place(_ number: Int) -> Int {
      let offset = isDense ? (number - scale.minimum) * (length - cell) / steps : (number - scale.minimum) * step
      return offset + cell / 2
    }
    var line = Row(length, of: "-")
    for number in isDense ? [scale.minimum, scale.maximum] : Array(scale.range) {
      line.put("\(number)", around: place(number))
    }
    if let number, scale.range.contains(number) { line.put("[\(number)]", around: place(number)) }
    return [line.text] + anchorRows(length, place)
  }

  /// The anchors, each around its number; those that would touch go to another row.
  private func anchorRows(_ length: Int, _ place: (Int) -> Int) -> [String] {
    var rows: [(row: Row, end: Int)] = []
    for (number, words) in scale.anchors.sorted(by: { $0.key < $1.key }) where scale.range.contains(number) {
      let text = words.visible.cut(to: length)
      let start = min(max(0, place(number) - text.displayWidth / 2), length - text.displayWidth)
      var index = rows.firstIndex { $0.end < start }
      if index == nil {
        rows.append((Row(length, of: " "), -1))
        index = rows.count - 1
      }
      guard let index else { continue }
      rows[index].row.put(text, at: start)
      rows[index].end = start + text.displayWidth
    }
    return rows.map(\.row.text)
  }

  /// A row of a terminal, into which texts are put by their column.
  private struct Row {
    private var cells: [String]

    init(_ length: Int, of filling: String) { cells = Array(repeating: filling, count: length) }

    var text: String { cells.joined() }

    mutating func put(_ text: String, around centre: Int) { put(text, at: centre - text.displayWidth / 2) }

    // The first cell holds the text, and the others that it covers are empty.
    mutating func put(_ text: String, at start: Int) {
      let start = max(0, min(start, cells.count - text.displayWidth))
      for index in start..<start + text.displayWidth { cells[index] = "" }
      cells[start] = text
    }
  }
}
