import Basics
import Study

/// A number on a scale: typed, or pointed at with the arrow keys and chosen with Return.
struct ScaleEntry: AnswerEntry {
  private let scale: ScaleAnswerFormat
  /// The number entered so far, which may not be on the scale yet.
  private var selection = Selection()

  init(_ scale: ScaleAnswerFormat) { self.scale = scale }

  /// The number with its words, if it has any.
  var status: String {
    guard let number = selection.number else { return "a digit or an arrow key chooses" }
    let end = selection.chosen == nil ? "; not chosen yet, Return chooses" : "; Return confirms"
    return "\(number)" + (scale.anchors[number].map { " (\($0))" } ?? "") + end
  }

  var state: Selection.State { selection.state }

  mutating func take(_ key: OperatorKey) -> KeyUse {
    switch key {
    case .arrow(.right), .arrow(.up): selection.move(by: 1, within: scale.range)
    case .arrow(.left), .arrow(.down): selection.move(by: -1, within: scale.range)
    case .jump(.home): selection.point(to: scale.minimum)
    case .jump(.end): selection.point(to: scale.maximum)
    case .enter: return selection.enter { .answers(.integer($0)) }
    case _ where key.isBackspace: selection.choose(selection.number.flatMap { $0 >= 10 ? $0 / 10 : nil })
    case .letter(let letter), .typed(let letter):
      guard letter.isASCII, let digit = letter.wholeNumberValue else { return .unused }
      type(digit)
    case .jump, .end, .repeated: return .unused
    }
    return .used
  }

  /// A further digit; one that leads beyond the scale begins another number.
  private mutating func type(_ digit: Int) {
    let longer = (selection.chosen ?? 0) * 10 + digit
    selection.choose(longer <= scale.maximum ? longer : digit)
  }
}

extension ScaleEntry {
  /// The most columns between two neighbouring numbers.
  private static let widestStep = 8

  /// The scale as rows of equal width, with a mark and the anchors below their numbers; in ASCII apart from the anchors.
  func rows(width: Int) -> EntryRows {
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
    if let number = selection.number, scale.range.contains(number) {
      line.put(selection.chosen == nil ? ">\(number)<" : "[\(number)]", around: place(number))
    }
    let anchors = anchorRows(length, place) ?? anchorList(max(length, min(width, Self.widestList)))
    return EntryRows([line.text] + anchors, focus: 0..<1 + anchors.count)
  }

  /// The widest list of anchors.
  private static let widestList = 40

  /// The most rows below the numbers, so that each anchor can be told from the next.
  private static let maxRows = 2

  /// The anchors, a row or more for each behind its number.
  private func anchorList(_ width: Int) -> [String] {
    let digits = "\(scale.maximum)".count
    return anchors.flatMap { number, text -> [String] in
      text.wrapped(to: max(1, width - digits - 1)).enumerated().map { index, line in
        (index == 0 ? "\(number)" : "").padded(to: digits, isRight: true) + " " + line
      }
    }
  }

  private var anchors: [(number: Int, text: String)] {
    scale.anchors.filter { scale.range.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value.visible) }
  }

  /// The anchors, each around its number, in as many rows as keep them from touching; `nil` where they do not fit.
  private func anchorRows(_ length: Int, _ place: (Int) -> Int) -> [String]? {
    var rows: [(row: Row, end: Int)] = []
    for (number, text) in anchors {
      guard text.displayWidth <= length else { return nil }
      let start = min(max(0, place(number) - text.displayWidth / 2), length - text.displayWidth)
      var index = rows.firstIndex { $0.end < start }
      if index == nil {
        guard rows.count < Self.maxRows else { return nil }
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
