package import Basics

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

  /// An empty list.
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
