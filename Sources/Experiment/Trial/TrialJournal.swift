public import Bundles
import Synchronization

/// Where a trial writes what happens, in the order of the calls.
public protocol TrialJournal: Sendable {
  /// Takes an event that happened at `time` since the trial's zero, without waiting for the disk.
  func append(_ event: JournalEvent, at time: Duration)
}

/// A journal in memory, for tests and rehearsals.
public final class MemoryJournal: TrialJournal {
  private let entries = Mutex<[JournalRecord]>([])

  /// An empty journal.
  public init() {}

  /// Keeps the event as the next record.
  public func append(_ event: JournalEvent, at time: Duration) {
    entries.withLock { $0.append(JournalRecord(sequence: $0.count, time: time, event: event)) }
  }

  /// What was appended so far.
  public var records: [JournalRecord] { entries.withLock { $0 } }
}
