/// Words of a report in their order, some of which look different from others.
struct Words: Hashable, Sendable {
  /// What words are, which decides how they look.
  enum Style: Hashable, Sendable {
    /// The report's own words.
    case plain
    /// Words from a file, whose direction and script are its own.
    case given
    /// An identifier, digest, path or command: every letter equally wide, broken anywhere.
    case code
    /// What catches the eye.
    case strong
    /// What stands back.
    case faint
    /// What stays in one line, as dates do.
    case unbroken
    /// A reference to a note of the table that it stands in.
    case note(Int)
  }

  /// Words that look the same.
  struct Run: Hashable, Sendable {
    var text: String
    var style: Style
  }

  var runs: [Run] = []

  /// What is read where nothing is known.
  static let none: Words = "–"

  init(_ runs: [Run] = []) { self.runs = runs }

  init(_ text: String, _ style: Style = .plain) { runs = text.isEmpty ? [] : [Run(text: text, style: style)] }

  /// Words from a file; a dash where there are none.
  static func given(_ text: String?) -> Words {
    guard let text, !text.isEmpty else { return none }
    return Words(text, .given)
  }

  /// An identifier, digest or path; a dash where there is none.
  static func code(_ text: String?) -> Words {
    guard let text, !text.isEmpty else { return none }
    return Words(text, .code)
  }

  static func faint(_ text: String) -> Words { Words(text, .faint) }

  /// The words without their looks.
  var text: String { runs.map(\.text).joined() }

  static func + (left: Words, right: Words) -> Words { Words(left.runs + right.runs) }
  static func += (left: inout Words, right: Words) { left.runs += right.runs }
}

extension Words: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { self.init(value) }
}

extension [Words] {
  /// The words with something between them.
  func joined(separator: Words) -> Words {
    dropFirst().reduce(first ?? Words()) { $0 + separator + $1 }
  }
}

extension String {
  /// With a capital, where it begins a sentence.
  var capitalizedFirst: String { first.map { $0.uppercased() + dropFirst() } ?? self }

  /// With a capital and a full stop.
  var sentence: String {
    guard let last = last else { return self }
    return capitalizedFirst + (".!?".contains(last) ? "" : ".")
  }
}
