/// What is wrong with a journal, and where.
package struct JournalProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1; `nil` for what concerns no line in particular.
  package let line: Int?

  /// What is wrong, in lower case and without its place.
  package let reason: String

  /// A problem.
  package init(line: Int? = nil, reason: String) {
    self.line = line
    self.reason = reason
  }

  /// `line 5 of the journal: …`.
  package var description: String { line.map { "line \($0) of the journal: \(reason)" } ?? "the journal: \(reason)" }
}
