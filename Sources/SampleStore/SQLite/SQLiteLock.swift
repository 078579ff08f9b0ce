import Basics
import Glibc

/// The lock of a store's file: users share it, and a process that replaces the store holds it exclusively.
///
/// The lock is on a permanent file `….lock` beside the store. It is a `flock`, which belongs to this descriptor:
/// closing other descriptors of the file does not release it.
final class SQLiteLock: Sendable {
  private let descriptor: Int32

  /// The role of the holder.
  enum Holder {
    /// One of several users of the store.
    case user
    /// The process that replaces the store, with exclusive access.
    case replacer
  }

  /// Takes the lock of a store's file; a user waits for a replacer, until its task is cancelled.
  ///
  /// - Throws: ``StoreError`` if another process holds it, if the lock is not a regular file, or if the folder is not
  ///   writable; `CancellationError`.
  init(
    _ path: String, for holder: Holder, of contents: DatabaseContents = .samples,
    _ patience: StorePatience = StorePatience()
  ) throws {
    func refuse(_ reason: String) -> StoreError { SQLiteFile.refuse(path, reason, contents) }
    let file = path + Self.suffix
    // `O_NONBLOCK`, because opening a pipe would block.
    let flags = (holder == .user ? O_RDONLY : O_RDWR) | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    // From here on deinit closes it, even if this initializer throws.
    descriptor = unsafe open(file, flags, 0o600)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw refuse("\(reason); see that the folder exists and that this user may write into it")
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw refuse("its lock “\(file.visible)” is not an ordinary file; remove it")
    }
    let waiting = StoreWaiting(patience)
    // A program that this process is just starting has all of its locks for a moment.
    var moments = min(20, Int(patience.limit / .milliseconds(10)))
    while true {
      if flock(descriptor, (holder == .user ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw refuse("its lock: \(unsafe String(cString: strerror(errno)))")
      }
      try Task.checkCancellation()
      if moments > 0 {
        moments -= 1
        usleep(10_000)
        continue
      }
      let other = LockHolder(of: file, except: getpid())?.description ?? "another process"
      guard holder == .user else {
        throw refuse("\(other) uses it; end that one first")
      }
      guard waiting.mayWait(for: { "\(other), which holds the \(contents.called(path))" }) else {
        throw refuse(
          "\(other) has held its lock for \(patience.limit.components.seconds) s; end that one, or try again")
      }
      usleep(10_000)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The suffix of the lock's file.
  static let suffix = ".lock"
}
