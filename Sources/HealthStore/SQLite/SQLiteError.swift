import CSQLite

/// SQLite refused to do something.
struct SQLiteError: EngineError, Hashable, Sendable {
  /// What was to be done, and with which file: `open the store “lab.sqlite”`.
  let action: String

  /// The statement, where there was one; its values are never part of it.
  let statement: String?

  /// SQLite's extended result code.
  let code: Int32

  /// SQLite's words for it.
  let reason: String

  /// Who held the lock that was waited for; `nil` where that is not known.
  var holder: String?

  /// The primary result code, which tells busy, corrupt, full and foreign files apart.
  var kind: Int32 { code & 0xFF }

  /// The action, the reason, and the statement.
  var description: String {
    "cannot \(action): \(reason) (SQLite code \(code))" + (statement.map { " in “\($0.beginning)”" } ?? "")
  }

  var isInterruption: Bool { kind == SQLITE_INTERRUPT || kind == SQLITE_BUSY }

  var advice: String {
    switch kind {
    case SQLITE_CORRUPT, SQLITE_NOTADB: "it is damaged: keep a copy, and rebuild it from the bundles"
    case SQLITE_FULL: "nothing of this was saved; make room on the disk"
    case SQLITE_BUSY: "\(holder ?? "another process") has been writing for long; end it, or try again"
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: "see that this user may write the file and its folder"
    default: "nothing was changed"
    }
  }
}
