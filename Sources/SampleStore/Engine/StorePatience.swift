import Basics
import Glibc
import Synchronization

/// How long a store waits for another process, and how it reports the wait.
package struct StorePatience: Sendable {
  /// The time after which the store gives up.
  let limit: Duration

  /// The time after which the wait is reported, once, with the process that holds the lock.
  let notice: Duration

  /// Receives a description of that process: `process 4711 (station), which writes into the store “station.sqlite”`.
  let report: @Sendable (String) -> Void

  /// Creates a patience of 30 s by default.
  ///
  /// - Parameters:
  ///   - limit: the time after which the store gives up.
  ///   - notice: the time after which the wait is reported.
  ///   - report: called once a wait, on the waiting thread.
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

  /// Whether to keep waiting; reports the wait once, when `notice` has passed.
  func mayWait(for other: () -> String) -> Bool {
    let waited = start.duration(to: .now)
    guard !Task.isCancelled else { return false }
    let isDue =
      waited >= patience.notice
      && isTold.withLock { isTold in
        defer { isTold = true }
        return !isTold
      }
    // Also by a process that did not run until the time was over.
    if isDue { patience.report(other()) }
    return waited < patience.limit
  }
}

/// The waits of SQLite's busy handler for other processes that write.
final class BusyWaiting: Sendable {
  private let path: String
  private let contents: DatabaseContents
  private let patience: StorePatience
  private let current = Mutex<StoreWaiting?>(nil)
  private let found = Mutex<String?>(nil)

  init(_ path: String, _ contents: DatabaseContents, _ patience: StorePatience) {
    self.path = path
    self.contents = contents
    self.patience = patience
  }

  /// The process that held the lock when the last wait timed out.
  var holder: String? { found.withLock { $0 } }

  /// Sleeps briefly, and returns whether SQLite should try again.
  ///
  /// - Parameter count: how often SQLite has called during this wait.
  /// - Returns: `false` on timeout, or if the task was cancelled.
  func mayWait(_ count: Int32) -> Bool {
    let waiting = current.withLock { current in
      if count == 0 || current == nil { current = StoreWaiting(patience) }
      return current
    }
    guard let waiting,
      waiting.mayWait(for: { "\(writer ?? "another process"), which writes into the \(contents.called(path))" })
    else {
      let writer = writer
      found.withLock { $0 = writer }
      return false
    }
    usleep(min(UInt32(count + 1) * 500, 10_000))
    return true
  }

  /// The writing process: in WAL mode the lock is on the file of the log's index.
  private var writer: String? {
    for file in ["\(path)-shm", path] {
      if let holder = LockHolder(of: file, kind: .record, except: getpid()) { return "\(holder)" }
    }
    return nil
  }
}
