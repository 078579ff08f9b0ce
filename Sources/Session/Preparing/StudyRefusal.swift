package import Basics
package import Study

/// Why a protocol cannot be run with its clips.
package struct StudyRefusal: Error, CustomStringConvertible {
  /// What is wrong at a place of the protocol, as far as it is told one by one.
  package let problems: [ProtocolProblem]

  /// How many more there are.
  package let omitted: Int

  /// What has no place in the protocol: a file that cannot be read, clips that cannot be used.
  package let others: [String]

  /// What is wrong at places of the protocol, and elsewhere.
  package init(problems: [ProtocolProblem], others: [String] = []) {
    self.problems = problems
    omitted = 0
    self.others = others
  }

  /// What a reader of protocols found.
  package init(_ problems: ProtocolProblems) {
    self.problems = problems.problems
    omitted = problems.omitted
    others = []
  }

  /// One reason without a place.
  package init(_ reason: String) { self.init(problems: [], others: [reason]) }

  /// One problem a line.
  package var description: String {
    (problems.map(\.description) + (omitted > 0 ? ["… and \(omitted) more"] : []) + Self.first(of: others))
      .joined(separator: "\n")
  }

  /// The maximum number of problems without a place that are told one by one.
  package static let maxOthers = 50

  /// The first of many lines, and how many more there are.
  package static func first(of lines: [String]) -> [String] {
    lines.count <= maxOthers ? lines : lines.prefix(maxOthers) + ["… and \(lines.count - maxOthers) more"]
  }

  /// The same for programs: what has a place with its line and column from 1 and its path in the file.
  package var json: [JSONValue] {
    problems.map { problem in
      [
        "file": .string(problem.fileName), "line": .integer(problem.place.line),
        "column": .integer(problem.place.column),
        "path": .string(problem.path.description), "reason": .string(problem.reason),
      ]
    } + others.map { ["reason": .string($0)] }
  }
}
