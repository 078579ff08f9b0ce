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

  private static func clearAbandoned(in place: String) {
    for name in (try? Folder.names(in: place)) ?? []
    where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
      guard let claim = try? File("\(place)/\(name)/\(claimName)", .read), (try? claim.lock()) == true else { continue }
      try? Folder.removeTree("\(place)/\(name)")
    }
  }
}
