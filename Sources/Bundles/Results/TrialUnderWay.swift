public import Files

/// A trial that has no bundle yet, as others than its own process see it; looking at it changes nothing.
public struct TrialUnderWay: Hashable, Sendable {
  /// The trial's identifier.
  public let identifier: TrialIdentifier

  /// Its folder under `open/`.
  public let folder: String

  /// Where its bundle will stand.
  public let bundlePath: String

  /// The path of its journal.
  public var journalFile: String { "\(folder)/\(TrialFile.journal)" }

  /// The path of its protocol, byte for byte as it is used.
  public var protocolFile: String { "\(folder)/\(TrialFile.protocolFile)" }

  /// Whether a process records it; one that was left open by a crash waits for `recover`.
  ///
  /// What runs on another computer, in a shared results folder, is not known here.
  public var isRecorded: Bool { File.isLocked(journalFile) ?? true }

  /// Whether its journal is still there.
  public var isOpen: Bool { Folder.exists(journalFile) }

  /// Whether its bundle is there.
  public var isFinished: Bool { Folder.isFolder(bundlePath) }
}

extension ResultsFolder {
  /// The trials that are open, oldest first.
  ///
  /// - Throws: `FileError` when the folder cannot be read.
  public func trialsUnderWay() throws(FileError) -> [TrialUnderWay] {
    guard Folder.isFolder(openFolder) else { return [] }
    return try Folder.names(in: openFolder).compactMap { TrialIdentifier($0) }.map(trialUnderWay).filter(\.isOpen)
  }

  /// The trial of an identifier, whether it is open or not.
  public func trialUnderWay(_ identifier: TrialIdentifier) -> TrialUnderWay {
    TrialUnderWay(
      identifier: identifier, folder: openPath(of: identifier), bundlePath: bundlePath(of: identifier))
  }
}
