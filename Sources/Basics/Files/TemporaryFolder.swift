import CSystem
import Glibc

/// A temporary folder that only this user can access, claimed by a lock while it is in use.
package struct TemporaryFolder: Sendable {
  package let path: String
  private let claim: LockedFile

  private static let prefix = "station-"
  private static let claimName = "claim"
  /// The content of a claim, which identifies it as ours.
  private static let mark = Array("station: a temporary folder\n".utf8)

  /// Creates a folder, and removes those whose owners were killed.
  ///
  /// Its path is short enough for a socket's name, at most 107 bytes. Its name contains the process number, so that a
  /// folder whose owner was killed before claiming it is recognised as ours.
  ///
  /// - Parameter parent: the folder in which it is made; that of the environment unless it is given.
  /// - Throws: ``FileError``.
  package init(in parent: String? = nil) throws(FileError) {
    let usual = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }
    let named = parent ?? usual ?? "/tmp"
    let place = named.utf8.count > 72 ? "/tmp" : named
    Self.clearAbandoned(in: place)
    var template = Array("\(place)/\(Self.prefix)\(getpid())-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw FileError("create a folder in", place, code: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // The claim gets its final name when it is complete and locked, so the folder never looks abandoned.
    claim = try LockedFile("\(path)/.\(Self.claimName)", .create)
    _ = try claim.take()
    try claim.file.write(Self.mark)
    try Folder.rename("\(path)/.\(Self.claimName)", to: "\(path)/\(Self.claimName)")
  }

  /// Works in the folder, and removes it afterwards; it is also removed when a signal ends this process.
  ///
  /// - Parameter work: is given the folder's path.
  /// - Returns: what it returns.
  /// - Throws: what it throws.
  package func use<Value, Failure>(_ work: (String) throws(Failure) -> Value) throws(Failure) -> Value {
    UnfinishedFiles.add(path)
    defer { UnfinishedFiles.remove(path) }
    return try claim.hold { () throws(Failure) in
      defer { remove() }
      return try work(path)
    }
  }

  /// Removes the folder with everything in it, the claim last.
  ///
  /// A program that is about to end may still write: then the claim remains, and identifies the folder as ours.
  package func remove() { Self.remove(path) }

  private static func remove(_ path: String) {
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
