import CSystem
import Glibc

/// An open file, which closes itself.
public struct File: ~Copyable, Sendable {
  /// The path it was opened by, for messages.
  public let path: String

  private let descriptor: Int32

  /// How a file is opened.
  public enum Mode: Sendable {
    /// For reading; it must exist.
    case read
    /// For writing; it must not exist.
    case create
    /// For appending with `O_APPEND`; made when missing.
    case append
    /// For reading and appending; it must exist.
    case amend
  }

  /// Opens a file; the descriptor is closed on exec.
  public init(_ path: String, _ mode: Mode) throws(FileError) {
    let flags: Int32 =
      switch mode {
      case .read: O_RDONLY
      case .create: O_WRONLY | O_CREAT | O_EXCL
      case .append: O_WRONLY | O_CREAT | O_APPEND
      case .amend: O_RDWR | O_APPEND
      }
    var descriptor: Int32
    repeat { descriptor = unsafe open(path, flags | O_CLOEXEC, 0o644) } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw FileError.last(mode == .create ? "create" : "open", path) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The number of bytes in it.
  public func size() throws(FileError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError.last("examine", path) }
    return Int(status.st_size)
  }

  /// Reads up to `count` bytes; an empty result is the end.
  public func read(upTo count: Int) throws(FileError) -> [UInt8] {
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      repeat { result = unsafe Glibc.read(descriptor, buffer.baseAddress, count) } while result < 0 && errno == EINTR
      initialized = max(result, 0)
    }
    guard result >= 0 else { throw FileError.last("read", path) }
    return bytes
  }

  /// Reads up to `count` bytes from `position` on, wherever others have read; an empty result is the end.
  public func read(upTo count: Int, at position: Int) throws(FileError) -> [UInt8] {
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      repeat {
        result = unsafe pread(descriptor, buffer.baseAddress, count, position)
      } while result < 0
        && errno == EINTR
      initialized = max(result, 0)
    }
    guard result >= 0 else { throw FileError.last("read", path) }
    return bytes
  }

  /// Writes all bytes, in one `write` where the system takes them in one.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      if written < 0, errno != EINTR { throw FileError.last("write", path) }
      start += max(written, 0)
    }
  }

  /// Takes room on the disk for a file of `size` bytes without changing the file's own size.
  ///
  /// - Returns: whether the room is there; some file systems cannot do this.
  @discardableResult
  public func reserve(_ size: Int) -> Bool { fallocate(descriptor, csystem_fallocate_keep_size, 0, size) == 0 }

  /// Cuts the file to `size` bytes.
  public func truncate(to size: Int) throws(FileError) {
    guard ftruncate(descriptor, size) == 0 else { throw FileError.last("truncate", path) }
  }

  /// Waits until data and size are on the disk.
  public func synchronizeData() throws(FileError) {
    guard fdatasync(descriptor) == 0 else { throw FileError.last("synchronize", path) }
  }

  /// Waits until everything about the file is on the disk.
  public func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError.last("synchronize", path) }
  }

  /// Takes the advisory lock that other processes see, without waiting; it is held until the file is closed.
  ///
  /// - Returns: `false` when another open file holds it.
  public func lock() throws(FileError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw FileError.last("lock", path) }
    return false
  }

  /// Whether a process on this computer holds the advisory lock of a file, which is only looked at.
  ///
  /// - Parameter path: the file.
  /// - Returns: `nil` where the system does not say.
  public static func isLocked(_ path: String) -> Bool? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, let locks = try? File.contents(of: "/proc/locks") else { return nil }
    // “1: FLOCK  ADVISORY  WRITE 1234 fd:01:131090 0 EOF”; the file is the device's numbers and its own.
    return String(decoding: locks, as: UTF8.self).split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      return words.count == 8 && words[1] == "FLOCK"
        && words[5].split(separator: ":").last == Substring(String(status.st_ino))
    }
  }

  /// Takes the same lock, waiting for whoever holds it.
  public func waitForLock() throws(FileError) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw FileError.last("lock", path) }
    }
  }
}
