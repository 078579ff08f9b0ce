import Basics
import Bundles
import Study

/// Why a folder is not used for a simulation, or for a session: simulated trials never lie among those of people.
enum SimulationRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The folder holds a trial that was not simulated.
  case realTrial(folder: String, trial: String)
  /// The folder holds participants or trials that may be real, and no bundle that says they are not.
  case mayBeReal(folder: String)
  /// The study was simulated into the folder before.
  case simulatedBefore(folder: String, study: String)
  /// The folder of a session holds a trial of a simulation.
  case simulatedTrial(folder: String, trial: String)

  /// What failed, why, and what to do.
  var description: String {
    switch self {
    case .realTrial(let folder, let trial):
      "cannot simulate into “\(folder.visible)”: it holds the trial \(trial), which was not simulated; name a new folder "
        + "with --results, or keep nothing with --results none"
    case .mayBeReal(let folder):
      "cannot simulate into “\(folder.visible)”: it has a list of participants or trials under way, which may be real; "
        + "name a new folder with --results, or keep nothing with --results none"
    case .simulatedBefore(let folder, let study):
      "cannot simulate into “\(folder.visible)”: the study “\(study.visible)” was simulated into it before; name a new "
        + "folder with --results, or remove this one"
    case .simulatedTrial(let folder, let trial):
      "cannot run a session in “\(folder.visible)”: it holds the trial \(trial) of “station simulate”; name another folder "
        + "with --results"
    }
  }

  /// Checks that a folder is new, or holds simulated trials of other studies only.
  ///
  /// - Throws: ``SimulationRefusal``, or what keeps the folder from being read.
  static func check(_ results: ResultsFolder, for study: String) async throws {
    let index = try await BundleIndex(results)
    if let problem = index.problems.first { throw problem }
    for heading in index.trials.lazy.map(\.heading) {
      guard heading.simulation == .everything else { throw realTrial(folder: results.path, trial: heading.trial) }
      guard heading.study != study else { throw simulatedBefore(folder: results.path, study: study) }
    }
    let others = ["participants.sqlite", "sessions", "open"].map { Folder.path($0, from: results.path) }
    guard !index.trials.isEmpty || !others.contains(where: Folder.exists) else { throw mayBeReal(folder: results.path) }
  }

  /// Checks that a folder holds no trial of a simulation.
  ///
  /// A bundle that cannot be read is left to those who read it.
  ///
  /// - Throws: ``SimulationRefusal``, or what keeps the folder from being listed.
  static func checkForSession(_ results: ResultsFolder) async throws {
    let trials = try await BundleIndex(results).trials
    guard let trial = trials.first(where: { $0.heading.simulation == .everything }) else { return }
    throw simulatedTrial(folder: results.path, trial: trial.heading.trial)
  }
}

/// Why a protocol cannot be run with its clips.
package struct StudyRefusal: Error, CustomStringConvertible {
  /// What is wrong at a place of the protocol, as far as it is told one by one.
  let problems: [ProtocolProblem]

  /// How many more there are.
  let omitted: Int

  /// What has no place in the protocol: a file that cannot be read, clips that cannot be used.
  let others: [String]

  /// What is wrong at places of the protocol, and elsewhere.
  init(problems: [ProtocolProblem], others: [String] = []) {
    self.problems = problems
    omitted = 0
    self.others = others
  }

  init(_ problems: ProtocolProblems) {
    self.problems = problems.problems
    omitted = problems.omitted
    others = []
  }

  init(_ reason: String) { self.init(problems: [], others: [reason]) }

  /// One problem a line.
  package var description: String {
    (problems.map(\.description) + (omitted > 0 ? ["… and \(omitted) more"] : []) + Self.first(of: others))
      .joined(separator: "\n")
  }

  /// The maximum number of problems without a place that are told one by one.
  static let maxOthers = 50

  /// The first of many lines, and how many more there are.
  package static func first(of lines: [String]) -> [String] {
    lines.count <= maxOthers ? lines : lines.prefix(maxOthers) + ["… and \(lines.count - maxOthers) more"]
  }

  /// The same for programs: what has a place with its line and column from 1 and its path in the file.
  var json: [JSONValue] {
    problems.map { problem in
      [
        "file": .string(problem.fileName), "line": .integer(problem.place.line),
        "column": .integer(problem.place.column),
        "path": .string(problem.path.description), "reason": .string(problem.reason),
      ]
    } + others.map { ["reason": .string($0)] }
  }
}
