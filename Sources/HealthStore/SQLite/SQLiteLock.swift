import Basics
import Glibc

/// The lock of a store's file, on a file `….lock` beside it, which stays there: those who use the store share it, and whoever
/// puts another in its place has it alone.
///
/// It is the system's `flock`, which belongs to this descriptor: other descriptors of the file can be closed without harm.
final class SQLiteLock: Sendable {
  private let descriptor: Int32

  /// Who holds it.
  enum Holder {
    /// One of many who use the store.
    case user
    /// The only one, who replaces it.
    case replacer
  }

  /// Takes the lock of a store's file; a user waits for a replacer, and not after its task was cancelled.
  ///
  /// - Throws: ``StoreError`` where another process holds it, where its file is no ordinary one, and where the folder cannot
  ///   be written; `CancellationError`.
  init(_ path: String, for holder: Holder, _ patience: StorePatience = StorePatience()) throws {
    let file = path + Self.suffix
    // Opening a pipe would block.
    let flags = (holder == .user ? O_RDONLY : O_RDWR) | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    // From here on deinit closes it, also where this initializer throws.
    descriptor = unsafe open(file, flags, 0o600)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw SQLiteFile.refuse(
        path, "\(reason); see that the folder exists and that this user may write into it")
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SQLiteFile.refuse(path, "its lock “\(file.visible)” is no ordinary file; remove it")
    }
    let waiting = StoreWaiting(patience)
    while true {
      if flock(descriptor, (holder == .user ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw SQLiteFile.refuse(path, "its lock: \(unsafe String(cString: strerror(errno)))")
      }
      try Task.checkCancellation()
      let other = LockHolder(of: file, except: getpid())?.description ?? "another process"
      guard holder == .user else {
        throw SQLiteFile.refuse(path, "\(other) uses it; end that one first")
      }
      guard waiting.mayWait(for: { "\(other), which holds the store “\(path.visible)”" }) else {
        throw SQLiteFile.refuse(
          path, "\(other) has held its lock for \(patience.limit.components.seconds) s; end that one, or try again")
      }
      usleep(10_000)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// What the lock's file is called after the store's.
  static let suffix = ".lock"
}
