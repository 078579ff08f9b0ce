import Files
import Glibc

/// A process that holds a lock on a file, as the system's list of locks has it.
struct LockHolder: CustomStringConvertible {
  /// The process; 0 where the system does not say, as for one of another container.
  let process: Int32

  /// The program's name; `nil` where the process cannot be looked at.
  let program: String?

  /// `process 4711 (station)`.
  var description: String {
    guard process > 0 else { return "a process that is not visible here" }
    return "process \(process)" + (program.map { " (\($0))" } ?? "")
  }

  /// Who holds a lock on a file, other than this process; `nil` where the system does not say.
  static func of(_ status: stat) -> LockHolder? {
    guard let text = text(of: "/proc/locks") else { return nil }
    let major = (status.st_dev >> 8) & 0xFFF | (status.st_dev >> 32) & 0xFFFF_F000
    let minor = status.st_dev & 0xFF | (status.st_dev >> 12) & 0xFFFF_FF00
    let file = "\(hexadecimal(major)):\(hexadecimal(minor)):\(status.st_ino)"
    for line in text.split(separator: "\n") {
      // `1: FLOCK  ADVISORY  WRITE 4711 fe:01:131 0 EOF`; a line with `->` is of a process that waits.
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] != "->", words[5] == file, let process = Int32(words[4]), process != getpid()
      else { continue }
      let program = Self.text(of: "/proc/\(process)/comm").map { String($0.prefix { $0 != "\n" }) }
      return LockHolder(process: process, program: program)
    }
    return nil
  }

  /// Who writes into a database that is written ahead into a log: its lock is on the file of the log's index.
  static func ofWriter(_ path: String) -> LockHolder? {
    var status = stat()
    for file in ["\(path)-shm", path] where unsafe stat(file, &status) == 0 {
      if let holder = of(status) { return holder }
    }
    return nil
  }

  private static func hexadecimal(_ number: UInt) -> String {
    let text = String(number, radix: 16)
    return text.count < 2 ? "0\(text)" : text
  }

  private static func text(of path: String) -> String? {
    guard let bytes = try? File.contents(of: path, limit: 1 << 20) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
