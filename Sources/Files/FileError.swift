import Glibc

/// What the system refused to do with a file.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The verb: `open`, `write`, `rename`.
  public let action: String

  /// The file, as it was named.
  public let path: String

  /// The system's error number.
  public let code: Int32

  /// An error with the system's number.
  public init(_ action: String, _ path: String, code: Int32) {
    self.action = action
    self.path = path
    self.code = code
  }

  /// The error that the last failed call left.
  static func last(_ action: String, _ path: String) -> FileError { FileError(action, path, code: errno) }

  /// The system's words: `No space left on device`.
  public var reason: String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The number for a name that is taken.
  public static let taken: Int32 = EEXIST

  /// The number for a file that does not hold what it held a moment ago.
  public static let damaged: Int32 = EIO

  /// The number for something that another process holds.
  public static let busy: Int32 = EWOULDBLOCK

  /// Whether the disk, or the user's share of it, is full.
  public var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// Whether the file is not there.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether something of that name is there already.
  public var isTaken: Bool { code == EEXIST || code == ENOTEMPTY }

  /// `cannot open “x.mp3”: No such file or directory`.
  public var description: String { "cannot \(action) “\(path)”: \(reason)" }
}
