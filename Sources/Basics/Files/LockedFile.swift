/// A regular file that stays open, and its advisory lock (`flock`), which one open file at a time has; private where it is
/// made.
///
/// Work under the lock is a closure, after which the lock is given back by a call of the system. A lock that only a variable
/// holds may end before the work: the optimizer ends the life of what is not used again.
package final class LockedFile: Sendable {
  /// The file.
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
