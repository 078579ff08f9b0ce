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
  /// Nothing.
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
