import Basics

/// Finds the trials of a results folder by the bundle's path, or by the trial's identifier or its beginning.
package struct TrialNames: Sendable {
  /// The minimum length of a beginning; a shorter one would often be a file's name.
  private static let minLength = 4
  /// A word with at least this many leading digits that matches no trial is a missing trial, not a missing file.
  private static let certain = 8

  private let results: String

  /// Finds trials of a results folder.
  package init(results: String) { self.results = results }

  /// The bundle's path for an identifier or the unique beginning of one; any other operand unchanged.
  ///
  /// - Throws: ``TrialNameError`` if the beginning matches several trials, with their names, or the trial has no bundle.
  package func path(of operand: String) throws(TrialNameError) -> String {
    guard Self.isBeginning(operand), !Folder.exists(operand) else { return operand }
    let folder = ResultsFolder(results)
    let names = (folder.isThere ? try? folder.trials() : nil) ?? []
    let found = names.filter { $0.hasPrefix(operand.lowercased()) }
    if found.count == 1 { return folder.bundlePath(named: found[0]) }
    guard found.isEmpty else { throw .ambiguous(operand, found, place: "“\(results.visible)”") }
    let open = ((try? folder.trialsUnderWay()) ?? []).first {
      $0.identifier.description.hasPrefix(operand.lowercased())
    }
    if let open {
      throw .unfinished(open.identifier, isRunning: open.isRecorded)
    }
    guard operand.prefix(Self.certain).count < Self.certain || operand.prefix(Self.certain).contains("-") else {
      throw .unknown(operand, results: results)
    }
    return operand
  }

  /// The paths of several operands; see ``path(of:)``.
  package func paths(of operands: [String]) throws(TrialNameError) -> [String] {
    var paths: [String] = []
    for operand in operands { paths.append(try path(of: operand)) }
    return paths
  }

  private static func isBeginning(_ text: String) -> Bool {
    (minLength...36).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...70).contains($0) || (97...102).contains($0) || $0 == UInt8(ascii: "-")
      } && text.first != "-"
  }
}

/// The error for a name that is not that of one finished trial.
package enum TrialNameError: Error, Hashable, CustomStringConvertible {
  /// The beginning of an identifier matches several trials in a place.
  case ambiguous(String, [String], place: String)
  /// The trial has no bundle yet.
  case unfinished(TrialIdentifier, isRunning: Bool)
  /// A results folder has no such trial.
  case unknown(String, results: String)
  /// A store has no samples of such a trial.
  case notStored(String)

  /// The maximum number of candidates in a message.
  private static let maxCount = 10

  /// What was not found, and what to do.
  package var description: String {
    switch self {
    case .ambiguous(let beginning, let found, let place):
      let shown = found.prefix(Self.maxCount).map { "\n  \($0)" }.joined()
      let more = found.count > Self.maxCount ? "\n  … and \(found.count - Self.maxCount) more" : ""
      return
        "“\(beginning.visible)” matches \(found.count) trials in \(place); give more characters:\(shown)\(more)"
    case .unfinished(let trial, let isRunning):
      return "trial \(trial) has no bundle yet: "
        + (isRunning
          ? "it is running, and “station show --live” follows it"
          : "it was interrupted, and “station recover” finishes it")
    case .unknown(let name, let results):
      return "there is no trial “\(name.visible)” in “\(results.visible)”; “station list” shows its trials"
    case .notStored(let name):
      return
        "the store has no samples of a trial “\(name.visible)”; “station list” shows the trials of a results folder"
    }
  }
}
