package import Basics
import Dispatch
package import Quantities
import Synchronization

/// Appends records to a trial's journal: one `write` a line, in order, on a thread of its own.
///
/// Appending never waits for the disk. Lines reach the file at once and the disk within a second; a boundary of the
/// stimulus brings everything to the disk without delay. A line is kept in memory until a sync has covered it. When the
/// disk refuses a line or a sync, lines stay in memory and are tried again, in order, once a second; what a refused write
/// left of a line is cut off first. A journal that is removed or replaced during the trial is noticed at the next sync and
/// written again at its place.
package final class JournalWriter: Sendable {
  /// What is reported when the disk refuses lines or the journal is displaced, each once, and when that is over.
  package enum Report: Hashable, Sendable {
    /// The first refusal; lines are kept in memory.
    case refused(FileError)
    /// All kept lines are on the disk.
    case caughtUp
    /// The journal was removed or replaced, and has been written again with all of its lines; the file that had replaced
    /// it was moved to `aside`.
    case restored(path: String, aside: String?)
    /// The journal was removed or replaced, and cannot be written again for now; what was recorded is held by this
    /// process alone.
    case displaced(path: String, FileError)
  }

  /// What a writer needs to put a journal that was removed back in its place.
  struct Place: Sendable {
    /// Makes the journal's folder, and what else belongs into it, where they are missing.
    var prepare: @Sendable () throws(FileError) -> Void = {}
    /// How the path begins to which a file is moved that is in the journal's place; beside the journal, unless given.
    var aside: String?
  }

  private let clock: any StationClock
  private let queue: DispatchQueue
  private let report: @Sendable (Report) -> Void
  private let place: Place
  private let path: String
  private let state: Mutex<JournalBacklog>
  private let disk: Mutex<Disk>

  // Used on the queue only, where nothing else waits for the lock.
  private struct Disk {
    var tail: JournalTail
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
  package convenience init(
    _ path: String, clock: any StationClock = MonotonicClock(), limit: Int = 64 << 20,
    report: @escaping @Sendable (Report) -> Void = { _ in }
  ) throws(FileError) {
    try self.init(path, at: Place(), on: SystemDisk(), clock: clock, limit: limit, report: report)
  }

  init(
    _ path: String, at place: Place, on volume: any JournalDisk = SystemDisk(), clock: any StationClock,
    limit: Int = 64 << 20, report: @escaping @Sendable (Report) -> Void
  ) throws(FileError) {
    disk = Mutex(Disk(tail: try JournalTail(path, on: volume)))
    self.path = path
    self.place = place
    self.clock = clock
    self.report = report
    queue = DispatchQueue(label: "station.journal")
    state = Mutex(JournalBacklog(limit: limit))
  }

  /// Appends what happened, without waiting for it to be written.
  ///
  /// - Parameters:
  ///   - time: when it happened, since the trial's zero.
  ///   - event: what happened.
  /// - Returns: the record's number; `nil` after the trial's closing record, and for a reading that found no room.
  @discardableResult
  package func append(time: Duration, event: JournalEvent) -> Int? {
    let (sequence, mustWake) = state.withLock { backlog in
      let sequence = backlog.append(time: time, event: event)
      return (sequence, sequence != nil && backlog.mustWake())
    }
    if mustWake { queue.async { self.drain() } }
    return sequence
  }

  /// How many records were appended.
  package var appended: Int { state.withLock { $0.sequence } }

  /// How many records are on the disk: those with lower numbers survive whatever happens now; none of a journal that was
  /// removed.
  package var durable: Int { state.withLock { $0.durable } }

  /// Why the disk refuses lines at present; `nil` while all goes well.
  package var trouble: FileError? { state.withLock { $0.trouble } }

  /// Waits until everything appended before is on the disk.
  ///
  /// - Throws: `FileError` when the disk refuses; the lines are kept and tried again.
  package func flush() async throws {
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

  /// What a round of work came to: when to go on, what to report, and what the disk refused.
  private struct Round {
    var next: Moment?
    var reports: [Report] = []
    var failure: FileError?
    var isDisplaced = false
  }

  private func drain() {
    while true {
      let (batch, waiters) = state.withLock { $0.take() }
      let round = disk.withLock { disk in
        disk.tail.take(batch)
        return work(&disk, isUrgent: !waiters.isEmpty)
      }
      for one in round.reports { report(one) }
      if let error = round.failure {
        let isNew = state.withLock { $0.refuse(error, isDisplaced: round.isDisplaced) }
        if isNew { report(round.isDisplaced ? .displaced(path: path, error) : .refused(error)) }
        for waiter in waiters { waiter.resume(throwing: error) }
        wake(at: clock.now.advanced(by: .seconds(1)))
        return
      }
      if let next = round.next { wake(at: next) }
      let (isDone, hasCaughtUp) = state.withLock { $0.finishRound() }
      if hasCaughtUp { report(.caughtUp) }
      for waiter in waiters { waiter.resume() }
      if isDone { return }
    }
  }

  private func work(_ disk: inout Disk, isUrgent: Bool) -> Round {
    var round = Round()
    do throws(FileError) {
      if disk.tail.condition != .sound { try mend(&disk, &round) }
      try disk.tail.write()
      let now = clock.now
      switch disk.policy.decide(
        isUnsynced: disk.tail.isUnsynced, isUrgent: isUrgent || disk.tail.mustSynchronize, now: now)
      {
      case .nothing: if isUrgent { try look(&disk, &round) }
      case .at(let moment): round.next = moment
      case .now:
        let lines = try disk.tail.synchronize()
        disk.policy.synchronized(at: clock.now)
        state.withLock { $0.synchronized(lines) }
        try look(&disk, &round)
      }
    } catch {
      round.failure = error
      // A full disk must not hide that the journal is gone.
      round.isDisplaced = !disk.tail.look()
      if round.isDisplaced { state.withLock { $0.displace() } }
    }
    return round
  }

  // After a failed sync the file is opened again, unless it has been removed meanwhile.
  private func mend(_ disk: inout Disk, _ round: inout Round) throws(FileError) {
    try look(&disk, &round)
    if disk.tail.condition == .doubtful { try disk.tail.reopen() }
  }

  private func look(_ disk: inout Disk, _ round: inout Round) throws(FileError) {
    guard !disk.tail.look() else { return }
    state.withLock { $0.displace() }
    try place.prepare()
    let (lines, aside) = try disk.tail.restore(aside: place.aside ?? "\(path).replaced")
    state.withLock { $0.restore(lines) }
    round.reports.append(.restored(path: path, aside: aside))
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
