import CSystem
import Files
import Glibc

/// The temporary folders of private sound servers; each is claimed by a lock for as long as its owner lives.
enum ServerFolder {
  /// The lock on a folder.
  final class Claim: Sendable {
    private let file: File

    init(_ file: consuming File) { self.file = file }
  }

  private static let prefix = "station-"
  private static let claimName = "claim"

  /// Makes a folder that only this user can enter, and removes those whose owners were killed.
  ///
  /// Its path is short enough for the name of a socket: at most 107 bytes.
  static func make() throws -> (path: String, claim: Claim) {
    let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    let place = named.utf8.count > 80 ? "/tmp" : named
    clearAbandoned(in: place)
    var template = Array("\(place)/\(prefix)XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw FileError("create a folder in", place, code: errno) }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // A claim that bears its name is locked already: nobody can take the folder for an abandoned one.
    let file = try File("\(path)/.\(claimName)", .create)
    _ = try file.lock()
    try Folder.rename("\(path)/.\(claimName)", to: "\(path)/\(claimName)")
    return (path, Claim(file))
  }

  /// How old a folder without a claim must be: its owner may be about to make it.
  private static let grace = 10

  private static func clearAbandoned(in place: String) {
    for name in (try? Folder.names(in: place)) ?? []
    where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
      let path = "\(place)/\(name)"
      guard let age = ageOfOwnFolder(path) else { continue }
      if let claim = try? File("\(path)/\(claimName)", .read) {
        guard (try? claim.lock()) == true else { continue }
        try? Folder.removeTree(path)
      } else if age >= grace, isUnclaimed(path) {
        try? Folder.removeTree(path)
      }
    }
  }

  /// Whether it is as an owner leaves it who was killed between making the folder and claiming it.
  private static func isUnclaimed(_ path: String) -> Bool {
    guard let names = try? Folder.names(in: path) else { return false }
    if names.isEmpty { return true }
    guard names == [".\(claimName)"], let claim = try? File("\(path)/.\(claimName)", .read) else { return false }
    return (try? claim.lock()) == true
  }

  /// How many seconds ago a folder that only this user can enter was changed; `nil` for anything else.
  private static func ageOfOwnFolder(_ path: String) -> Int? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_mode & 0o077 == 0,
      status.st_uid == geteuid()
    else { return nil }
    return unsafe time(nil) - Int(csystem_modified_seconds(&status))
  }
}
