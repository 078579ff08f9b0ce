package import Basics

/// The list that collects the problems of one reading.
///
/// A class, because all ``Located`` values of one reading share it. It does not leave
/// the function that reads a file.
package final class ProblemList {
  private var entries: [JSONProblem] = []
  private var omitted = 0

  /// The files that what is read may name; `nil` if it may name none.
  let files: ProtocolFiles?

  /// An empty list.
  package init(files: ProtocolFiles? = nil) { self.files = files }

  /// Whether no problem was reported so far.
  package var isEmpty: Bool { entries.isEmpty }

  /// Adds a problem; beyond the maximum the reason is not even built.
  package func add(at offset: Int, _ path: JSONPointer, _ reason: () -> String) {
    if entries.count < ProtocolProblems.most {
      entries.append(JSONProblem(offset: offset, reason: reason(), path: path))
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
    let places = TextPlace.places(of: entries.map(\.offset), in: text)
    let start = TextPlace(offset: 0, in: text)
    let sorted = entries.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    return ProtocolProblems(
      problems: sorted.map { entry in
        ProtocolProblem(
          fileName: fileName, place: places[entry.element.offset] ?? start, path: entry.element.path,
          reason: entry.element.reason)
      },
      omitted: omitted)
  }
}
