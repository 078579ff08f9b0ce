import Basics
import Quantities
import Synchronization

/// A trial that is in memory alone until it is over, and whose bundle is then written with each file once: for simulations,
/// which can be repeated when they are lost.
///
/// The bundle's files are those that an ``OpenTrial`` with the same records is made into.
package final class MemoryTrial: Sendable {
  private struct Journal {
    var bytes: [UInt8] = []
    var sequence = 0
    var isClosed = false
  }

  private let identifier: TrialIdentifier
  private let results: ResultsFolder
  private let protocolBytes: [UInt8]
  private let journal = Mutex(Journal())

  /// A trial without records.
  ///
  /// - Parameters:
  ///   - identifier: the trial's identifier, which must be new in the folder.
  ///   - results: where its bundle will be.
  ///   - protocolBytes: the protocol's file, byte for byte.
  package init(_ identifier: TrialIdentifier, in results: ResultsFolder, protocolBytes: [UInt8]) {
    (self.identifier, self.results, self.protocolBytes) = (identifier, results, protocolBytes)
  }

  /// Appends what happened.
  ///
  /// - Parameters:
  ///   - time: when it happened, since the trial's zero.
  ///   - event: what happened.
  /// - Returns: the record's number; `nil` after the trial's closing record.
  @discardableResult
  package func append(time: Duration, event: JournalEvent) -> Int? {
    journal.withLock { journal in
      guard !journal.isClosed else { return nil }
      if case .trialClosed = event { journal.isClosed = true }
      journal.bytes += JournalRecord(sequence: journal.sequence, time: time, event: event).line()
      journal.sequence += 1
      return journal.sequence - 1
    }
  }

  /// Writes the bundle of a trial without waveforms whose journal was closed; on the disk when this returns.
  ///
  /// - Returns: what its result says.
  /// - Throws: ``BundleError``; nothing of the trial is left behind then.
  package func finish() throws -> TrialRecord {
    let target = results.bundlePath(of: identifier)
    // No recovery takes what begins with a dot for a trial.
    let part = "\(results.openFolder)/.\(identifier).part"
    do {
      try results.prepare()
      let record = try make(part)
      try Folder.rename(part, to: target)
      try Folder.synchronize(results.bundlesFolder)
      return record
    } catch let error as FileError {
      try? Folder.removeTree(part)
      throw error.isTaken ? BundleError.taken(path: target) : BundleError.unwritable(folder: results.path, error)
    }
  }

  private func make(_ part: String) throws -> TrialRecord {
    try Folder.create(part, isPrivate: true)
    try Folder.create("\(part)/\(BundleFile.data)", isPrivate: true)
    let derivation = Derivation(
      journal: .memory(journal.withLock { $0.bytes }), waveforms: "\(part)/\(TrialFile.waveformFolder)",
      embeddedClip: nil)
    let (account, derived, record) = try derivation.run(into: part)
    var file = try PayloadFile(BundleFile.protocolFile, in: part)
    try file.write(protocolBytes)
    try Bag(of: identifier, account, derived + [file.finish()]).writeTags(in: part)
    try Folder.synchronize("\(part)/\(BundleFile.data)")
    try Folder.synchronize(part)
    return record
  }
}
