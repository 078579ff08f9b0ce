import Basics
import Study

/// A number on a scale: typed, or a mark moved with the arrow keys.
struct ScaleEntry: AnswerEntry {
  private let scale: ScaleAnswerFormat
  /// The number entered so far, which may not be on the scale yet; `nil` before the first key.
  private(set) var number: Int?

  init(_ scale: ScaleAnswerFormat) { self.scale = scale }

  /// The number with its words, if it has any.
  var status: String {
    guard let number else { return "a digit or an arrow key chooses" }
    return "\(number)" + (scale.anchors[number].map { " (\($0))" } ?? "") + "; Return confirms"
  }

  mutating func take(_ key: OperatorKey) -> KeyUse {
    switch key {
    case .arrow(.right), .arrow(.up): move(by: 1)
    case .arrow(.left), .arrow(.down): move(by: -1)
    case .enter: return number.map { .answers(.integer($0)) } ?? .unused
    case _ where key.isBackspace: number = number.flatMap { $0 >= 10 ? $0 / 10 : nil }
    case .letter(let letter), .typed(let letter):
      guard letter.isASCII, let digit = letter.wholeNumberValue else { return .unused }
      type(digit)
    case .end: return .unused
    }
    return .used
  }

  /// A further digit; one that leads beyond the scale begins another number.
  private mutating func type(_ digit: Int) {
    let longer = (number ?? 0) * 10 + digit
    number = longer <= scale.maximum ? longer : digit
  }

  /// The first arrow key shows the mark in the middle.
  private mutating func move(by distance: Int) {
    let next = number.map { $0 + distance } ?? (scale.minimum + scale.maximum) / 2
    number = min(max(next, scale.minimum), scale.maximum)
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
