import Basics
import Bundles
import Study

/// What a person enters at a terminal for one kind of question, key by key.
protocol AnswerEntry: Sendable {
  /// Takes a key; Return answers, unless nothing was entered.
  mutating func take(_ key: OperatorKey) -> KeyUse

  /// The entry for a status line: `5 (neutral); Return confirms`.
  var status: String { get }

  /// How far the answer is.
  var state: Selection.State { get }

  /// Whether a key that is held down counts as often as a terminal repeats it.
  func repeats(_ key: OperatorKey) -> Bool

  /// The entry as rows of a screen, in ASCII apart from texts of the protocol and of the participant.
  func rows(width: Int) -> EntryRows
}

/// What an entry makes of a key.
enum KeyUse: Hashable, Sendable {
  case unused
  /// It changed what is shown.
  case used
  /// It gives the answer.
  case answers(AnswerValue)
}

extension AnswerEntry {
  /// What moves a cursor does; a digit or a mark would be set and taken back.
  func repeats(_ key: OperatorKey) -> Bool { key.character == nil }
}

/// An entry as rows of a screen.
struct EntryRows: Hashable, Sendable {
  /// The rows, of one width.
  let rows: [String]
  /// Those that are to be seen while keys are pressed; none where there is no cursor.
  let focus: Range<Int>

  init(_ rows: [String], focus: Range<Int>) { (self.rows, self.focus) = (rows.padded, focus) }
}

/// The question that is open at a terminal, with what was entered so far.
struct OpenEntry: Sendable {
  let question: Question
  private(set) var entry: any AnswerEntry
  /// Why the last answer or the last key was not accepted; forgotten with the next key that changes the entry.
  var problem: AnswerProblem?

  /// An empty entry for a question, with the participant's words for yes and no.
  init(_ question: Question, phrases: Phrases = Phrases()) {
    self.question = question
    entry =
      switch question.format {
      case .scale(let scale): ScaleEntry(scale)
      case .visualAnalogue(let scale): AnalogueEntry(scale)
      case .boolean: ChoiceEntry(yes: phrases[.yes], no: phrases[.no])
      case .choice(let choices): ChoiceEntry(choices.map { (.text($0.value), $0.text) })
      case .choices(let choices, let count): ChoicesEntry(choices, acceptsNone: count.contains(0))
      case .text, .integer, .decimal, .date, .time: TypedEntry(question.format)
      }
  }

  mutating func take(_ key: OperatorKey) -> KeyUse {
    let use = entry.take(key)
    if use == .used { problem = (entry as? TypedEntry)?.problem }
    return use
  }

  /// The entry for a status line, or why the last answer was not accepted.
  var status: String { problem?.words(for: question.format) ?? entry.status }
}

extension OperatorKey {
  /// The character of a key or of a line; `nil` for other keys.
  var character: Character? {
    switch self {
    case .letter(let character), .typed(let character): character
    case .enter, .arrow, .jump, .end, .repeated: nil
    }
  }

  /// Whether the key takes back the last character.
  var isBackspace: Bool { character == "\u{7F}" || character == "\u{8}" }
}

extension AnswerFormat {
  /// The answers that there are to choose, for a presenter that does not draw the entry; empty for a typed answer.
  var legend: [String] {
    switch self {
    case .scale(let scale), .visualAnalogue(let scale):
      let marked = Set(scale.anchors.keys).union([scale.minimum, scale.maximum]).sorted()
      return [
        marked.map { number in "\(number)" + (scale.anchors[number].map { " (\($0))" } ?? "") }.joined(separator: ", ")
      ]
    case .choice(let choices), .choices(let choices, _):
      return choices.enumerated().map { "\($0 + 1). \($1.text)" }
    case .boolean: return ["1. yes", "2. no"]
    case .text, .integer, .decimal, .date, .time: return []
    }
  }
}

extension Character {
  /// Whether it is a control character, as Ctrl with a letter gives.
  var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

/// An answer on a line of a pipe, or at a terminal that cannot be redrawn: it is read when the line ends.
struct LineEntry: Sendable {
  let question: Question
  private var text = ""
  private var length = 0

  init(_ question: Question) { self.question = question }

  /// Takes a key; the end of an empty line is no answer, unless none of several choices is one.
  mutating func take(_ key: OperatorKey) -> KeyUse {
    if key == .enter {
      defer { (text, length) = ("", 0) }
      let isEmpty = text.allSatisfy(\.isWhitespace)
      if case .choices(_, let count) = question.format, count.contains(0), isEmpty { return .answers(.choices([])) }
      return isEmpty ? .unused : .answers(question.format.value(of: text))
    }
    guard let character = key.character else { return .unused }
    if key.isBackspace {
      length -= text.popLast()?.unicodeScalars.count ?? 0
    } else if case .letter = key, character.isControl {
      return .unused
    } else if length <= longest {
      // One beyond the limit, so that a line that is too long is refused and not shortened.
      text.append(character)
      length += character.unicodeScalars.count
    }
    return .used
  }

  private var longest: Int {
    if case .text(let most) = question.format { most } else { 1000 }
  }
}

/// A number that is pointed at with the arrow keys, and chosen by Return or by typing it.
///
/// Nothing is chosen by moving alone, so that the cursor's first place cannot become an answer. It begins at the end from
/// which the first key comes: at the lowest number for a key that leads upwards, at the highest for one that leads downwards.
struct Selection: Hashable, Sendable {
  /// How far the choice is.
  enum State: Hashable, Sendable {
    /// Nothing was pointed at.
    case untouched
    /// The cursor is on a number, which is not chosen.
    case pointed(Int)
    /// A number is chosen.
    case chosen(Int)
  }

  private(set) var state = State.untouched

  /// The number that the cursor or the mark is on.
  var number: Int? {
    switch state {
    case .untouched: nil
    case .pointed(let number), .chosen(let number): number
    }
  }

  var chosen: Int? { if case .chosen(let number) = state { number } else { nil } }

  /// The number that the cursor is on, and that is not chosen.
  var pointed: Int? { if case .pointed(let number) = state { number } else { nil } }

  /// Moves the cursor, or the mark of a number that is chosen already.
  mutating func move(by distance: Int, within range: ClosedRange<Int>) {
    let next = number.map { $0 + distance } ?? (distance > 0 ? range.lowerBound : range.upperBound)
    point(to: min(max(next, range.lowerBound), range.upperBound))
  }

  /// Puts the cursor on a number, or the mark of one that is chosen already.
  mutating func point(to number: Int) { state = chosen == nil ? .pointed(number) : .chosen(number) }

  /// Chooses a number, or none.
  mutating func choose(_ number: Int?) { state = number.map(State.chosen) ?? .untouched }

  /// Return chooses what is pointed at, and answers with what is chosen.
  ///
  /// - Parameter answer: the answer of a number.
  /// - Returns: what became of the key.
  mutating func enter(_ answer: (Int) -> KeyUse) -> KeyUse {
    switch state {
    case .untouched: return .unused
    case .pointed(let number):
      choose(number)
      return .used
    case .chosen(let number): return answer(number)
    }
  }
}
