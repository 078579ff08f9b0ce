package import Basics
import Dispatch
import Quantities
import Synchronization

/// What is reported when the disk refuses pieces or the file is displaced, each once, and when that is over.
package enum DurableReport: Hashable, Sendable {
  /// The first refusal; what was appended is kept in memory.
  case refused(FileError)
  /// All that was kept is on the disk.
  case caughtUp
  /// The file was removed or replaced, and has been written again as a whole; the file that had replaced it was moved to
  /// `aside`.
  case restored(path: String, aside: String?)
  /// The file was removed or replaced, and cannot be written again for now; what was recorded is held by this process
  /// alone.
  case displaced(path: String, FileError)
}

/// What a writer needs to put a file that was removed back in its place.
struct DurablePlace: Sendable {
  /// Makes the file's folder, and what else belongs into it, where they are missing.
  var prepare: @Sendable () throws(FileError) -> Void = {}
  /// How the path begins to which a file is moved that is in the file's place; beside it, unless given.
  var aside: String?
}

/// Appends pieces to a file, lines of a journal or blocks of a waveform: one `write` a piece, in order, on a thread of its
/// own.
///
/// Appending never waits for the disk. Pieces reach the file at once, also while another thread waits for the disk, so that
/// the end of the process loses none of them; and they reach the disk within a second. A boundary brings everything to the
/// disk without delay. A piece is kept in memory until a sync has covered it. When the disk refuses a
/// piece or a sync, pieces stay in memory and are tried again, in order, once a second; what a refused write left of a piece
/// is cut off first. A file that is removed or replaced meanwhile is noticed at the next sync and written again at its place.
final class DurableWriter<Backlog: DurableBacklog>: Sendable {
  private let clock: any StationClock
  /// Where pieces are written, and where the disk is waited for meanwhile.
  private let queue = DispatchQueue(label: "station.durable")
  private let syncs = DispatchQueue(label: "station.durable.sync")
  private let report: @Sendable (DurableReport) -> Void
  private let place: DurablePlace
  private let path: String
  private let state: Mutex<Backlog>
  private let disk: Mutex<Disk>

  // Used on the queue only, where nothing else waits for the lock.
  private struct Disk {
    var tail: DurableTail
    var policy = SyncPolicy()
    var wakesAt: Moment?
    /// Who waits for the next sync, and for the one that is under way.
    var waiters: [CheckedContinuation<Void, any Error>] = []
    var covered: [CheckedContinuation<Void, any Error>] = []
    /// Whether the file is given up, so that it may be removed and does not come back.
    var isGivenUp = false
  }

  /// Makes a file that must not hold anything yet, and locks it for as long as the writer lives.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - place: puts it back in its place.
  ///   - volume: the file system.
  ///   - clock: paces the waits for the disk.
  ///   - backlog: what is to be written; empty.
  ///   - report: called on the writer's thread.
  /// - Throws: `FileError`.
  init(
    _ path: String, at place: DurablePlace, on volume: any DurableDisk, clock: any StationClock, backlog: Backlog,
    report: @escaping @Sendable (DurableReport) -> Void
  ) throws(FileError) {
    disk = Mutex(Disk(tail: try DurableTail(path, on: volume)))
    self.path = path
    self.place = place
    self.clock = clock
    self.report = report
    state = Mutex(backlog)
  }

  /// Appends something, without waiting for it to be written.
  ///
  /// - Parameter append: adds pieces to the backlog.
  /// - Returns: what it returns.
  func append<Value: Sendable>(_ append: (inout Backlog) -> Value) -> Value {
    let (value, mustWake) = state.withLock { backlog in
      let before = backlog.writes.appended
      let value = append(&backlog)
      return (value, backlog.writes.appended > before && backlog.writes.mustWake())
    }
    if mustWake { queue.async { self.drain() } }
    return value
  }

  /// How many pieces were appended.
  var appended: Int { state.withLock { $0.writes.appended } }

  /// How many pieces are on the disk: those survive whatever happens now; none of a file that was removed.
  var durable: Int { state.withLock { $0.writes.durable } }

  /// Why the disk refuses pieces at present; `nil` while all goes well.
  var trouble: FileError? { state.withLock { $0.writes.trouble } }

  /// Waits until everything appended before is on the disk.
  ///
  /// - Throws: `FileError` when the disk refuses; the pieces are kept and tried again.
  func flush() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      state.withLock { $0.writes.waiters.append(continuation) }
      queue.async { self.drain() }
    }
  }

  /// Runs blocking work on the writer's thread, after everything that was appended before.
  func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      // The lock of the file ends with the writer, which the caller may not need any more.
      queue.async { withExtendedLifetime(self) { continuation.resume(with: Result { try work() }) } }
    }
  }

  /// Writes nothing any more, whatever happens to the file.
  func giveUp() async throws { try await perform { self.disk.withLock { $0.isGivenUp = true } } }

  // MARK: On the queue

  /// What a round of work came to: when to go on, what to synchronise, what to report, and what the disk refused.
  private struct Round {
    var next: Moment?
    var sync: (any DurableFile)?
    /// Whether nothing is refused, as far as is known.
    var isHealthy = false
    var reports: [DurableReport] = []
    var failure: FileError?
    var isDisplaced = false
    /// Who waits no longer.
    var served: [CheckedContinuation<Void, any Error>] = []
  }

  /// Writes what waits, and sees to it that it reaches the disk.
  private func drain() {
    while true {
      let (batch, waiters) = state.withLock { $0.writes.take() }
      let round = disk.withLock { disk in
        disk.tail.take(batch)
        disk.waiters += waiters
        var round = attempt(&disk) { disk, round throws(FileError) in try work(&disk, &round) }
        if round.failure != nil { (round.served, disk.waiters) = (disk.waiters, []) }
        return round
      }
      guard pass(round) else { return }
      if let next = round.next { wake(at: next) }
      if let file = round.sync { synchronize(file) }
      if state.withLock({ $0.writes.finishRound() }) { return }
    }
  }

  private func work(_ disk: inout Disk, _ round: inout Round) throws(FileError) {
    guard !disk.isGivenUp else {
      (round.served, disk.waiters) = (disk.waiters, [])
      return
    }
    // A disk that refused a sync is known to be well again only after the next one.
    defer { round.isHealthy = !disk.tail.isSynchronizing }
    if !disk.tail.isSynchronizing, disk.tail.condition != .sound { try mend(&disk, &round) }
    try disk.tail.write()
    guard !disk.tail.isSynchronizing else { return }
    let isUrgent = !disk.waiters.isEmpty
    switch disk.policy.decide(
      isUnsynced: disk.tail.isUnsynced, isUrgent: isUrgent || disk.tail.mustSynchronize, now: clock.now)
    {
    case .nothing:
      guard isUrgent else { return }
      try look(&disk, &round)
      (round.served, disk.waiters) = (disk.waiters, [])
    case .at(let moment): round.next = moment
    case .now:
      round.sync = disk.tail.beginSync()
      (disk.covered, disk.waiters) = (disk.waiters, [])
    }
  }

  /// Waits for the disk, on another thread: what is appended meanwhile is written meanwhile.
  private func synchronize(_ file: any DurableFile) {
    syncs.async {
      var refusal: FileError?
      do throws(FileError) { try file.synchronizeData() } catch { refusal = error }
      self.queue.async { [refusal] in self.finishSync(refusal) }
    }
  }

  private func finishSync(_ refusal: FileError?) {
    let round = disk.withLock { disk in
      var round = attempt(&disk) { disk, round throws(FileError) in
        let pieces = try disk.tail.endSync(refusal)
        disk.policy.synchronized(at: clock.now)
        state.withLock { $0.writes.synchronized(pieces) }
        if !disk.isGivenUp { try look(&disk, &round) }
        round.isHealthy = disk.tail.isWhole
      }
      (round.served, disk.covered) = (disk.covered, [])
      if round.failure != nil {
        round.served += disk.waiters
        disk.waiters = []
      }
      return round
    }
    if pass(round) { drain() }
  }

  private func attempt(
    _ disk: inout Disk, _ work: (inout Disk, inout Round) throws(FileError) -> Void
  ) -> Round {
    var round = Round()
    do throws(FileError) {
      try work(&disk, &round)
    } catch {
      round.failure = error
      // A full disk must not hide that the file is gone.
      round.isDisplaced = !disk.tail.look()
      if round.isDisplaced { state.withLock { $0.writes.displace() } }
    }
    return round
  }

  /// Reports what happened, and tries again in a second what the disk refused; whether it refused nothing.
  private func pass(_ round: Round) -> Bool {
    for one in round.reports { report(one) }
    guard let error = round.failure else {
      if round.isHealthy, state.withLock({ $0.writes.recover() }) { report(.caughtUp) }
      for waiter in round.served { waiter.resume() }
      return true
    }
    let isNew = state.withLock { $0.writes.refuse(error, isDisplaced: round.isDisplaced) }
    if isNew { report(round.isDisplaced ? .displaced(path: path, error) : .refused(error)) }
    for waiter in round.served { waiter.resume(throwing: error) }
    wake(at: clock.now.advanced(by: .seconds(1)))
    return false
  }

  // After a failed sync the file is opened again, unless it has been removed meanwhile.
  private func mend(_ disk: inout Disk, _ round: inout Round) throws(FileError) {
    try look(&disk, &round)
    if disk.tail.condition == .doubtful { try disk.tail.reopen() }
  }

  private func look(_ disk: inout Disk, _ round: inout Round) throws(FileError) {
    guard !disk.tail.look() else { return }
    state.withLock { $0.writes.displace() }
    try place.prepare()
    let (pieces, aside) = try disk.tail.restore(aside: place.aside ?? "\(path).replaced")
    state.withLock { $0.writes.restore(pieces) }
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

/// When a journal is brought to the disk: at a boundary at once, otherwise at most once in a while.
struct SyncPolicy {
  /// What is to be done now.
  enum Decision: Equatable {
    case now
    case at(Moment)
    case nothing
  }

  /// The least time between two that no boundary asks for.
  let interval: Duration

  private var last: Moment?

  init(interval: Duration = .seconds(1)) { self.interval = interval }

  /// What to do after something was written.
  func decide(isUnsynced: Bool, isUrgent: Bool, now: Moment) -> Decision {
    guard isUnsynced else { return .nothing }
    guard !isUrgent, let last, now < last.advanced(by: interval) else { return .now }
    return .at(last.advanced(by: interval))
  }

  /// Takes note that the disk was waited for.
  mutating func synchronized(at now: Moment) { last = now }
}

extension DurableReport: CustomStringConvertible {
  /// What happened, and what to do.
  package var description: String {
    switch self {
    case .refused(let error):
      "\(error); recording continues in memory, and writing is retried every second; free some disk space"
    case .caughtUp: "the journal is being written again; no data were lost"
    case .restored(let path, let aside):
      "“\(path.visible)” was removed or replaced during the trial; it was rewritten and no data were lost"
        + (aside.map { "; the file that had replaced it was moved to “\($0)”" } ?? "")
    case .displaced(let path, let error):
      "“\(path.visible)” was removed or replaced during the trial and cannot be rewritten: \(error); the recorded data "
        + "exist only in this program, which retries every second: do not end it before the problem is fixed"
    }
  }
}
