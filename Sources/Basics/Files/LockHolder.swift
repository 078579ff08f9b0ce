import CSystem
import Glibc

/// A lock that another process did not give up in time.
package struct LockError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  package let path: String

  /// The process that holds it, where the system says so.
  package let holder: LockHolder?

  /// How long it was waited for.
  package let waited: Duration

  /// What failed, because of whom, and what to do.
  package var description: String {
    "cannot lock “\(path.visible)”: \(holder.map { "\($0) holds it" } ?? "another process holds it"), and did not give it up in "
      + "\(waited.components.seconds) s; end that process and try again"
  }
}

/// A process that holds the lock of a file.
package struct LockHolder: Hashable, Sendable, CustomStringConvertible {
  /// The process's number.
  package let process: Int32

  /// What it is called.
  package let name: String?

  /// `process 1234 (station)`.
  package var description: String { "process \(process)" + (name.map { " (\($0))" } ?? "") }

  /// The kinds of locks that the system lists.
  package enum Kind: String, Sendable {
    /// Those of `flock`.
    case flock = "FLOCK"
    /// Those of `fcntl`, which SQLite takes.
    case record = "POSIX"
  }

  /// The process that holds the lock of a file now; `nil` where there is none, or the system does not say.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - kind: which of its locks.
  ///   - own: a process that is not meant: the one that asks.
  package init?(of path: String, kind: Kind = .flock, except own: Int32 = 0) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, let locks = try? File.contents(of: "/proc/locks") else { return nil }
    let device = status.st_dev
    let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
    // “1: FLOCK  ADVISORY  WRITE 1234 fd:01:131090 0 EOF”; one who waits has “->” after the number.
    let processes = String(decoding: locks, as: UTF8.self).split(separator: "\n").compactMap { line -> Int32? in
      let words = line.split(separator: " ")
      guard words.count == 8, words[1] == kind.rawValue else { return nil }
      let file = words[5].split(separator: ":").map(String.init)
      guard file.count == 3, UInt(file[0], radix: 16) == major, UInt(file[1], radix: 16) == minor,
        file[2] == "\(status.st_ino)"
      else { return nil }
      return Int32(words[4])
    }
    guard let process = processes.first(where: { $0 > 0 && $0 != own }) else { return nil }
    self.process = process
    let text = (try? File.contents(of: "/proc/\(process)/comm")).map { String(decoding: $0, as: UTF8.self) }
    name = text.map { String($0.prefix { !$0.isNewline }) }
  }
}

extension File {
  /// Takes the advisory lock, waiting for whoever holds it, but not for ever.
  ///
  /// - Throws: ``LockError`` with who holds it, and `FileError`.
  package func waitForLock(within limit: Duration) throws {
    let clock = SuspendingClock()
    let start = clock.now
    while try !lock() {
      let waited = start.duration(to: clock.now)
      guard waited < limit else { throw LockError(path: path, holder: LockHolder(of: path), waited: waited) }
      // It is held for milliseconds.
      usleep(5000)
    }
  }
}
