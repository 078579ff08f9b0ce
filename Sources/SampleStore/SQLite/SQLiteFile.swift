import Basics
import Glibc
import Synchronization

/// Checks a file's header before SQLite opens a file that might be another one.
///
/// The header is described in “Database File Format”, sqlite.org/fileformat.html, section 1.3. It is read through
/// SQLite's own handle: when a process closes any descriptor of a file, the system drops all of the process's locks on
/// that file, and only SQLite knows which ones it still needs (“How To Corrupt An SQLite Database File”,
/// sqlite.org/howtocorrupt.html, section 2.2).
struct SQLiteFile {
  /// Whether the file has the tables; if not, it is missing or empty.
  let isThere: Bool

  /// Checks a file.
  ///
  /// - Throws: ``StoreError`` for a file without the tables of the schema, or with those of a later version;
  ///   `SQLiteError` if it cannot be read.
  init(_ path: String, _ schema: SQLiteSchema) throws {
    func refuse(_ reason: String) -> StoreError { Self.refuse(path, reason, schema.contents) }
    // SQLite would open these as temporary databases.
    guard !path.isEmpty, path != ":memory:" else { throw refuse("that is not a file's name") }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      isThere = false
      return
    }
    try Self.requireOrdinary(path, status, schema.contents)
    isThere = status.st_size > 0
    guard isThere else { return }
    let header = try SQLiteDatabase(path, .read, of: schema.contents).beginning(100)
    guard status.st_size >= 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw refuse("it is not a SQLite database, or its beginning is damaged; it was left as it is")
    }
    func number(at place: Int) -> Int32 {
      Int32(bitPattern: header[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    guard number(at: 68) == schema.application else {
      throw refuse("it is a SQLite database of another program; it was left as it is")
    }
    let version = number(at: 60)
    guard version <= schema.version else { throw Self.newer(path, version, than: schema) }
  }

  /// Refuses folders, devices, pipes and sockets.
  static func requireOrdinary(
    _ path: String, _ status: stat, _ contents: DatabaseContents = .samples
  ) throws(StoreError) {
    let kind = status.st_mode & S_IFMT
    guard kind != S_IFDIR else { throw refuse(path, "it is a folder; name a file in it", contents) }
    guard kind == S_IFREG else { throw refuse(path, "it is not an ordinary file; name another", contents) }
  }

  /// Creates the file of a new database, readable by this user only; SQLite's companion files inherit the permissions.
  static func make(_ path: String) {
    // Errors are ignored here: SQLite runs into them too, and reports them.
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  /// The target of a symbolic link: SQLite keeps its companion files beside the target.
  static func resolve(_ path: String) -> String {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    let resolved = unsafe realpath(path, nil)
    defer { unsafe free(resolved) }
    return unsafe resolved.map { unsafe String(cString: $0) } ?? path
  }

  /// Refuses a file with a second hard link, such as an interrupted replacement leaves.
  static func requireSingleName(_ path: String, _ contents: DatabaseContents) throws(StoreError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_nlink > 1 else { return }
    let remedy =
      switch contents {
      case .samples: ", as after a rebuild that was interrupted; run “station store rebuild --from-scratch” again"
      case .participants: ", under which it would have another log; remove the other name"
      }
    throw refuse(path, "it has another name as well\(remedy)", contents)
  }

  /// The error for tables of a later version.
  static func newer(_ path: String, _ version: Int32, than schema: SQLiteSchema) -> StoreError {
    refuse(
      path,
      "it was made by a newer station (version \(version) of its tables; this one knows \(schema.version)); "
        + "use that station", schema.contents)
  }

  /// The error for a file that cannot be used.
  static func refuse(_ path: String, _ reason: String, _ contents: DatabaseContents = .samples) -> StoreError {
    StoreError(.databaseInaccessible, "cannot open the \(contents.called(path)): \(reason)")
  }
}

/// The tables of a database in a SQLite file.
package struct SQLiteSchema: Sendable {
  /// What the tables hold.
  let contents: DatabaseContents

  /// The application identifier in the file's header.
  let application: Int32

  /// The version of the tables; the program refuses later versions.
  let version: Int32

  /// The statements that make the tables.
  let tables: String

  /// The statements that make a database.
  var statements: String { "\(tables); PRAGMA application_id = \(application); PRAGMA user_version = \(version)" }

  /// The tables of a store; the application identifier is `Stat`.
  package static let samples = SQLiteSchema(
    contents: .samples, application: 0x5374_6174, version: StoreTables.version,
    tables: StoreTables.statements(
      integer: "INTEGER", real: "REAL", uuid: "BLOB", bytes: "BLOB", clustered: " STRICT, WITHOUT ROWID"))

  /// The tables of a participants' list; the application identifier is `StaP`.
  package static let participants = SQLiteSchema(
    contents: .participants, application: 0x5374_6150, version: ListTables.version, tables: ListTables.statements)
}

/// Reports every process's commits to one SQLite file soon after they are made.
///
/// A writer touches the database after each commit, which the kernel reports immediately. A writer that dies in between
/// has at least written to the log before. Since that write is reported shortly before the commit becomes visible, the
/// watch signals a few more times after it.
struct SQLiteWatch: StoreWatch {
  private let watch: FileWatch

  init(database path: String) { watch = FileWatch(path, echoes: [4, 12, 28, 60, 120, 250, 500, 1000]) }

  func wait() async -> Bool { await watch.wait() }

  func stop() { watch.stop() }
}

/// Signals the watches of a store in memory.
final class MemoryBell: Sendable {
  private let bells = Mutex<[ObjectIdentifier: Bell]>([:])

  func ring() { for bell in bells.withLock({ Array($0.values) }) { bell.ring() } }

  fileprivate func add(_ bell: Bell) { bells.withLock { $0[ObjectIdentifier(bell)] = bell } }

  fileprivate func remove(_ bell: Bell) { bells.withLock { $0[ObjectIdentifier(bell)] = nil } }
}

/// Waits for changes of one store in memory.
struct MemoryWatch: StoreWatch {
  private let bell = Bell()
  private let bells: MemoryBell

  init(bell bells: MemoryBell) {
    self.bells = bells
    bells.add(bell)
  }

  func wait() async -> Bool { await bell.wait() }

  func stop() {
    bells.remove(bell)
    bell.stop()
  }
}
