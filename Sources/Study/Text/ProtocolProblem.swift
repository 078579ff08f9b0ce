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
  init(problems: [ProtocolProblem], omitted: Int = 0) {
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

/// The list that collects the problems of one reading.
///
/// A class, because all ``Located`` values of one reading share it. It does not leave
/// the function that reads a file.
package final class ProblemList {
  private var entries: [JSONProblem] = []
  private var omitted = 0

  /// Where the steps of an expanded protocol were written.
  var origins = StepOrigins()

  /// Whether steps are missing because a file could not be included; what depends on all steps is not checked then.
  var lacksSteps = false

  /// The files that what is read may name; `nil` if it may name none.
  let files: ProtocolFiles?

  package init(files: ProtocolFiles? = nil) { self.files = files }

  /// Whether no problem was reported so far.
  package var isEmpty: Bool { entries.isEmpty }

  /// Adds a problem; beyond the maximum the reason is not even built.
  package func add(at offset: Int, _ path: JSONPointer, _ reason: () -> String) {
    if entries.count < ProtocolProblems.maxCount {
      entries.append(JSONProblem(offset: offset, reason: reason(), path: written(path)))
    } else {
      omitted += 1
    }
  }

  /// Adds the JSON reader's problems.
  package func add(_ problems: [JSONProblem]) {
    for problem in problems { add(at: problem.offset, problem.path) { problem.reason } }
  }

  /// Converts the list to an error about a file.
  package func problems(of fileName: String, _ text: [UInt8]) -> ProtocolProblems {
    problems(of: ProtocolText(fileName, text))
  }

  /// Converts the list to an error about the files of a protocol.
  func problems(of text: ProtocolText) -> ProtocolProblems {
    let places = text.places(of: entries.map(\.offset))
    let sorted = entries.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    return ProtocolProblems(
      problems: sorted.compactMap { entry in
        places[entry.element.offset].map {
          ProtocolProblem(
            fileName: $0.fileName, place: $0.place, path: entry.element.path, reason: entry.element.reason)
        }
      },
      omitted: omitted)
  }

  /// The path of a value in the file that it was written in; that of the expanded protocol differs where steps were
  /// included before it.
  func written(_ path: JSONPointer) -> JSONPointer { origins.written(path) }
}
