import Basics
import Study

/// One of several answers, pointed at with the arrow keys and chosen with Return, or chosen by its number among up to nine.
struct ChoiceEntry: AnswerEntry {
  private let answers: [AnswerValue]
  private let list: ChoiceList
  private let letters: [Character: Int]
  private var selection = Selection()

  init(_ choices: [(answer: AnswerValue, text: String)]) {
    answers = choices.map(\.answer)
    list = ChoiceList(texts: choices.map(\.text))
    letters = [:]
  }

  /// Yes or no, by `y` and `n` as well, and by the first letters of the words that are shown, where these differ.
  init(yes: String, no: String) {
    answers = [.boolean(true), .boolean(false)]
    list = ChoiceList(texts: [yes, no])
    let initials = [yes, no].map { $0.lowercased().first ?? " " }
    var letters: [Character: Int] = ["y": 0, "n": 1]
    if initials[0] != initials[1] { letters.merge([initials[0]: 0, initials[1]: 1]) { _, shown in shown } }
    self.letters = letters
  }

  var state: Selection.State { selection.state }

  var status: String {
    guard let place = selection.number else { return "a digit or an arrow key chooses" }
    let end = selection.chosen == nil ? "not chosen yet, Return chooses" : "Return confirms"
    return "\(list.texts[place]) (\(place + 1) of \(list.texts.count)); \(end)"
  }

  mutating func take(_ key: OperatorKey) -> KeyUse {
    if key == .enter { return selection.enter { .answers(answers[$0]) } }
    if let letter = key.character?.lowercased().first, let place = letters[letter] {
      selection.choose(place)
    } else if let place = list.place(of: key) {
      selection.choose(place)
    } else if let distance = list.distance(of: key) {
      selection.move(by: distance, within: 0...answers.count - 1)
    } else {
      return .unused
    }
    return .used
  }

  func rows(width: Int) -> EntryRows {
    list.rows(width: width, at: selection.number) {
      ($0 == selection.pointed ? ">" : " ") + ($0 == selection.chosen ? "(x)" : "( )")
    }
  }
}

/// Several of several answers: the arrow keys move, the space bar marks, as do the numbers of up to nine.
struct ChoicesEntry: AnswerEntry {
  private let values: [String]
  private let list: ChoiceList
  /// Whether Return without a mark is the answer that nothing applies.
  private let acceptsNone: Bool
  private var place: Int?
  private var marked: Set<Int> = []

  init(_ choices: [AnswerChoice], acceptsNone: Bool) {
    values = choices.map(\.value)
    list = ChoiceList(texts: choices.map(\.text))
    self.acceptsNone = acceptsNone
  }

  /// The phrase that says how to mark stays.
  var state: Selection.State { .untouched }

  var status: String {
    guard let place else { return "arrow keys move, the space bar marks, Return confirms" }
    let mark = marked.contains(place) ? "[x]" : "[ ]"
    return "\(mark) \(list.texts[place]) (\(place + 1) of \(values.count)); \(marked.count) marked; Return confirms"
  }

  mutating func take(_ key: OperatorKey) -> KeyUse {
    if key == .enter {
      return marked.isEmpty && !acceptsNone ? .unused : .answers(.choices(marked.sorted().map { values[$0] }))
    }
    if let distance = list.distance(of: key) {
      let next = place.map { $0 + distance } ?? (distance > 0 ? 0 : values.count - 1)
      place = min(max(next, 0), values.count - 1)
      return .used
    }
    if key.character == " ", place == nil {
      // Nothing shows yet what it would mark.
      place = 0
      return .used
    }
    guard let marks = key.character == " " ? place : list.place(of: key) else { return .unused }
    place = marks
    marked.formSymmetricDifference([marks])
    return .used
  }

  func rows(width: Int) -> EntryRows {
    list.rows(width: width, at: place) { ($0 == place ? ">" : " ") + (marked.contains($0) ? "[x]" : "[ ]") }
  }
}

/// The choices of a question as a list on a screen.
struct ChoiceList: Hashable, Sendable {
  let texts: [String]

  /// How far an arrow key leads; `nil` for another key.
  func distance(of key: OperatorKey) -> Int? {
    switch key {
    case .arrow(.down), .arrow(.right): 1
    case .arrow(.up), .arrow(.left): -1
    default: nil
    }
  }

  /// The choice whose number a key is, among up to nine; `nil` for another key.
  func place(of key: OperatorKey) -> Int? {
    guard texts.count <= 9, let number = key.character?.wholeNumberValue, (1...texts.count).contains(number),
      key.character?.isASCII ?? false
    else { return nil }
    return number - 1
  }

  /// The choices, each behind its mark, in as many rows as it takes.
  func rows(width: Int, at place: Int?, mark: (Int) -> String) -> EntryRows {
    var rows: [String] = []
    var focus = 0..<0
    for (index, text) in texts.enumerated() {
      let (mark, start) = (mark(index), rows.count)
      let space = String(repeating: " ", count: mark.count)
      for (number, line) in text.visible.wrapped(to: max(1, width - mark.count - 1)).enumerated() {
        rows.append((number == 0 ? mark : space) + " " + line)
      }
      if index == place { focus = start..<rows.count }
    }
    return EntryRows(rows, focus: focus)
  }
}
