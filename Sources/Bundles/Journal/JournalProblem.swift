/// What is wrong with a journal, and where.
public struct JournalProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1; `nil` for what concerns no line in particular.
  public let line: Int?

  /// What is wrong, in lower case and without its place.
  public let reason: String

  /// A problem.
  public init(line: Int? = nil, reason: String) {
    self.line = line
    self.reason = reason
  }

  /// `line 5 of the journal: …`.
  public var description: String { line.map { "line \($0) of the journal: \(reason)" } ?? "the journal: \(reason)" }
}
