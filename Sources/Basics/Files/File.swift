import CSystem
import Glibc

/// An open file, which closes itself.
package struct File: ~Copyable, Sendable {
  /// The path with which it was opened, for messages.
  package let path: String

  private let descriptor: Int32

  /// The access mode.
  package enum Mode: Sendable {
    /// For reading; it must exist.
    case read
    /// For writing; it must not exist.
    case create
    /// For appending with `O_APPEND`; created if missing.
    case append
    /// For reading and appending; it must exist.
    case amend
    /// For reading and writing at given positions; it must exist.
    case change
    /// For reading and writing at given positions; it must not exist.
    case createChangeable
    /// For reading and writing at given positions; created if missing.
    case ensure

    fileprivate var flags: Int32 {
      switch self {
      case .read: O_RDONLY
      case .create: O_WRONLY | O_CREAT | O_EXCL
      case .append: O_WRONLY | O_CREAT | O_APPEND
      case .amend: O_RDWR | O_APPEND
      case .change: O_RDWR
      case .createChangeable: O_RDWR | O_CREAT | O_EXCL
      case .ensure: O_RDWR | O_CREAT
      }
    }

    fileprivate var action: String { flags & O_EXCL != 0 ? "create" : "open" }
  }

  /// Opens a file with close-on-exec.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - mode: the access mode.
  ///   - isPrivate: whether a newly created file is readable by its owner only, even where ``NewFiles`` are shared.
  ///   - isRegular: whether to refuse anything but a regular file, such as a pipe, a device or a link, without blocking
  ///     on it.
  /// - Throws: ``FileError``.
  package init(_ path: String, _ mode: Mode, isPrivate: Bool = false, isRegular: Bool = false) throws(FileError) {
    let permissions = NewFiles.permissions(isPrivate: isPrivate)
    let flags = mode.flags | (isRegular ? O_NOFOLLOW | O_NONBLOCK : 0)
    if flags & O_CREAT != 0 { try FileError.checkName(mode.action, path) }
    var descriptor: Int32
    repeat { descriptor = unsafe open(path, flags | O_CLOEXEC, permissions) } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw FileError.opening(mode.action, path, isRegular: isRegular) }
    if isRegular, !Self.isRegular(descriptor) {
      close(descriptor)
      throw FileError(mode.action, path, code: FileError.irregular)
    }
    self.path = path
    self.descriptor = descriptor
  }

  /// Opens a regular file inside a folder for reading; neither the file nor a folder within the path may be a link.
  ///
  /// - Parameters:
  ///   - folder: the folder, which may be reached through links.
  ///   - path: the file's path inside it, without `..`.
  /// - Throws: ``FileError``; code ``FileError/irregular`` for a link or anything but a regular file.
  package init(inside folder: String, _ path: String) throws(FileError) {
    let whole = "\(folder)/\(path)"
    var place = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard place >= 0 else { throw FileError.opening("open", whole, isRegular: true) }
    let parts = path.split(separator: "/")
    for (index, part) in parts.enumerated() {
      let kind = index < parts.count - 1 ? O_DIRECTORY : O_NONBLOCK
      let next = part == ".." ? -1 : unsafe openat(place, String(part), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind)
      let error = part == ".." ? FileError("open", whole, code: FileError.irregular) : nil
      let failure = next < 0 ? error ?? FileError.openingPart(of: whole, String(part), in: place) : nil
      close(place)
      if let failure { throw failure }
      place = next
    }
    guard Self.isRegular(place) else {
      close(place)
      throw FileError("open", whole, code: FileError.irregular)
    }
    self.path = whole
    descriptor = place
  }

  private static func isRegular(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit { close(descriptor) }

  /// The size in bytes.
  package func size() throws(FileError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError.last("examine", path) }
    return Int(status.st_size)
  }

  /// Reads up to `count` bytes; an empty result means end of file.
  package func read(upTo count: Int) throws(FileError) -> [UInt8] {
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      repeat { result = unsafe Glibc.read(descriptor, buffer.baseAddress, count) } while result < 0 && errno == EINTR
      initialized = max(result, 0)
    }
    guard result >= 0 else { throw FileError.last("read", path) }
    return bytes
  }

  /// Reads up to `count` bytes from `position` on, independent of the file offset; an empty result means end of file.
  package func read(upTo count: Int, at position: Int) throws(FileError) -> [UInt8] {
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

  /// Writes all bytes, in a single `write` if the system accepts them.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      if written < 0, errno != EINTR { throw FileError.last("write", path) }
      start += max(written, 0)
    }
  }

  /// Writes all bytes from `position` on, in a single `pwrite` if the system accepts them; not in appending modes.
  package func write(_ bytes: [UInt8], at position: Int) throws(FileError) {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress.map { unsafe $0 + start }, bytes.count - start, position + start)
      }
      if written < 0, errno != EINTR { throw FileError.last("write", path) }
      start += max(written, 0)
    }
  }

  /// A stamp that changes whenever the content does.
  package func stamp() throws(FileError) -> FileStamp {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError.last("examine", path) }
    return FileStamp(status)
  }

  /// The file's identity, independent of its name.
  func identity() throws(FileError) -> FileIdentity {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError.last("examine", path) }
    return FileIdentity(status)
  }

  /// Whether the path still leads to this file, rather than to none or a replacement.
  package func isAt(_ path: String) -> Bool {
    guard let identity = try? identity() else { return false }
    return FileIdentity(of: path) == identity
  }

  /// Reserves disk space for a file of `size` bytes without changing its size.
  ///
  /// - Returns: whether the space is reserved; some file systems do not support this.
  @discardableResult
  package func reserve(_ size: Int) -> Bool { fallocate(descriptor, csystem_fallocate_keep_size, 0, size) == 0 }

  /// Truncates the file to `size` bytes.
  package func truncate(to size: Int) throws(FileError) {
    guard ftruncate(descriptor, size) == 0 else { throw FileError.last("truncate", path) }
  }

  /// Waits until data and size are on disk (`fdatasync`).
  package func synchronizeData() throws(FileError) {
    guard fdatasync(descriptor) == 0 else { throw FileError.last("synchronize", path) }
  }

  /// Waits until data and all metadata are on disk (`fsync`).
  package func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError.last("synchronize", path) }
  }

  /// Waits until everything that was written to the file's file system is on disk (`syncfs`).
  func synchronizeFileSystem() throws(FileError) {
    guard syncfs(descriptor) == 0 else { throw FileError.last("synchronize", path) }
  }

  /// Takes the advisory lock without waiting; it is held until the file is closed or unlocked.
  ///
  /// Other modules use ``LockedFile``.
  ///
  /// - Returns: `false` if another open file holds it.
  func lock() throws(FileError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw FileError.last("lock", path) }
    return false
  }

  /// Gives the advisory lock back.
  func unlock() { flock(descriptor, LOCK_UN) }
}

/// A small file with a secret, which only its owner may read.
package enum PrivateFile: Sendable {
  /// Why a secret is not taken from a file.
  package enum Failure: Error, Hashable, Sendable {
    /// Other users may read it.
    case open
    /// It cannot be read.
    case unreadable(FileError)
  }

  /// The text of a file.
  ///
  /// - Throws: ``Failure`` for a file that others may read, cannot be read, or is too long.
  package static func text(_ path: String) throws(Failure) -> String {
    do throws(FileError) {
      let file = try File(path, .read)
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { throw FileError("examine", path, code: errno) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw FileError("open", path, code: FileError.irregular) }
      guard status.st_mode & 0o077 == 0 else { throw FileError("refuse", path, code: EACCES) }
      return String(decoding: try file.contents(limit: 1 << 16), as: UTF8.self)
    } catch {
      throw error == FileError("refuse", path, code: EACCES) ? .open : .unreadable(error)
    }
  }
}
