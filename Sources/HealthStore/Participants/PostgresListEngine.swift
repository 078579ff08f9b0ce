/// A participants' list in a PostgreSQL database, which several stations share.
final class PostgresListEngine: ListEngine {
  private let session: PostgresSession

  /// Opens a list, and creates it if there is none.
  ///
  /// - Throws: `PostgresError` or ``StoreError``; tables of a later version are left untouched.
  init(_ url: String, _ patience: StorePatience) throws {
    session = try PostgresSession(url, .participants, patience)
  }

  func read<Result>(_ body: () throws -> Result) throws -> Result { try session.read(body) }

  func write<Result>(_ body: () throws -> Result) throws -> Result { try session.write(body) }

  // The server's files, logs and backups are its administrator's.
  func wipe() throws {}

  func rows<Row>(_ sql: String, _ values: [ListValue], _ read: (any ListRow) throws -> Row) throws -> [Row] {
    let result = try session.run(
      sql.replacing("?", with: "$"),
      values.map { value in
        switch value {
        case .text(let text): .text(text)
        case .integer(let integer): .integer(integer)
        }
      })
    return try (0..<result.count).map { try read(PostgresRow(result: result, row: $0)) }
  }
}

/// A row of a result.
private struct PostgresRow: ListRow {
  let result: PostgresResult
  let row: Int

  func text(_ column: Int32) -> String? { result.text(row, column) }
  func integer(_ column: Int32) -> Int64 { result.integer(row, column) }
}

extension PostgresSchema {
  /// The tables of a participants' list.
  static let participants = PostgresSchema(
    contents: .participants, version: Int64(ListTables.version), tables: ListTables.statements)
}
