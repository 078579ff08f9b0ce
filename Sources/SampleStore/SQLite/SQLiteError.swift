import CSQLite

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
