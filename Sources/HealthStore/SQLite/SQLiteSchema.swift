/// The tables of a database in a SQLite file.
struct SQLiteSchema: Sendable {
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

  /// The tables of a store.
  ///
  /// Every key begins with the site, the database generates no numbers, and there are no triggers. A server uses the
  /// same tables, and can distribute them by site. The application identifier is `Stat`.
  static let samples = SQLiteSchema(
    contents: .samples, application: 0x5374_6174, version: 1,
    tables: """
      CREATE TABLE stores (
        site INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, identity BLOB NOT NULL, change INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE names (
        site INTEGER NOT NULL, kind INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL,
        PRIMARY KEY (site, kind, number)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE extents (
        site INTEGER NOT NULL, type INTEGER NOT NULL, longest INTEGER NOT NULL, PRIMARY KEY (site, type)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE samples (
        site INTEGER NOT NULL, type INTEGER NOT NULL, started INTEGER NOT NULL, lasting INTEGER NOT NULL,
        uuid BLOB NOT NULL, value REAL NOT NULL, source INTEGER NOT NULL, device INTEGER NOT NULL,
        metadata TEXT, beats BLOB, change INTEGER NOT NULL,
        PRIMARY KEY (site, type, started, lasting, uuid)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX samples_uuid ON samples (site, uuid);
      CREATE UNIQUE INDEX samples_change ON samples (site, type, change);
      CREATE TABLE tombstones (
        site INTEGER NOT NULL, type INTEGER NOT NULL, change INTEGER NOT NULL, uuid BLOB NOT NULL,
        started INTEGER NOT NULL, lasting INTEGER NOT NULL, source INTEGER NOT NULL,
        PRIMARY KEY (site, type, change)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX tombstones_uuid ON tombstones (site, uuid);
      CREATE TABLE syncs (
        site INTEGER NOT NULL, type INTEGER NOT NULL, owner INTEGER NOT NULL, identifier TEXT NOT NULL,
        version REAL NOT NULL, uuid BLOB NOT NULL,
        PRIMARY KEY (site, type, owner, identifier)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX syncs_uuid ON syncs (site, uuid);
      CREATE TABLE priorities (
        site INTEGER NOT NULL, place INTEGER NOT NULL, owner INTEGER NOT NULL, PRIMARY KEY (site, place)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE characteristics (
        site INTEGER NOT NULL, person TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (site, person, name)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE receipts (site INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (site, name)) STRICT, WITHOUT ROWID;
      CREATE TABLE grants (
        site INTEGER NOT NULL, client TEXT NOT NULL, type INTEGER NOT NULL, share INTEGER NOT NULL, read INTEGER NOT NULL,
        PRIMARY KEY (site, client, type)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE audits (
        site INTEGER NOT NULL, time INTEGER NOT NULL, uuid BLOB NOT NULL, client TEXT NOT NULL, action TEXT NOT NULL,
        type INTEGER NOT NULL, outcome TEXT NOT NULL,
        PRIMARY KEY (site, time, uuid)
      ) STRICT, WITHOUT ROWID
      """)
}
