import Basics
import Bundles

/// Finds the trials of a results folder by the bundle's path, or by the trial's identifier or its beginning.
struct TrialNames: Sendable {
  /// The minimum length of a beginning; a shorter one would often be a file's name.
  private static let shortest = 4
  /// A word with at least this many leading digits that matches no trial is a missing trial, not a missing file.
  private static let certain = 8
  /// The maximum number of candidates in a message.
  private static let most = 10

  let results: String

  /// The bundle's path for an identifier or the unique beginning of one; any other operand unchanged.
  ///
  /// - Throws: ``Failure`` if the beginning matches several trials, with their names, or the trial has no bundle.
  func path(of operand: String) throws(Failure) -> String {
    guard Self.isBeginning(operand), !Folder.exists(operand) else { return operand }
    let folder = ResultsFolder(results)
    let names = (folder.isThere ? try? folder.trials() : nil) ?? []
    let found = names.filter { $0.hasPrefix(operand.lowercased()) }
    if found.count == 1 { return folder.bundlePath(named: found[0]) }
    guard found.isEmpty else { throw Self.ambiguous(operand.visible, found, in: "“\(results.visible)”") }
    let open = ((try? folder.trialsUnderWay()) ?? []).first {
      $0.identifier.description.hasPrefix(operand.lowercased())
    }
    if let open {
      throw Failure(
        "trial \(open.identifier) has no bundle yet: "
          + (open.isRecorded
            ? "it is running, and “station show --live” follows it"
            : "it was interrupted, and “station recover” finishes it"))
    }
    guard operand.prefix(Self.certain).count < Self.certain || operand.prefix(Self.certain).contains("-") else {
      throw Failure(
        "there is no trial “\(operand.visible)” in “\(results.visible)”; “station list” shows its trials"
      )
    }
    return operand
  }

  /// The paths of several operands; see ``path(of:)``.
  func paths(of operands: [String]) throws(Failure) -> [String] {
    var paths: [String] = []
    for operand in operands { paths.append(try path(of: operand)) }
    return paths
  }

  /// The error for a beginning that matches several trials, with their names.
  static func ambiguous(_ beginning: String, _ found: [String], in place: String) -> Failure {
    let shown = found.prefix(most).map { "\n  \($0)" }.joined()
    let more = found.count > most ? "\n  … and \(found.count - most) more" : ""
    return Failure(
      "“\(beginning)” matches \(found.count) trials in \(place); give more characters:\(shown)\(more)")
  }

  private static func isBeginning(_ text: String) -> Bool {
    (shortest...36).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...70).contains($0) || (97...102).contains($0) || $0 == UInt8(ascii: "-")
      } && text.first != "-"
  }
}

extension Arguments {
  /// The operands, with trial identifiers replaced by the paths of their bundles.
  ///
  /// - Throws: ``Failure`` as ``TrialNames/path(of:)`` does.
  func trialOperands() throws -> [String] {
    try TrialNames(results: self["results"] ?? "results").paths(of: operands)
  }
}
