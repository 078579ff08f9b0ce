import Basics
import Glibc

/// What a file's first bytes say about it, before SQLite is let at a file that might not be ours.
///
/// The header is described in “Database File Format”, sqlite.org/fileformat.html, section 1.3. It is read by SQLite's own
/// handle: the system forgets all locks that a process has on a file when the process closes any descriptor of it, and only
/// SQLite knows which it still needs (“How To Corrupt An SQLite Database File”, sqlite.org/howtocorrupt.html, section 2.2).
struct SQLiteFile {
  /// Whether there is a store; without it there is nothing, or an empty file.
  let isStore: Bool

  /// Looks at a file.
  ///
  /// - Throws: ``StoreError`` for a file that is no store, or one of a later version; `SQLiteError` where it cannot be read.
  init(_ path: String) throws {
    // SQLite takes these for stores that are gone with the process.
    guard !path.isEmpty, path != ":memory:" else { throw Self.refuse(path, "that is no file's name") }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      isStore = false
      return
    }
    try Self.requireOrdinary(path, status)
    isStore = status.st_size > 0
    guard isStore else { return }
    let header = try SQLiteDatabase(path, .read).beginning(100)
    guard status.st_size >= 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw Self.refuse(path, "it is not a SQLite database, or its beginning is damaged; it was left as it is")
    }
    func number(at place: Int) -> Int32 {
      Int32(bitPattern: header[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    guard number(at: 68) == SQLiteSchema.application else {
      throw Self.refuse(path, "it is a SQLite database of another program; it was left as it is")
    }
    let version = number(at: 60)
    guard version <= SQLiteSchema.version else { throw Self.newer(path, version) }
  }

  /// Refuses folders, devices, pipes and sockets.
  static func requireOrdinary(_ path: String, _ status: stat) throws(StoreError) {
    let kind = status.st_mode & S_IFMT
    guard kind != S_IFDIR else { throw refuse(path, "it is a folder; name a file in it") }
    guard kind == S_IFREG else { throw refuse(path, "it is no ordinary file; name another") }
  }

  /// Makes the file of a new store, which only this user may read: SQLite's other files get the same permissions.
  static func make(_ path: String) {
    // What goes wrong here SQLite finds as well, and says why.
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Where the file itself lies to which a symbolic link leads: there SQLite keeps what belongs to it.
  static func resolve(_ path: String) -> String {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    let resolved = unsafe realpath(path, nil)
    defer { unsafe free(resolved) }
    return unsafe resolved.map { unsafe String(cString: $0) } ?? path
  }

  /// Refuses a file that has a second name, as the old store has while another takes its place.
  static func requireSingleName(_ path: String) throws(StoreError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_nlink > 1 else { return }
    throw refuse(
      path,
      "it has another name as well, as after a rebuild that was interrupted; run “station store rebuild --from-scratch” again"
    )
  }

  /// The error for tables of a later version.
  static func newer(_ path: String, _ version: Int32) -> StoreError {
    refuse(
      path,
      "it was made by a newer station (version \(version) of its tables; this one knows \(SQLiteSchema.version)); "
        + "use that station")
  }

  static func refuse(_ path: String, _ reason: String) -> StoreError {
    StoreError(.databaseInaccessible, "cannot open the store “\(path.visible)”: \(reason)")
  }
}
