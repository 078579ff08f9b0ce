import Basics

extension ResultsFolder {
  /// The running trial, and how many were left open by a crash.
  ///
  /// - Throws: ``TrialUnderWayError`` if several are running, and `FileError`.
  package func runningTrial() throws -> (trial: TrialUnderWay?, crashed: Int) {
    let open = try trialsUnderWay()
    let running = open.filter(\.isRecorded)
    guard running.count < 2 else {
      throw TrialUnderWayError.several(running.map(\.identifier), results: path)
    }
    return (running.first, open.count - running.count)
  }

  /// The trial of that identifier, or of the folder at that path.
  package func trialUnderWay(named name: String) throws(TrialUnderWayError) -> TrialUnderWay {
    guard let identifier = TrialIdentifier(Folder.name(of: name)) else {
      throw .notAnIdentifier(name, results: path)
    }
    let folder = name.contains("/") ? Folder.parent(of: Folder.parent(of: name)) : path
    let trial = ResultsFolder(folder).trialUnderWay(identifier)
    guard trial.isOpen || trial.isFinished else { throw .unknown(identifier, results: folder) }
    return trial
  }
}

/// The error for a trial that cannot be followed.
package enum TrialUnderWayError: Error, Hashable, CustomStringConvertible {
  /// Several trials are running.
  case several([TrialIdentifier], results: String)
  /// No trial is running; some were left open by a crash.
  case none(results: String, crashed: Int)
  /// The name is not that of a trial.
  case notAnIdentifier(String, results: String)
  /// There is no such trial.
  case unknown(TrialIdentifier, results: String)
  /// The program that recorded the trial crashed.
  case crashed(TrialIdentifier)

  /// The reason, and what to do.
  package var description: String {
    switch self {
    case .several(let trials, let results):
      let names = trials.map { "  \($0)" }.joined(separator: "\n")
      return
        "\(trials.count) trials are running in “\(results.visible)”; name one after “station show --live”:\n\(names)"
    case .none(let results, let crashed):
      let left = crashed == 1 ? "one trial was" : "\(crashed) trials were"
      return "no trial is running in “\(results.visible)”; --wait waits for one, and --results names another folder"
        + (crashed == 0 ? "" : "; \(left) left open by a crash; run “station recover” to finish")
    case .notAnIdentifier(let name, let results):
      return "“\(name)” is not a trial's identifier; “\(results.visible)/open” has a folder for each running trial"
    case .unknown(let trial, let results):
      return "there is no trial “\(trial)” in “\(results.visible)”; name its results folder with --results"
    case .crashed(let trial):
      return "the program that recorded trial \(trial) crashed before the end of the trial; "
        + "run “station recover” to make its bundle"
    }
  }
}
