/// SQLite refused to do something.
struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was to be done, and with which file: `open the store “lab.sqlite”`.
  let action: String

  /// The statement, where there was one; its values are never part of it.
  let statement: String?

  /// SQLite's extended result code.
  let code: Int32

  /// SQLite's words for it.
  let reason: String

  /// The primary result code, which tells busy, corrupt, full and foreign files apart.
  var kind: Int32 { code & 0xFF }

  /// The action, the reason, and the statement.
  var description: String {
    "cannot \(action): \(reason) (SQLite code \(code))" + (statement.map { " in “\($0)”" } ?? "")
  }
}
