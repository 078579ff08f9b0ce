/// Runs the statements of a participants' list, in words of SQL that SQLite and PostgreSQL share.
///
/// The list makes all decisions, once for both. Calls block and come from one executor.
protocol ListEngine: AnyObject {
  /// Runs `body` on a consistent snapshot of the list; after a conflict, again.
  func read<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs `body` in a transaction: commits when it returns, rolls back when it throws; after a conflict, runs it again.
  func write<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs a statement with the values of `?1`, `?2` …, and reads its rows.
  func rows<Row>(_ sql: String, _ values: [ListValue], _ read: (any ListRow) throws -> Row) throws -> [Row]

  /// Removes from the disk what was deleted, as far as that is this program's to do.
  func wipe() throws
}

extension ListEngine {
  /// Runs a statement without rows.
  func run(_ sql: String, _ values: [ListValue]) throws { _ = try rows(sql, values) { _ in } }
}

/// A value of a statement; there is no NULL in a list.
enum ListValue {
  /// A text, perhaps an empty one.
  case text(String)
  /// A 64-bit integer.
  case integer(Int64)

  /// A count.
  static func integer(_ value: Int) -> Self { .integer(Int64(value)) }
}

/// A row that a statement returns, with columns from 0.
protocol ListRow {
  /// A text; `nil` for NULL.
  func text(_ column: Int32) -> String?
  /// A 64-bit integer.
  func integer(_ column: Int32) -> Int64
}

extension ListRow {
  /// A text; empty for none.
  func word(_ column: Int32) -> String { text(column) ?? "" }

  /// A whole number.
  func number(_ column: Int32) -> Int { Int(integer(column)) }
}

/// The tables of a participants' list, in types that both engines have.
///
/// Every key begins with the study, so that a server can distribute the tables. A place is a participant's index; who
/// replaces a participant has the next turn at the same place. An empty code is that of a withdrawn participant.
enum ListTables {
  /// The version of these tables; the program refuses later versions.
  static let version: Int32 = 1

  /// The statements that make the tables, for both engines.
  static let statements = """
    CREATE TABLE studies (identifier text NOT NULL PRIMARY KEY, seed bigint NOT NULL);
    CREATE TABLE participants (
      study text NOT NULL, place bigint NOT NULL, turn bigint NOT NULL, code text NOT NULL, group_name text NOT NULL,
      group_counts text NOT NULL, enrolled text NOT NULL, state text NOT NULL,
      PRIMARY KEY (study, place, turn)
    );
    CREATE UNIQUE INDEX participants_code ON participants (study, code) WHERE code <> '';
    CREATE TABLE sessions (
      study text NOT NULL, place bigint NOT NULL, turn bigint NOT NULL, visit bigint NOT NULL, number bigint NOT NULL,
      run text NOT NULL, state text NOT NULL, planned bigint NOT NULL, done bigint NOT NULL, started text NOT NULL,
      ended text NOT NULL, host text NOT NULL,
      PRIMARY KEY (study, place, turn, visit)
    );
    CREATE UNIQUE INDEX sessions_run ON sessions (study, run)
    """
}
