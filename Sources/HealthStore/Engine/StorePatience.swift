import Basics
import Glibc
import Synchronization

/// How long a store waits for another process, and what reports the wait.
package struct StorePatience: Sendable {
  /// After that time it gives up.
  let limit: Duration

  /// After that time the wait is reported, once, with the process that is waited for.
  let notice: Duration

  /// Receives the process that is waited for: `process 4711 (station), which writes into the store “station.sqlite”`.
  let report: @Sendable (String) -> Void

  /// Patience of half a minute.
  ///
  /// - Parameters:
  ///   - limit: after that time the store gives up.
  ///   - notice: after that time the wait is reported.
  ///   - report: called once a wait, on the thread that waits.
  package init(
    limit: Duration = .seconds(30), notice: Duration = .seconds(1),
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.limit = limit
    self.notice = notice
    self.report = report
  }
}

/// One wait for another process.
final class StoreWaiting: Sendable {
  private let patience: StorePatience
  private let start = ContinuousClock.now
  private let isTold = Mutex(false)

  init(_ patience: StorePatience) { self.patience = patience }

  /// Whether to wait on; tells once for whom.
  func mayWait(for other: () -> String) -> Bool {
    let waited = start.duration(to: .now)
    guard !Task.isCancelled, waited < patience.limit else { return false }
    let isDue =
      waited >= patience.notice
      && isTold.withLock { isTold in
        defer { isTold = true }
        return !isTold
      }
    if isDue { patience.report(other()) }
    return true
  }
}

/// The waits of SQLite's busy handler for other processes that write.
final class BusyWaiting: Sendable {
  private let path: String
  private let patience: StorePatience
  private let current = Mutex<StoreWaiting?>(nil)
  private let found = Mutex<String?>(nil)

  init(_ path: String, _ patience: StorePatience) {
    self.path = path
    self.patience = patience
  }

  /// Who held the lock when the last wait was given up.
  var holder: String? { found.withLock { $0 } }

  /// Waits a moment; whether SQLite shall try again.
  ///
  /// - Parameter count: how often it has asked during this wait.
  /// - Returns: `false` where it waited for too long, or its task was cancelled.
  func mayWait(_ count: Int32) -> Bool {
    let waiting = current.withLock { current in
      if count == 0 || current == nil { current = StoreWaiting(patience) }
      return current
    }
    guard let waiting, waiting.mayWait(for: { "\(writer ?? "another process"), which writes into the store “\(path)”" })
    else {
      let writer = writer
      found.withLock { $0 = writer }
      return false
    }
    usleep(min(UInt32(count + 1) * 500, 10_000))
    return true
  }

  /// Who writes: with a log, the lock is on the file of the log's index.
  private var writer: String? {
    for file in ["\(path)-shm", path] {
      if let holder = LockHolder(of: file, kind: .record, except: getpid()) { return "\(holder)" }
    }
    return nil
  }
}
