import Basics
import Study

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
