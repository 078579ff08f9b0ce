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
