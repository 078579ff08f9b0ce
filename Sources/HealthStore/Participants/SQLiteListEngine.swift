/// A participants' list in a SQLite file, which the processes of one computer share.
final class SQLiteListEngine: ListEngine {
  private let connection: SQLiteConnection

  /// Opens a list, and creates it if there is none.
  ///
  /// - Throws: `SQLiteError` or ``StoreError``; a file that is not a list, or is one of a later version, is left
  ///   untouched.
  init(_ path: String, _ patience: StorePatience) throws {
    connection = try SQLiteConnection(path, .participants, patience)
    // The code of a participant who withdraws is overwritten, not only marked as free.
    try connection.database.execute("PRAGMA secure_delete = ON")
  }

  private init(_ connection: SQLiteConnection) { self.connection = connection }

  /// Makes a list in memory, which ends with the engine.
  static func inMemory() throws -> SQLiteListEngine {
    SQLiteListEngine(try SQLiteConnection(inMemory: .participants))
  }

  func read<Result>(_ body: () throws -> Result) throws -> Result { try connection.read(body) }

  func write<Result>(_ body: () throws -> Result) throws -> Result { try connection.write(body) }

  func wipe() throws { try connection.wipe() }

  func rows<Row>(_ sql: String, _ values: [ListValue], _ read: (any ListRow) throws -> Row) throws -> [Row] {
    let statement = try connection.prepare(sql)
    defer { statement.reset() }
    for (value, index) in zip(values, Int32(1)...) {
      switch value {
      case .text(let text): try statement.bind(index, text)
      case .integer(let integer): try statement.bind(index, integer)
      }
    }
    var rows: [Row] = []
    while try statement.step() { rows.append(try read(statement)) }
    return rows
  }
}

extension SQLiteStatement: ListRow {}

extension SQLiteSchema {
  /// The tables of a participants' list; the application identifier is `StaP`.
  static let participants = SQLiteSchema(
    contents: .participants, application: 0x5374_6150, version: ListTables.version, tables: ListTables.statements)
}
