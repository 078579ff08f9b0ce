import Basics
import CSQLite
import Glibc

/// A connection to a SQLite database, which closes itself.
@safe
package struct SQLiteDatabase: ~Copyable {
  /// The file's path, for messages.
  let path: String

  private let contents: DatabaseContents
  private let handle: OpaquePointer

  /// How long to wait for other processes; SQLite's busy handler refers to it.
  private let waiting: BusyWaiting

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - mode: whether the file may be written or created.
  ///   - contents: what it holds, for messages.
  ///   - patience: how long to wait for other processes.
  /// - Throws: when SQLite cannot open it.
  package init(
    _ path: String, _ mode: Mode, of contents: DatabaseContents = .samples, _ patience: StorePatience = StorePatience()
  ) throws(SQLiteError) {
    var opened: OpaquePointer?
    let waiting = BusyWaiting(path, contents, patience)
    let flags = mode.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    if code == SQLITE_OK, let connection = unsafe opened {
      unsafe sqlite3_busy_handler(connection, waitForOthers, Unmanaged.passUnretained(waiting).toOpaque())
      code = unsafe csqlite_distrust_schema(connection)
    }
    guard code == SQLITE_OK, let connection = unsafe opened else {
      let reason = unsafe Self.reason(opened, code)
      unsafe sqlite3_close_v2(opened)
      throw SQLiteError(
        action: "open the \(contents.called(path))", statement: nil, code: code, reason: reason, contents: contents)
    }
    // Interrupts long work inside SQLite soon after its task is cancelled; the handler runs on the task's own thread.
    unsafe sqlite3_progress_handler(connection, 10_000, stopWhenCancelled, nil)
    self.path = path
    self.contents = contents
    self.waiting = waiting
    unsafe handle = connection
  }

  // Statements that are still alive keep the connection open until they are freed.
  deinit { unsafe _ = sqlite3_close_v2(handle) }

  /// The access to the file.
  package enum Mode {
    /// Reading only; it must exist.
    case read
    /// Reading and writing; it must exist.
    case write
    /// Reading and writing; a missing file is created.
    case create

    fileprivate var flags: Int32 {
      switch self {
      case .read: SQLITE_OPEN_READONLY
      case .write: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  /// Compiles a statement that is kept for repeated use.
  package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let statement = unsafe prepared else {
      throw failure(sql, code)
    }
    return unsafe SQLiteStatement(statement, path: path, contents)
  }

  /// Runs statements without values and without rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw failure(sql, code)
    }
  }

  /// The integer that a statement returns, such as a pragma's value.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// The file's first bytes, read without a lock; padded with zeros beyond its end.
  func beginning(_ count: Int) throws(SQLiteError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let code = unsafe csqlite_read_beginning(handle, &bytes, Int32(count))
    guard code == SQLITE_OK else {
      throw SQLiteError(
        action: "open the \(contents.called(path))", statement: nil, code: code,
        reason: unsafe String(cString: sqlite3_errstr(code)), contents: contents)
    }
    return bytes
  }

  /// The number of rows that the last statement changed.
  package var changes: Int { unsafe Int(sqlite3_changes(handle)) }

  /// Whether a transaction is open.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  private func failure(_ sql: String, _ code: Int32) -> SQLiteError {
    SQLiteError(
      action: "use the \(contents.called(path))", statement: sql, code: code,
      reason: unsafe Self.reason(handle, code), contents: contents, holder: waiting.holder)
  }

  private static func reason(_ connection: OpaquePointer?, _ code: Int32) -> String {
    if let connection = unsafe connection, let text = unsafe sqlite3_errmsg(connection) {
      return unsafe String(cString: text)
    }
    return unsafe String(cString: sqlite3_errstr(code))
  }
}

/// Busy handler: waits for another process that is writing.
private func waitForOthers(_ box: UnsafeMutableRawPointer?, _ count: Int32) -> Int32 {
  guard let box = unsafe box else { return 0 }
  return unsafe Unmanaged<BusyWaiting>.fromOpaque(box).takeUnretainedValue().mayWait(count) ? 1 : 0
}

private func stopWhenCancelled(_: UnsafeMutableRawPointer?) -> Int32 { Task.isCancelled ? 1 : 0 }

/// An error of SQLite.
package struct SQLiteError: EngineError, Hashable, Sendable {
  /// The attempted action, with the name of the file: `open the store “lab.sqlite”`.
  let action: String

  /// The statement, if there was one, without its values.
  let statement: String?

  /// SQLite's extended result code.
  let code: Int32

  /// SQLite's message.
  let reason: String

  /// What the database holds.
  var contents = DatabaseContents.samples

  /// The process that held the lock; `nil` if unknown.
  var holder: String?

  /// The primary result code, which distinguishes busy, corrupt, full and foreign files.
  var kind: Int32 { code & 0xFF }

  /// The action, the reason, and the statement.
  package var description: String {
    "cannot \(action): \(reason) (SQLite code \(code))" + (statement.map { " in “\($0.beginning)”" } ?? "")
  }

  var isInterruption: Bool { kind == SQLITE_INTERRUPT || kind == SQLITE_BUSY }

  var advice: String {
    switch kind {
    case SQLITE_CORRUPT, SQLITE_NOTADB: "it is damaged: \(contents.rescue)"
    case SQLITE_FULL: "nothing of this was saved; make room on the disk"
    case SQLITE_BUSY: "\(holder ?? "another process") has been writing for long; end it, or try again"
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: "see that this user may write the file and its folder"
    default: "nothing was changed"
    }
  }
}
