package import Basics

extension ResultsFolder {
  private static let indexName = ".index.jsonl"

  private var indexFile: String { "\(path)/\(Self.indexName)" }

  /// The trials that the index has, in the order of their names.
  ///
  /// - Returns: those whose lines can be read, and whether the whole file can.
  func indexedTrials() -> (trials: [IndexedTrial], isWhole: Bool) {
    do {
      let file = try File(indexFile, .read, isRegular: true)
      return try IndexLines.trials { try file.read(upTo: 1 << 18) }
    } catch {
      return ([], false)
    }
  }

  /// Writes the index, unless the folder cannot be written, or another process withdraws a participant or writes it now.
  ///
  /// What was withdrawn since the bundles were read stays out of it.
  func writeIndex(of trials: [IndexedTrial]) {
    guard trials.contains(where: { $0.stamp != nil }) || Folder.exists(indexFile) else { return }
    try? unlessWithdrawing {
      Folder.removeAbandonedParts(in: path, of: Self.indexName)
      let there = trials.lazy.filter { IndexedTrial.stamp(ofBundle: bundlePath(named: $0.name)) == $0.stamp }
      try File.replaceWhole(indexFile, IndexLines.bytes(of: there), isPrivate: true)
    }
  }

  /// Whether the index has trials of a participant, in a study or in any; their bundles may be gone.
  package func indexHasTrials(of participant: String, in study: String?) -> Bool {
    indexedTrials().trials.contains {
      $0.heading.participant == participant && study ?? $0.heading.study == $0.heading.study
    }
  }

  /// Removes the index, and what crashes left of it; the next reader makes it again.
  ///
  /// Under the lock of withdrawals, under which it is written.
  package func removeIndex() throws(FileError) {
    for name in try Folder.names(in: path)
    where name == Self.indexName || name.hasPrefix(".\(Self.indexName).") {
      try Folder.removeFile("\(path)/\(name)")
    }
    try Folder.synchronize(path)
  }
}
