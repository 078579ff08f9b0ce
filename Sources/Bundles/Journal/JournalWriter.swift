import Basics
import Quantities

/// Appends records to a trial's journal, one line each, with the guarantees of `DurableWriter`.
package final class JournalWriter: Sendable {
  private let writer: DurableWriter<JournalBacklog>

  /// Makes a journal that must not hold anything yet, and locks it for as long as the writer lives.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - clock: paces the waits for the disk.
  ///   - limit: how many bytes of lines are kept in memory while the disk refuses them; beyond it readings are counted
  ///     and dropped, other records are kept all the same.
  ///   - report: called on the writer's thread.
  /// - Throws: `FileError`.
  convenience init(
    _ path: String, clock: any StationClock = MonotonicClock(), limit: Int = 64 << 20,
    report: @escaping @Sendable (DurableReport) -> Void = { _ in }
  ) throws(FileError) {
    try self.init(path, at: DurablePlace(), on: SystemDisk(), clock: clock, limit: limit, report: report)
  }

  init(
    _ path: String, at place: DurablePlace, on volume: any DurableDisk = SystemDisk(), clock: any StationClock,
    limit: Int = 64 << 20, report: @escaping @Sendable (DurableReport) -> Void
  ) throws(FileError) {
    writer = try DurableWriter(
      path, at: place, on: volume, clock: clock, backlog: JournalBacklog(limit: limit), report: report)
  }

  /// Appends what happened, without waiting for it to be written.
  ///
  /// - Parameters:
  ///   - time: when it happened, since the trial's zero.
  ///   - event: what happened.
  /// - Returns: the record's number; `nil` after the trial's closing record, and for a reading that found no room.
  @discardableResult
  package func append(time: Duration, event: JournalEvent) -> Int? {
    writer.append { $0.append(time: time, event: event) }
  }

  /// How many records were appended.
  package var appended: Int { writer.appended }

  /// How many records are on the disk: those with lower numbers survive whatever happens now; none of a journal that was
  /// removed.
  package var durable: Int { writer.durable }

  /// Why the disk refuses lines at present; `nil` while all goes well.
  var trouble: FileError? { writer.trouble }

  /// Waits until everything appended before is on the disk.
  ///
  /// - Throws: `FileError` when the disk refuses; the lines are kept and tried again.
  package func flush() async throws { try await writer.flush() }

  /// Runs blocking work on the writer's thread, after everything that was appended before.
  func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await writer.perform(work)
  }

  /// Takes nothing any more.
  func close() { writer.append { $0.isClosed = true } }

  /// Takes and writes nothing any more, so that the journal may be removed and does not come back.
  func giveUp() async throws {
    close()
    try await writer.giveUp()
  }
}

/// Numbers and encodes the records of a journal.
struct JournalBacklog: DurableBacklog {
  var writes: WriteBacklog

  /// The number of the next record.
  private(set) var sequence = 0
  /// Whether the closing record was appended, or the trial was discarded.
  var isClosed = false
  /// How many readings of each sensor found no room.
  private var dropped: [String: Int] = [:]

  /// A backlog; beyond `limit` bytes readings are counted and dropped, other records are kept all the same.
  init(limit: Int) { writes = WriteBacklog(limit: limit) }

  /// Numbers and takes a record; the number, or `nil` where there is no room or the trial is closed.
  mutating func append(time: Duration, event: JournalEvent) -> Int? {
    guard !isClosed else { return nil }
    if writes.isFull, let delivery = event.delivery {
      dropped[delivery.sensor, default: 0] += 1
      return nil
    }
    for (sensor, count) in dropped.sorted(by: { $0.key < $1.key }) {
      push(time, .readingsDropped(sensor: sensor, count: count))
    }
    dropped = [:]
    if case .trialClosed = event { isClosed = true }
    return push(time, event)
  }

  @discardableResult
  private mutating func push(_ time: Duration, _ event: JournalEvent) -> Int {
    let line = JournalRecord(sequence: sequence, time: time, event: event).line()
    writes.push(line, isBoundary: event.isBoundary)
    sequence += 1
    return sequence - 1
  }
}
