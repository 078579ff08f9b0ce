import Basics
import CSQLite
package import Quantities

/// A compiled statement, which frees itself; a class, so that an engine can cache it by its SQL text.
///
/// Values are bound from index 1, and columns are read from index 0, as in SQLite.
@safe
package final class SQLiteStatement {
  private let handle: OpaquePointer
  private let path: String
  private let contents: DatabaseContents

  init(_ handle: OpaquePointer, path: String, _ contents: DatabaseContents) {
    unsafe self.handle = handle
    self.path = path
    self.contents = contents
  }

  deinit { unsafe _ = sqlite3_finalize(handle) }

  /// Steps to the next row; `false` after the last one, when the statement is ready to run again with new values.
  package func step() throws(SQLiteError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE {
      unsafe sqlite3_reset(handle)
      return false
    }
    let error = error(code)
    unsafe sqlite3_reset(handle)
    throw error
  }

  /// Runs a statement and ignores its rows, if any.
  package func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Discards unread rows and the bound values.
  package func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  private func error(_ code: Int32) -> SQLiteError {
    let reason = unsafe sqlite3_errmsg(sqlite3_db_handle(handle)).map { unsafe String(cString: $0) } ?? "unknown"
    let sql = unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) }
    return SQLiteError(
      action: "use the \(contents.called(path))", statement: sql, code: code, reason: reason, contents: contents)
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw error(code) }
  }
}

extension SQLiteStatement {
  /// Binds an integer.
  package func bind(_ index: Int32, _ value: Int64) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_int64(handle, index, value))
  }

  /// Binds an integer or NULL.
  package func bind(_ index: Int32, _ value: Int64?) throws(SQLiteError) {
    guard let value else { return try bindNull(index) }
    try bind(index, value)
  }

  /// Binds a floating-point number.
  func bind(_ index: Int32, _ value: Double) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_double(handle, index, value))
  }

  /// Binds a text or NULL.
  package func bind(_ index: Int32, _ text: String?) throws(SQLiteError) {
    guard var text else { return try bindNull(index) }
    let code = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        // An empty text may have a null address, which SQLite takes for NULL.
        unsafe characters.baseAddress.map { unsafe csqlite_bind_text(handle, index, $0, Int32(characters.count)) }
          ?? csqlite_bind_text(handle, index, "", 0)
      }
    }
    try check(code)
  }

  /// Binds bytes or NULL.
  func bind(_ index: Int32, _ bytes: [UInt8]?) throws(SQLiteError) {
    guard let bytes else { return try bindNull(index) }
    let code = unsafe bytes.withUnsafeBytes { buffer in
      unsafe buffer.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : csqlite_bind_blob(handle, index, buffer.baseAddress, Int32(buffer.count))
    }
    try check(code)
  }

  /// Binds the sixteen bytes of a UUID.
  func bind(_ index: Int32, _ uuid: UUID) throws(SQLiteError) {
    let code = unsafe withUnsafeBytes(of: (uuid.high.bigEndian, uuid.low.bigEndian)) { words in
      unsafe csqlite_bind_blob(handle, index, words.baseAddress, 16)
    }
    try check(code)
  }

  private func bindNull(_ index: Int32) throws(SQLiteError) { try check(unsafe sqlite3_bind_null(handle, index)) }
}

extension SQLiteStatement: SQLRow {
  package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  package func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  package func text(_ column: Int32) -> String? {
    guard let text = unsafe sqlite3_column_text(handle, column) else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column)))
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  package func uuid(_ column: Int32) -> UUID {
    guard let start = unsafe sqlite3_column_blob(handle, column), unsafe sqlite3_column_bytes(handle, column) == 16
    else { return UUID(high: 0, low: 0) }
    return unsafe UUID(
      high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  package func bytes(_ column: Int32) -> [UInt8]? {
    // Bytes may be none, which have no address.
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return isNull(column) ? nil : [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
