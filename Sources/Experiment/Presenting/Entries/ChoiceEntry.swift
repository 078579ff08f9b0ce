import Basics
import Study

/// One of several answers, chosen with the arrow keys or, among up to nine, by its number.
struct ChoiceEntry: AnswerEntry {
  private let answers: [AnswerValue]
  private let list: ChoiceList
  private var chosen: Int?

  init(_ choices: [(answer: AnswerValue, text: String)]) {
    answers = choices.map(\.answer)
    list = ChoiceList(texts: choices.map(\.text))
  }

  var status: String {
    chosen.map { "\(list.texts[$0]) (\($0 + 1) of \(list.texts.count)); Return confirms" }
      ?? "a digit or an arrow key chooses"
  }

  mutating func take(_ key: OperatorKey) -> KeyUse {
    if key == .enter { return chosen.map { .answers(answers[$0]) } ?? .unused }
    guard let next = list.place(after: key, from: chosen) else { return .unused }
    chosen = next
    return .used
  }

  func rows(width: Int) -> [String] { list.rows(width: width, at: chosen) { $0 == chosen ? "(x)" : "( )" } }
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

  var status: String {
    guard let place else { return "arrow keys move, the space bar marks, Return confirms" }
    let mark = marked.contains(place) ? "[x]" : "[ ]"
    return "\(mark) \(list.texts[place]) (\(place + 1) of \(values.count)); \(marked.count) marked; Return confirms"
  }

  mutating func take(_ key: OperatorKey) -> KeyUse {
    if key == .enter {
      return marked.isEmpty && !acceptsNone ? .unused : .answers(.choices(marked.sorted().map { values[$0] }))
    }
    if key.character == " " {
      place = place ?? 0
    } else {
      guard let next = list.place(after: key, from: place) else { return .unused }
      place = next
      if case .arrow = key { return .used }
    }
    if let place { marked.formSymmetricDifference([place]) }
    return .used
  }

  func rows(width: Int) -> [String] {
    list.rows(width: width, at: place) { ($0 == place ? ">" : " ") + (marked.contains($0) ? "[x]" : "[ ]") }
  }
}

/// The choices of a question as a list on a screen.
struct ChoiceList: Hashable, Sendable {
  let texts: [String]

  /// The most choices that are shown together.
  private static let mostRows = 9

  /// The choice to which a key leads; `nil` for a key that leads to none.
  func place(after key: OperatorKey, from place: Int?) -> Int? {
    switch key {
    case .arrow(.down), .arrow(.right): return place.map { min($0 + 1, texts.count - 1) } ?? 0
    case .arrow(.up), .arrow(.left): return place.map { max($0 - 1, 0) } ?? texts.count - 1
    default:
      guard texts.count <= 9, let number = key.character?.wholeNumberValue, (1...texts.count).contains(number),
        key.character?.isASCII ?? false
      else { return nil }
      return number - 1
    }
  }

  /// The choices around a place, each behind its mark.
  func rows(width: Int, at place: Int?, mark: (Int) -> String) -> [String] {
    let first = max(0, min((place ?? 0) - Self.mostRows / 2, texts.count - Self.mostRows))
    let shown = first..<min(first + Self.mostRows, texts.count)
    var rows = shown.map { "\(mark($0)) \(texts[$0].visible)".cut(to: width) }
    if first > 0 { rows.insert("...", at: 0) }
    if shown.upperBound < texts.count { rows.append("...") }
    return rows.padded
  }
}
