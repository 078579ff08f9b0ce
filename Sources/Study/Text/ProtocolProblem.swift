package import Basics

/// One problem of a protocol file: its place, and what to do.
package struct ProtocolProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's name for messages.
  package let fileName: String

  /// The line and column.
  package let place: TextPlace

  /// The value's path in the file; the root's for a problem of the whole file.
  package let path: JSONPointer

  /// What is wrong and what to do, in lower case and without the place.
  package let reason: String

  /// The message: `protocol.json:7:21: /steps/1/stepDuration: expected a number of seconds, found the string “30”`.
  package var description: String {
    "\(fileName.visible):\(place): " + (path == .root ? "" : "\(shownPath): ") + reason
  }

  /// The path on one line; a very long one is truncated at its beginning.
  private var shownPath: String {
    let text = String(path.description.map { $0.unicodeScalars.allSatisfy { $0.value < 0x20 } ? " " : $0 })
    return text.utf8.count > 200 ? "…\(text.suffix(160))" : text
  }
}

/// All problems of a protocol file, in the order of its text; never empty.
package struct ProtocolProblems: Error, Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of problems listed singly.
  package static let maxCount = 100

  /// The first problems.
  package let problems: [ProtocolProblem]

  /// The number of further problems.
  package let omitted: Int

  /// Creates an error with these problems, and the number of further ones.
  ///
  /// - Precondition: there is at least one problem.
  package init(problems: [ProtocolProblem], omitted: Int = 0) {
    precondition(!problems.isEmpty, "an error needs a problem")
    self.problems = problems
    self.omitted = omitted
  }

  /// One problem per line.
  package var description: String {
    let lines = problems.map(\.description) + (omitted > 0 ? ["… and \(omitted) more"] : [])
    return lines.joined(separator: "\n")
  }
}
