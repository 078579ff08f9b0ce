import Basics

/// A trial that runs: its journal, and what becomes of it.
///
/// Nothing is lost when it is simply let go: it is recovered later, as after a crash.
package final class OpenTrial: Sendable {
  /// The trial's identifier.
  package let identifier: TrialIdentifier

  /// The trial's journal, of which the first record is ``JournalEvent/trialOpened(_:)``.
  package let journal: JournalWriter

  private let results: ResultsFolder

  init(identifier: TrialIdentifier, results: ResultsFolder, journal: JournalWriter) {
    self.identifier = identifier
    self.results = results
    self.journal = journal
  }

  /// Makes the bundle of a trial whose journal was closed with ``JournalEvent/trialClosed(_:)``.
  ///
  /// It may be called again after it failed, when there is room once more.
  ///
  /// - Returns: the bundle's path.
  /// - Throws: ``BundleError`` or `FileError`; the trial stays open then, and there is nothing under `bundles/`.
  package func finish() async throws -> String {
    let (results, identifier) = (results, identifier)
    var attempts = 0
    while true {
      do {
        // A journal that was removed is written again by this, as long as it is open.
        try await journal.flush()
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
    journal.close()
    let (results, identifier) = (results, identifier)
    try await journal.perform { try Finaliser(results: results, trial: identifier).removeOpenTrial() }
  }
}
