import Glibc

/// The lock of a store's file, on a file `….lock` beside it, which stays there: those who use the store share it, and whoever
/// puts another in its place has it alone.
///
/// It is the system's `flock`, which belongs to this descriptor: other descriptors of the file can be closed without harm.
final class SQLiteLock: Sendable {
  private let descriptor: Int32

  /// How long whoever wants to use the store waits for one who replaces it, in steps of 10 ms.
  private static let patience = 3000

  /// Who holds it.
  enum Holder {
    /// One of many who use the store.
    case user
    /// The only one, who replaces it.
    case replacer
  }

  /// Takes the lock of a store's file; a user waits half a minute for a replacer, and not after its task was cancelled.
  ///
  /// - Throws: ``StoreError`` where somebody else holds it, and where the folder cannot be written; `CancellationError`.
  init(_ path: String, for holder: Holder) throws {
    let flags = (holder == .user ? O_RDONLY : O_RDWR) | O_CREAT | O_CLOEXEC
    descriptor = unsafe open(path + Self.suffix, flags, 0o644)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw SQLiteFile.refuse(path, "\(reason); see that the folder exists and that this user may write into it")
    }
    do {
      for _ in 0..<(holder == .user ? Self.patience : 1) {
        if flock(descriptor, (holder == .user ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 { return }
        guard errno == EWOULDBLOCK || errno == EINTR else {
          throw SQLiteFile.refuse(path, "its lock: \(unsafe String(cString: strerror(errno)))")
        }
        try Task.checkCancellation()
        if holder == .user { usleep(10_000) }
      }
      throw SQLiteFile.refuse(
        path,
        holder == .user
          ? "another program is making it anew; try again" : "another program uses it; end that one first")
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// What the lock's file is called after the store's.
  static let suffix = ".lock"
}
