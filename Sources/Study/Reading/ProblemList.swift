import Basics

/// The list into which everybody who takes part in one reading writes what is wrong.
///
/// A class, because all the ``Located`` values of one reading share it. It stays inside ``StudyProtocolReader/read(_:fileName:)``.
final class ProblemList {
  private var entries: [JSONProblem] = []
  private var omitted = 0

  /// Whether nothing was wrong so far.
  var isEmpty: Bool { entries.isEmpty }

  /// Adds a problem; the reason is not even made where too many were told already.
  func add(at offset: Int, _ path: JSONPointer, _ reason: () -> String) {
    if entries.count < ProtocolProblems.most {
      entries.append(JSONProblem(offset: offset, reason: reason(), path: path))
    } else {
      omitted += 1
    }
  }

  /// Adds what the JSON reader found.
  func add(_ problems: [JSONProblem]) {
    for problem in problems { add(at: problem.offset, problem.path) { problem.reason } }
  }

  /// The list as an error about a file.
  func problems(of fileName: String, _ text: [UInt8]) -> ProtocolProblems {
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
