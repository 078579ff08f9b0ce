import Basics
import CSystem
import Glibc

/// Whether a path exists.
func isThere(_ path: String) -> Bool { Folder.exists(path) }

/// The kind of file at a path.
enum PathKind {
  case file, folder
  /// A FIFO, a device or a socket.
  case stream

  /// Looks the path up; `nil` if it does not exist.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .stream
      }
  }
}
