import CSystem
import Glibc

/// A failed file operation.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The verb: `open`, `write`, `rename`.
  package let action: String

  /// The file as it was named.
  package let path: String

  /// The system's error number.
  package let code: Int32

  /// Creates an error with the system's error number.
  package init(_ action: String, _ path: String, code: Int32) {
    self.action = action
    self.path = path
    self.code = code
  }

  /// The error of the last failed call, from `errno`.
  static func last(_ action: String, _ path: String) -> FileError { FileError(action, path, code: errno) }

  /// The error of a failed `open`.
  static func opening(_ action: String, _ path: String, isRegular: Bool) -> FileError {
    let code = errno
    // A link where none is allowed, or a socket or a pipe without a reader.
    if isRegular, code == ELOOP || code == ENXIO { return FileError(action, path, code: irregular) }
    if code == ENOENT, path.contains("\u{FFFD}") { return FileError(action, path, code: unspeakable) }
    return FileError(action, path, code: code)
  }

  /// The error of opening a component of a path.
  static func openingPart(of path: String, _ part: String, in folder: Int32) -> FileError {
    let code = errno
    var status = stat()
    let isLink =
      unsafe fstatat(folder, part, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
    return isLink || code == ENXIO
      ? FileError("open", path, code: irregular) : FileError("open", path, code: code)
  }

  /// Refuses to create a file whose name was not valid UTF-8: the original bytes are lost, so that the name would
  /// differ.
  static func checkName(_ action: String, _ path: String) throws(FileError) {
    if path.contains("\u{FFFD}") { throw FileError(action, path, code: unspeakable) }
  }

  /// The system's message: `No space left on device`.
  package var reason: String {
    if code == Self.irregular { return "it is not a regular file, but a pipe, a device or a link" }
    if code == Self.outside { return "it lies outside of the folder, behind a link" }
    if code == Self.unspeakable { return "its name is not valid UTF-8; rename it" }
    var buffer = [CChar](repeating: 0, count: 128)
    guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The code for anything but a regular file; the system's own codes are never negative.
  package static let irregular: Int32 = -1

  /// The code for a name that is not valid UTF-8.
  static let unspeakable: Int32 = -2

  /// The code for a file to which a link leads out of the folder in which it has to be.
  static let outside: Int32 = -3

  /// The code for a name that is in use.
  package static let taken: Int32 = EEXIST

  /// The code for a file whose content has unexpectedly changed.
  package static let damaged: Int32 = EIO

  /// The code for a resource that another process holds.
  package static let busy: Int32 = EWOULDBLOCK

  /// Whether the disk or the user's quota is full, or the file too large.
  var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// Whether the file does not exist.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether the name is in use.
  package var isTaken: Bool { code == EEXIST || code == ENOTEMPTY }

  /// `cannot open “x.mp3”: No such file or directory`.
  package var description: String { "cannot \(action) “\(path.visible)”: \(reason)" }
}
