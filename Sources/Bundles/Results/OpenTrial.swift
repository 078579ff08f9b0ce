package import Basics
import Quantities
import Synchronization

/// A trial that runs: its journal, and what becomes of it.
///
/// Nothing is lost when it is simply let go: it is recovered later, as after a crash.
package final class OpenTrial: Sendable {
  /// The trial's identifier.
  let identifier: TrialIdentifier

  /// The trial's journal, of which the first record is ``JournalEvent/trialOpened(_:)``.
  package let journal: JournalWriter

  private let results: ResultsFolder
  private let clock: any StationClock
  private let report: @Sendable (DurableReport) -> Void
  private let waveforms = Mutex<[String: WaveformWriter]>([:])

  init(
    identifier: TrialIdentifier, results: ResultsFolder, journal: JournalWriter, clock: any StationClock,
    report: @escaping @Sendable (DurableReport) -> Void
  ) {
    self.identifier = identifier
    self.results = results
    self.journal = journal
    self.clock = clock
    self.report = report
  }

  /// Makes the file of a waveform beside the journal.
  ///
  /// - Parameter file: its name without folder and extension, which must be new in this trial; its head enters the journal
  ///   before its first block, as ``JournalEvent/waveformOpened(_:)``.
  /// - Returns: the writer of its blocks.
  /// - Throws: `FileError`.
  package func openWaveform(_ file: String) throws(FileError) -> WaveformWriter {
    precondition(WaveformHead.isPlain(file), "the name of a waveform's file is not plain")
    let folder = "\(results.openPath(of: identifier))/\(TrialFile.waveformFolder)"
    try Folder.ensure(folder, isPrivate: true)
    let place = DurablePlace(prepare: { () throws(FileError) in try Folder.ensure(folder, isPrivate: true) })
    let writer = try WaveformWriter(
      "\(folder)/\(file)\(BundleFile.blocks)", at: place, clock: clock, report: report)
    try Folder.synchronize(folder)
    try Folder.synchronize(Folder.parent(of: folder))
    waveforms.withLock { $0[file] = writer }
    return writer
  }

  /// Makes the bundle of a trial whose journal was closed with ``JournalEvent/trialClosed(_:)``.
  ///
  /// It may be called again after it failed, when there is room once more.
  ///
  /// - Returns: the bundle's path.
  /// - Throws: ``BundleError`` or `FileError`; the trial stays open then, and there is nothing under `bundles/`.
  package func finish() async throws -> String {
    let (results, identifier) = (results, identifier)
    let writers = waveforms.withLock { Array($0.values) }
    for writer in writers { writer.close() }
    var attempts = 0
    while true {
      do {
        // A journal that was removed is written again by this, as long as it is open.
        try await journal.flush()
        for writer in writers { try await writer.flush() }
      } catch let error as FileError {
        throw BundleError.unwritten(
          trial: identifier.description, waiting: journal.appended - journal.durable, error)
      }
      do {
        return try await journal.perform { try Finaliser(results: results, trial: identifier).finish() }
      } catch let error as BundleError {
        guard case .lost = error, attempts < 3 else { throw error }
        attempts += 1
      }
    }
  }

  /// Removes the trial and everything recorded in it; only at the operator's request.
  ///
  /// - Throws: `FileError`.
  package func discard() async throws {
    try await journal.giveUp()
    for writer in waveforms.withLock({ Array($0.values) }) { try await writer.giveUp() }
    let (results, identifier) = (results, identifier)
    try await journal.perform { try Finaliser(results: results, trial: identifier).removeOpenTrial() }
  }
}
