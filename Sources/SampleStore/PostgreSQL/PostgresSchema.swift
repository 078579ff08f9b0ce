/// The tables of a database on a server, in their own schema.
package struct PostgresSchema: Sendable {
  /// What the tables hold.
  let contents: DatabaseContents

  /// The version of the tables; the program refuses later versions.
  let version: Int64

  /// The statements that make the tables.
  let tables: String

  private var name: String { contents.schema }

  /// Counts the tables of versions; querying a missing table would abort the transaction.
  var existence: String {
    "SELECT count(*) FROM information_schema.tables WHERE table_schema = '\(name)' AND table_name = 'versions'"
  }

  /// Returns the version of the tables that are there.
  var currentVersion: String { "SELECT max(version) FROM \(name).versions" }

  /// Names the schema for statements that name tables only.
  var path: String { "SET search_path TO \(name)" }

  /// The statements that make a database.
  var statements: String {
    """
    CREATE SCHEMA IF NOT EXISTS \(name);
    CREATE TABLE \(name).versions (version bigint NOT NULL PRIMARY KEY);
    \(tables);
    INSERT INTO \(name).versions VALUES (\(version));
    """
  }

  /// The tables of a store.
  package static let samples = PostgresSchema(
    contents: .samples, version: Int64(StoreTables.version),
    tables: StoreTables.statements(integer: "bigint", real: "double precision", uuid: "uuid", bytes: "bytea"))

  /// The tables of a participants' list.
  package static let participants = PostgresSchema(
    contents: .participants, version: Int64(ListTables.version), tables: ListTables.statements)
}
