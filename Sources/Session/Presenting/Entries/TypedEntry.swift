import Basics
import Study

/// An answer that is typed in one line: a text, a number, a date or a time.
///
/// Every letter is part of it, also where it cannot be in an answer: a number with one is refused, never another number.
struct TypedEntry: AnswerEntry {
  private let format: AnswerFormat
  private var text = ""
  /// The number of Unicode code points, which limit the text: a single character may have any number of them.
  private var length = 0
  /// Whether a letter was left out, because the text is as long as it may be.
  private var isFull = false

  init(_ format: AnswerFormat) { self.format = format }

  var status: String { text.isEmpty ? "type the answer" : text.tail(of: 40) + unit + "; Return confirms" }

  /// The phrase that asks to type stays as long as it is typed.
  var state: Selection.State { .untouched }

  /// A scanner or a paste may send the same character many times.
  func repeats(_ key: OperatorKey) -> Bool { true }

  mutating func take(_ key: OperatorKey) -> KeyUse {
    if key == .enter { return text.allSatisfy(\.isWhitespace) ? .unused : .answers(format.value(of: text)) }
    guard let character = key.character else { return .unused }
    if key.isBackspace {
      length -= text.popLast()?.unicodeScalars.count ?? 0
      isFull = false
      return .used
    }
    guard !character.isControl else { return .unused }
    let added = character.unicodeScalars.count
    isFull = length + added > format.longest
    guard !isFull else { return .used }
    text.append(character)
    length += added
    return .used
  }

  /// Why a letter was not taken, or will be refused; `nil` for none.
  var problem: AnswerProblem? {
    if isFull { return .tooLong(length + 1) }
    return text.first { !format.takes($0) }.flatMap { format.problem(with: .text(String($0))) }
  }

  func rows(width: Int) -> EntryRows {
    let cursor = text.visible + "_" + unit
    let rows = cursor.wrapped(to: max(1, width - 2)).enumerated().map { ($0 == 0 ? "> " : "  ") + $1 }
    return EntryRows(rows, focus: rows.count - 1..<rows.count)
  }

  private var unit: String {
    switch format {
    case .integer(let number), .decimal(let number): number.unit.map { " \($0.visible)" } ?? ""
    default: ""
    }
  }
}

extension AnswerFormat {
  /// Whether a character can be part of a typed answer.
  func takes(_ character: Character) -> Bool {
    if character.isASCII, character.isNumber { return true }
    return switch self {
    case .text: true
    case .integer: "+-".contains(character)
    case .decimal: "+-.,".contains(character)
    case .date: character == "-"
    case .time: character == ":"
    default: false
    }
  }

  /// The most Unicode code points of a typed line; one of a number, a date or a time that long is always refused.
  var longest: Int { if case .text(let most) = self { most } else { Self.maxNumberLength + 1 } }
}

extension String {
  /// The end of the text that fits into a number of terminal columns, made safe for display.
  fileprivate func tail(of columns: Int) -> String {
    var end = suffix(columns).visible
    while end.displayWidth > columns { end.removeFirst() }
    return end
  }
}

extension [String] {
  /// The rows with spaces behind the shorter ones, so that all are centred alike.
  var padded: [String] {
    let width = map(\.displayWidth).max() ?? 0
    return map { $0.padded(to: width) }
  }
}
