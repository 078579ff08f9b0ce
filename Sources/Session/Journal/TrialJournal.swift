package import Bundles
import Synchronization

/// Where a trial writes what happens, in the order of the calls.
package protocol TrialJournal: Sendable {
  /// Takes an event that happened at `time` since the trial's zero, without waiting for the disk.
  ///
  /// - Returns: the record's number; `nil` for what could not be taken.
  @discardableResult
  func append(time: Duration, event: JournalEvent) -> Int?
}

extension JournalWriter: TrialJournal {}

/// A journal in memory, for tests and rehearsals.
package final class MemoryJournal: TrialJournal {
  private let entries = Mutex<[JournalRecord]>([])

  /// An empty journal.
  package init() {}

  /// Keeps the event as the next record, and says its number.
  @discardableResult
  package func append(time: Duration, event: JournalEvent) -> Int? {
    entries.withLock { entries in
      entries.append(JournalRecord(sequence: entries.count, time: time, event: event))
      return entries.count - 1
    }
  }

  /// What was appended so far.
  package var records: [JournalRecord] { entries.withLock { $0 } }
}
