package import Basics

/// A trial that has no bundle yet, as others than its own process see it; looking at it changes nothing.
package struct TrialUnderWay: Hashable, Sendable {
  /// The trial's identifier.
  package let identifier: TrialIdentifier

  /// Its folder under `open/`.
  package let folder: String

  /// Where its bundle will stand.
  package let bundlePath: String

  /// The path of its journal.
  package var journalFile: String { "\(folder)/\(TrialFile.journal)" }

  /// The path of its protocol, byte for byte as it is used.
  package var protocolFile: String { "\(folder)/\(TrialFile.protocolFile)" }

  /// Whether a process records it; one that was left open by a crash waits for `recover`.
  ///
  /// What runs on another computer, in a shared results folder, is not known here.
  package var isRecorded: Bool { File.isLocked(journalFile) ?? true }

  /// Whether its journal is still there.
  package var isOpen: Bool { Folder.exists(journalFile) }

  /// Whether its bundle is there.
  package var isFinished: Bool { Folder.isFolder(bundlePath) }

  /// The same trial as its bundle tells it, to be followed from its beginning to its end.
  package var inBundle: TrialUnderWay {
    TrialUnderWay(identifier: identifier, folder: "\(bundlePath)/\(BundleFile.data)", bundlePath: bundlePath)
  }
}

extension ResultsFolder {
  /// The trials that are open, oldest first.
  ///
  /// - Throws: `FileError` when the folder cannot be read.
  package func trialsUnderWay() throws(FileError) -> [TrialUnderWay] {
    guard Folder.isFolder(openFolder) else { return [] }
    return try Folder.names(in: openFolder).compactMap { TrialIdentifier($0) }.map(trialUnderWay).filter(\.isOpen)
  }

  /// The trial of an identifier, whether it is open or not.
  package func trialUnderWay(_ identifier: TrialIdentifier) -> TrialUnderWay {
    TrialUnderWay(
      identifier: identifier, folder: openPath(of: identifier), bundlePath: bundlePath(of: identifier))
  }
}
