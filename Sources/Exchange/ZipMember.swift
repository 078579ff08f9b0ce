import Basics
import Glibc
import Synchronization

/// A file within a zip archive, unpacked by a child `unzip` while it is read: nothing is written to the disk.
final class ZipMember: Sendable {
  /// Its path within the archive.
  let name: String

  private let archive: String
  private let process: Mutex<Int32>
  private let output: Int32

  /// Whether a file begins as a zip archive does.
  static func isArchive(_ beginning: [UInt8]) -> Bool { beginning.starts(with: "PK\u{3}\u{4}".utf8) }

  /// The Apple Health export in an archive, whose name is in the phone's language.
  static func export(in archive: String) throws(ImportError) -> ZipMember {
    let listing = try ZipMember(archive, "", ["-Z1"])
    var list: [UInt8] = []
    while list.count < 1 << 20, case let piece = try listing.read(1 << 16), !piece.isEmpty { list += piece }
    let names = String(decoding: list, as: UTF8.self).split(separator: "\n").map(String.init)
    for name in names where name.hasSuffix(".xml") && name.split(separator: "/").count <= 2 {
      let beginning = try ZipMember(archive, name, ["-p"]).read(4096)
      guard AppleHealthFolder.isExport(beginning) else { continue }
      return try ZipMember(archive, name, ["-p"])
    }
    throw .notImportable(
      path: archive,
      reason: "it is a zip archive without an Apple Health export; unpack it and import what is in it")
  }

  /// The unpacked content, as a file.
  func open() throws(ImportError) -> File {
    do throws(FileError) { return try File("/proc/self/fd/\(output)", .read) } catch { throw .file(error) }
  }

  /// Why it was not unpacked completely, after its end was read; `nil` if it was.
  func problem() -> String? {
    var status: Int32 = 0
    let ended = process.withLock { process in
      defer { process = 0 }
      guard process > 0 else { return false }
      return unsafe waitpid(process, &status, 0) == process
    }
    // Warnings have the status 1.
    let code = status >> 8 & 0xFF
    guard ended, status & 0x7F != 0 || code > 1 else { return nil }
    return "“\(name)” in it cannot be unpacked to its end (unzip ended with status \(code)); the archive is damaged"
  }

  private init(_ archive: String, _ name: String, _ options: [String]) throws(ImportError) {
    self.archive = archive
    self.name = name
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .file(FileError("unpack", archive, code: errno)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    let path = archive.hasPrefix("-") ? "./\(archive)" : archive
    // The special characters of unzip's patterns are escaped.
    let member = name.map { "*?[]\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    let words = ["unzip"] + options + [path] + (name.isEmpty ? [] : [member])
    // Names are UTF-8 whatever this user's language is.
    var start = ProgramStart(words, environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"])
    start.output = .descriptor(ends[1])
    let (started, code) = start.start()
    close(ends[1])
    process = Mutex(code == 0 ? started : 0)
    guard code == 0 else {
      throw .notImportable(
        path: archive,
        reason: code == ENOENT
          ? "it is a zip archive, and the program unzip is missing; install it (Debian: unzip), or unpack the archive and "
            + "import what is in it" : "unzip cannot be started: \(unsafe String(cString: strerror(code)))")
    }
  }

  deinit {
    close(output)
    let process = process.withLock { $0 }
    guard process > 0 else { return }
    kill(process, SIGKILL)
    _ = waitpid(process, nil, 0)
  }

  private func read(_ count: Int) throws(ImportError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: count)
    while bytes.count < count {
      let result = unsafe Glibc.read(output, &buffer, count - bytes.count)
      if result < 0, errno == EINTR { continue }
      guard result >= 0 else { throw .file(FileError("unpack", archive, code: errno)) }
      if result == 0 { break }
      bytes += buffer.prefix(result)
    }
    return bytes
  }
}
