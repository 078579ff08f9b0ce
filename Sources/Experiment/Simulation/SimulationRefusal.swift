import Basics
import Bundles

/// Why a folder is not used for a simulation: its trials must never lie among those of people.
package enum SimulationRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The folder holds a trial that was not simulated.
  case realTrial(folder: String, trial: String)
  /// The folder holds participants or trials that may be real, and no bundle that says they are not.
  case mayBeReal(folder: String)
  /// The study was simulated into the folder before.
  case simulatedBefore(folder: String, study: String)

  /// What failed, why, and what to do.
  package var description: String {
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
    }
  }

  /// Checks that a folder is new, or holds simulated trials of other studies only.
  ///
  /// - Throws: ``SimulationRefusal``, or what keeps the folder from being read.
  static func check(_ results: ResultsFolder, for study: String) throws {
    let trials = try results.trials()
    for name in trials {
      let heading = try TrialHeading(ofBundle: results.bundlePath(named: name))
      guard heading.isSimulated else { throw realTrial(folder: results.path, trial: heading.trial) }
      guard heading.study != study else { throw simulatedBefore(folder: results.path, study: study) }
    }
    let others = ["participants.sqlite", "sessions", "open"].map { Folder.path($0, from: results.path) }
    guard !trials.isEmpty || !others.contains(where: Folder.exists) else { throw mayBeReal(folder: results.path) }
  }
}
