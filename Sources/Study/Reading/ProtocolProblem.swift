package import Basics

/// One thing that is wrong with a protocol file: where, and what to do about it.
package struct ProtocolProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file as the researcher calls it.
  package let fileName: String

  /// The line and column.
  package let place: TextPlace

  /// The value's path in the file; the root's for what concerns the whole file.
  package let path: JSONPointer

  /// What is wrong there and what to do, in lower case and without its place.
  package let reason: String

  /// `protocol.json:7:21: /steps/1/stepDuration: expected a number of seconds, found the string “30”`.
  package var description: String {
    "\(fileName.visible):\(place): " + (path == .root ? "" : "\(shownPath): ") + reason
  }

  /// The path on one line and, where it is very long, without its beginning.
  private var shownPath: String {
    let text = String(path.description.map { $0.unicodeScalars.allSatisfy { $0.value < 0x20 } ? " " : $0 })
    return text.utf8.count > 200 ? "…\(text.suffix(160))" : text
  }
}

/// Everything that is wrong with a protocol file, in the order of its text; never empty.
package struct ProtocolProblems: Error, Hashable, Sendable, CustomStringConvertible {
  /// How many problems are told one by one.
  package static let most = 100

  /// The first problems.
  package let problems: [ProtocolProblem]

  /// How many more there are.
  package let omitted: Int

  /// These problems, and how many were left out.
  ///
  /// - Precondition: there is one.
  package init(problems: [ProtocolProblem], omitted: Int = 0) {
    precondition(!problems.isEmpty, "an error needs a problem")
    self.problems = problems
    self.omitted = omitted
  }

  /// One problem a line.
  package var description: String {
    let lines = problems.map(\.description) + (omitted > 0 ? ["… and \(omitted) more"] : [])
    return lines.joined(separator: "\n")
  }
}
