import CSystem
import Glibc

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
