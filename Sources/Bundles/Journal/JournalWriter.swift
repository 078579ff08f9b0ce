import Dispatch
public import Files
public import Quantities
import Synchronization

/// Appends records to a trial's journal: one `write` a line, in order, on a thread of its own.
///
/// Whoever appends never waits for the disk. Lines reach the file at once and the disk within a second; a boundary of
/// the stimulus brings everything to the disk without delay. When the disk refuses a line, it and all later ones stay
/// in memory and are tried again, in order, until there is room; what a refused write left of a line is cut off first.
public final class JournalWriter: Sendable {
  /// What is told when the disk refuses lines, and when it takes them again.
  public enum Report: Hashable, Sendable {
    /// The first refusal; lines are kept in memory.
    case refused(FileError)
    /// All kept lines are in the file.
    case caughtUp
  }

  private let path: String
  private let file: File
  private let clock: any StationClock
  private let queue: DispatchQueue
  private let report: @Sendable (Report) -> Void
  private let state: Mutex<JournalBacklog>
  private let disk = Mutex(Disk())

  /// So much room on the disk is taken ahead of the lines, so that nobody else can fill the disk in the middle of a trial.
  static let reservation = 4 << 20

  // Touched on the queue only, where nobody else waits for the lock.
  private struct Disk {
    var size = 0
    var reserved = JournalWriter.reservation
    var isTorn = false
    var policy = SyncPolicy()
    var wakesAt: Moment?
  }

  /// Makes a journal that must not hold anything yet, and locks it for as long as the writer lives.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - clock: paces the waits for the disk.
  ///   - limit: how many bytes of lines are kept in memory while the disk refuses them; beyond it readings are counted
  ///     and dropped, other records are kept all the same.
  ///   - report: called on the writer's thread.
  /// - Throws: `FileError`.
  public init(
    _ path: String, clock: any StationClock = MonotonicClock(), limit: Int = 64 << 20,
    report: @escaping @Sendable (Report) -> Void = { _ in }
  ) throws(FileError) {
    let file = try File(path, .append)
    guard try file.lock() else { throw FileError("lock", path, code: FileError.busy) }
    guard try file.size() == 0 else { throw FileError("create", path, code: FileError.taken) }
    self.path = path
    self.clock = clock
    self.report = report
    queue = DispatchQueue(label: "station.journal")
    state = Mutex(JournalBacklog(limit: limit))
    file.reserve(Self.reservation)
    self.file = file
  }

  /// Appends what happened, without waiting for it to be written.
  ///
  /// - Parameters:
  ///   - time: when it happened, since the trial's zero.
  ///   - event: what happened.
  /// - Returns: the record's number; `nil` after the trial's closing record, and for a reading that found no room.
  @discardableResult
  public func append(time: Duration, event: JournalEvent) -> Int? {
    let (sequence, mustWake) = state.withLock { backlog in
      let sequence = backlog.append(time: time, event: event)
      return (sequence, sequence != nil && backlog.mustWake())
    }
    if mustWake { queue.async { self.drain() } }
    return sequence
  }

  /// How many records were appended.
  public var appended: Int { state.withLock { $0.sequence } }

  /// How many records are on the disk: those with lower numbers survive whatever happens now.
  public var durable: Int { state.withLock { $0.durable } }

  /// Why the disk refuses lines at present; `nil` while all goes well.
  public var trouble: FileError? { state.withLock { $0.trouble } }

  /// Waits until everything appended before is on the disk.
  ///
  /// - Throws: `FileError` when the disk refuses; the lines are kept and tried again.
  public func flush() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      state.withLock { $0.waiters.append(continuation) }
      queue.async { self.drain() }
    }
  }

  /// Runs blocking work on the writer's thread, after everything that was appended before.
  func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try work() }) }
    }
  }

  /// Takes nothing any more.
  func close() { state.withLock { $0.isClosed = true } }

  // MARK: On the queue

  private func drain() {
    while true {
      let (batch, waiters) = state.withLock { $0.take() }
      do {
        try write(batch)
        try synchronize(isUrgent: !waiters.isEmpty || batch.contains(where: \.isBoundary))
      } catch {
        let isNew = state.withLock { $0.refuse(error) }
        for waiter in waiters { waiter.resume(throwing: error) }
        if isNew { report(.refused(error)) }
        wake(at: clock.now.advanced(by: .seconds(1)))
        return
      }
      let (isDone, hasCaughtUp) = state.withLock { $0.finishRound() }
      for waiter in waiters { waiter.resume() }
      if hasCaughtUp { report(.caughtUp) }
      if isDone { return }
    }
  }

  // What could not be written goes back to the front of the line.
  private func write(_ batch: [JournalBacklog.Line]) throws(FileError) {
    try disk.withLock { disk throws(FileError) in
      for (index, line) in batch.enumerated() {
        do throws(FileError) {
          if disk.isTorn { try file.truncate(to: disk.size) }
          disk.isTorn = true
          reserve(line.bytes.count, &disk)
          try file.write(line.bytes)
          disk.isTorn = false
          disk.size += line.bytes.count
        } catch {
          // The room that half a line takes is given back at once, if that can be done now.
          if (try? file.truncate(to: disk.size)) != nil { disk.isTorn = false }
          disk.reserved = disk.size
          state.withLock { $0.putBack(batch[index...], of: batch) }
          throw error
        }
      }
    }
    state.withLock { $0.wrote(batch) }
  }

  // Taken anew when less than half of it is left; a file system that cannot do this is asked as seldom.
  private func reserve(_ bytes: Int, _ disk: inout Disk) {
    guard disk.size + bytes + Self.reservation / 2 > disk.reserved else { return }
    disk.reserved = disk.size + bytes + Self.reservation
    file.reserve(disk.reserved)
  }

  private func synchronize(isUrgent: Bool) throws(FileError) {
    let written = state.withLock { $0.durable < $0.written ? $0.written : nil }
    let decision = disk.withLock {
      $0.policy.decide(isUnsynced: written != nil, isUrgent: isUrgent, now: clock.now)
    }
    switch decision {
    case .nothing: break
    case .at(let moment): wake(at: moment)
    case .now:
      try file.synchronizeData()
      disk.withLock { $0.policy.synchronized(at: clock.now) }
      state.withLock { $0.durable = max($0.durable, written ?? 0) }
    }
  }

  private func wake(at moment: Moment) {
    let isDue = disk.withLock { disk in
      guard disk.wakesAt == nil else { return false }
      disk.wakesAt = moment
      return true
    }
    guard isDue else { return }
    queue.asyncAfter(deadline: .now() + max(0, clock.now.duration(to: moment).seconds)) {
      self.disk.withLock { $0.wakesAt = nil }
      self.drain()
    }
  }
}
