import Basics
import SampleStore

extension Outbox {
  /// Copies the outbox of a store into the store that replaces it, as far as it can be read.
  ///
  /// What cannot be read is lost from the outbox alone: its bundles are added again by the next “station send”.
  ///
  /// - Parameters:
  ///   - old: the old store's file, which no process uses.
  ///   - new: the new store's file, which is closed.
  /// - Throws: `SQLiteError` and ``StoreError`` of the new store.
  package static func copy(from old: String, to new: String) throws {
    guard Folder.exists(old), let source = try? SQLiteDatabase(old, .write),
      let rows = try? source.prepare("SELECT \(OutboxTables.columns) FROM outbox")
    else { return }
    let target = try SQLiteConnection(new, .samples, StorePatience())
    try target.write {
      try target.database.execute(OutboxTables.statements)
      let places = (1...OutboxTables.columnCount).map { "?\($0)" }.joined(separator: ", ")
      let insert = try target.prepare("INSERT OR REPLACE INTO outbox VALUES (\(places))")
      while (try? rows.step()) == true {
        try insert.bind(rows.outboxItem)
        try insert.run()
      }
    }
  }
}

extension SQLiteStatement {
  /// Binds all columns of a row.
  fileprivate func bind(_ item: OutboxItem) throws(SQLiteError) {
    try bind(item.key.destination)
    try bind(3, item.key.trial)
    try bind(4, item.path)
    try bind(5, Int64(item.state.rawValue))
    try bind(6, Int64(item.attempts))
    try bind(7, item.queued.microseconds)
    try bind(8, item.due.microseconds)
    try bind(9, item.tried?.microseconds)
    for (index, text) in zip(Int32(10)..., [item.problem, item.reason, item.confirmation, item.receipt]) {
      try bind(index, text)
    }
  }
}
