import CSystem
import Glibc

/// What the system refused to do with a file.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The verb: `open`, `write`, `rename`.
  package let action: String

  /// The file, as it was named.
  package let path: String

  /// The system's error number.
  package let code: Int32

  /// An error with the system's number.
  package init(_ action: String, _ path: String, code: Int32) {
    self.action = action
    self.path = path
    self.code = code
  }

  /// The error that the last failed call left.
  static func last(_ action: String, _ path: String) -> FileError { FileError(action, path, code: errno) }

  /// The error that a failed `open` left.
  static func opening(_ action: String, _ path: String, isRegular: Bool) -> FileError {
    let code = errno
    // A link where none may be, and a socket or a pipe without a reader.
    if isRegular, code == ELOOP || code == ENXIO { return FileError(action, path, code: irregular) }
    if code == ENOENT, path.contains("\u{FFFD}") { return FileError(action, path, code: unspeakable) }
    return FileError(action, path, code: code)
  }

  /// The error that opening a part of a path left.
  static func openingPart(of path: String, _ part: String, in folder: Int32) -> FileError {
    let code = errno
    var status = stat()
    let isLink =
      unsafe fstatat(folder, part, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
    return isLink || code == ENXIO
      ? FileError("open", path, code: irregular) : FileError("open", path, code: code)
  }

  /// Refuses to make something whose name was not UTF-8: its bytes are lost, and it would be made under another name.
  static func checkName(_ action: String, _ path: String) throws(FileError) {
    if path.contains("\u{FFFD}") { throw FileError(action, path, code: unspeakable) }
  }

  /// The system's words: `No space left on device`.
  package var reason: String {
    if code == Self.irregular { return "it is not a regular file, but a pipe, a device or a link" }
    if code == Self.unspeakable { return "its name is not valid UTF-8; rename it" }
    var buffer = [CChar](repeating: 0, count: 128)
    guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The number for what is not a regular file; no system's own is negative.
  package static let irregular: Int32 = -1

  /// The number for a name that is not UTF-8.
  package static let unspeakable: Int32 = -2

  /// The number for a name that is taken.
  package static let taken: Int32 = EEXIST

  /// The number for a file that does not hold what it held a moment ago.
  package static let damaged: Int32 = EIO

  /// The number for something that another process holds.
  package static let busy: Int32 = EWOULDBLOCK

  /// Whether the disk, or the user's share of it, is full.
  package var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// Whether the file is not there.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether something of that name is there already.
  package var isTaken: Bool { code == EEXIST || code == ENOTEMPTY }

  /// `cannot open “x.mp3”: No such file or directory`.
  package var description: String { "cannot \(action) “\(path.visible)”: \(reason)" }
}
