import Basics
import CSystem
import Glibc

/// Temporary folders, of private sound servers and of speech; each is claimed by a lock during its owner's life.
enum ServerFolder {
  private static let prefix = "station-"
  private static let claimName = "claim"
  /// The content of a claim, which identifies it as ours.
  private static let mark = Array("station: a temporary folder\n".utf8)

  /// Creates a folder that only this user can access, and removes those whose owners were killed.
  ///
  /// Its path is short enough for a socket's name, at most 107 bytes. Its name contains the process number, so that a
  /// folder whose owner was killed before claiming it is recognised as ours.
  ///
  /// - Parameter parent: the folder in which it is made; that of the environment unless it is given.
  /// - Returns: its path, and the lock on it.
  /// - Throws: `FileError`.
  static func make(in parent: String? = nil) throws(FileError) -> (path: String, claim: LockedFile) {
    let usual = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }
    let named = parent ?? usual ?? "/tmp"
    let place = named.utf8.count > 72 ? "/tmp" : named
    clearAbandoned(in: place)
    var template = Array("\(place)/\(prefix)\(getpid())-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw FileError("create a folder in", place, code: errno) }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // The claim gets its final name when it is complete and locked, so the folder never looks abandoned.
    let claim = try LockedFile("\(path)/.\(claimName)", .create)
    _ = try claim.take()
    try claim.file.write(mark)
    try Folder.rename("\(path)/.\(claimName)", to: "\(path)/\(claimName)")
    return (path, claim)
  }

  /// The seconds in which a server has to answer: a busy computer may leave it waiting for some.
  static let patience = 30
  /// What is known of a server that did not.
  static let silence = "it did not answer within \(patience) s, and reported no reason"

  /// How a server ended that reported nothing, by the status that `waitpid` gives.
  static func ending(_ status: Int32) -> String {
    let signal = status & 0x7F
    let way = signal == 0 ? "with status \(status >> 8 & 0xFF)" : "by signal \(signal)"
    return "it ended \(way), and reported no reason"
  }

  /// Removes a folder with everything in it, the claim last.
  ///
  /// A server that is about to end may still write: then the claim remains, and identifies the folder as ours.
  static func remove(_ path: String) {
    for name in (try? Folder.names(in: path)) ?? [] where name != claimName {
      let child = "\(path)/\(name)"
      if Folder.isFolder(child, followingLinks: false) {
        try? Folder.removeTree(child)
      } else {
        try? Folder.removeFile(child)
      }
    }
    guard let names = try? Folder.names(in: path), names.allSatisfy({ $0 == claimName }) else { return }
    try? Folder.removeTree(path)
  }

  /// The minimum age in seconds of a folder without a claim, because this process may not see its owner.
  private static let grace = 10

  private static func clearAbandoned(in place: String) {
    for name in (try? Folder.names(in: place)) ?? [] {
      guard let owner = owner(in: name), let age = ageOfOwnFolder("\(place)/\(name)") else { continue }
      let path = "\(place)/\(name)"
      if let claim = try? LockedFile("\(path)/\(claimName)", .read) {
        guard (try? claim.file.read(upTo: mark.count + 1)) == mark, (try? claim.take()) == true else { continue }
        claim.hold { remove(path) }
      } else if age >= grace, hasEnded(owner), isUnclaimed(path) {
        remove(path)
      }
    }
  }

  /// The process in the name of a folder: `station-4711-x7Kd2a`.
  private static func owner(in name: String) -> pid_t? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard name.hasPrefix(prefix), parts.count == 3, parts[2].utf8.count == 6 else { return nil }
    return pid_t(parts[1]).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func hasEnded(_ process: pid_t) -> Bool { kill(process, 0) != 0 && errno == ESRCH }

  /// Whether the folder is in the state left by an owner killed between creating and claiming it.
  private static func isUnclaimed(_ path: String) -> Bool {
    guard let names = try? Folder.names(in: path) else { return false }
    if names.isEmpty { return true }
    guard names == [".\(claimName)"], let claim = try? LockedFile("\(path)/.\(claimName)", .read) else { return false }
    return (try? claim.take()) == true
  }

  /// How many seconds ago a folder with access for this user only was changed; `nil` for anything else.
  private static func ageOfOwnFolder(_ path: String) -> Int? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_mode & 0o077 == 0,
      status.st_uid == geteuid()
    else { return nil }
    return unsafe time(nil) - Int(csystem_modified_seconds(&status))
  }
}
