import CSystem
import Glibc

/// A regular file that stays open, and its advisory lock (`flock`), which one open file at a time has; private where it is
/// made.
///
/// Work under the lock is a closure, after which the lock is given back by a call of the system. A lock that only a variable
/// holds may end before the work: the optimizer ends the life of what is not used again.
package final class LockedFile: Sendable {
  package let file: File

  /// Opens a file, whose lock is not taken yet.
  ///
  /// - Throws: ``FileError``, also for anything but a regular file.
  package init(_ path: String, _ mode: File.Mode) throws(FileError) {
    file = try File(path, mode, isPrivate: true, isRegular: true)
  }

  /// Takes the lock without waiting, and keeps it until `hold` has ended or the object is released: for the lock that
  /// an object has for its life as a property.
  ///
  /// - Returns: `false` if another open file has it.
  package func take() throws(FileError) -> Bool { try file.lock() }

  /// Takes the lock as ``take()`` does, waiting for it up to a limit.
  ///
  /// - Throws: ``LockError`` with the process that has it, and ``FileError``.
  package func take(within limit: Duration) throws { try file.waitForLock(within: limit) }

  /// Does something under the lock that ``take()`` took, and gives it back.
  package func hold<Value, Failure>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
    defer { file.unlock() }
    return try work()
  }

  /// Does something under the lock that ``take()`` took, and gives it back.
  package func hold<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    defer { file.unlock() }
    return try await work()
  }

  /// Does something under the lock, which is waited for up to a limit.
  ///
  /// - Throws: ``LockError`` with the process that has it, ``FileError``, and what the work throws.
  package func hold<Value>(within limit: Duration, _ work: () throws -> Value) throws -> Value {
    try file.waitForLock(within: limit)
    return try hold(work)
  }

  /// Does something under the lock, which is waited for up to a limit.
  ///
  /// - Throws: ``LockError`` with the process that has it, ``FileError``, and what the work throws.
  package func hold<Value>(within limit: Duration, _ work: () async throws -> Value) async throws -> Value {
    try file.waitForLock(within: limit)
    return try await hold(work)
  }
}

/// A timeout while waiting for another process's lock.
package struct LockError: Error, Hashable, Sendable, CustomStringConvertible {
  let path: String

  /// The process that holds the lock, if known.
  package let holder: LockHolder?

  /// How long the caller has waited.
  let waited: Duration

  /// The failed action, the holder of the lock, and the remedy.
  package var description: String {
    "cannot lock “\(path.visible)”: \(holder.map { "\($0) holds it" } ?? "another process holds it"), and did not give it up in "
      + "\(waited.components.seconds) s; end that process and try again"
  }
}

/// A process that holds the lock of a file.
package struct LockHolder: Hashable, Sendable, CustomStringConvertible {
  /// The process ID.
  let process: Int32

  /// The name of its program.
  let name: String?

  /// `process 1234 (station)`.
  package var description: String { "process \(process)" + (name.map { " (\($0))" } ?? "") }

  /// The kinds of file locks.
  package enum Kind: String, Sendable {
    /// Locks of `flock`.
    case flock = "FLOCK"
    /// Record locks of `fcntl`, which SQLite uses.
    case record = "POSIX"
  }

  /// Finds the process that holds the lock of a file; `nil` if there is none, or it is unknown.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - kind: the kind of lock.
  ///   - own: a process to ignore, such as the caller.
  package init?(of path: String, kind: Kind = .flock, except own: Int32 = 0) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, let locks = try? File.contents(of: "/proc/locks") else { return nil }
    let devices = File.lockDevices(of: path, status, mayOpen: kind == .flock)
    let processes = File.lockHolders(
      kind, inode: UInt(status.st_ino), on: devices, in: String(decoding: locks, as: UTF8.self))
    guard let process = processes.first(where: { $0 > 0 && $0 != own }) else { return nil }
    self.process = process
    let text = (try? File.contents(of: "/proc/\(process)/comm")).map { String(decoding: $0, as: UTF8.self) }
    name = text.map { String($0.prefix { !$0.isNewline }) }
  }
}

extension File {
  /// Takes the advisory lock, waiting for its holder up to a time limit.
  ///
  /// - Throws: ``LockError`` with the holder, and `FileError`.
  func waitForLock(within limit: Duration) throws {
    let clock = SuspendingClock()
    let start = clock.now
    while try !lock() {
      let waited = start.duration(to: clock.now)
      guard waited < limit else { throw LockError(path: path, holder: LockHolder(of: path), waited: waited) }
      // The lock is usually held for milliseconds only.
      usleep(5000)
    }
  }
}
