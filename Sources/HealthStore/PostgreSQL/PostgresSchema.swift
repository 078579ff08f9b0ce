/// The tables of a database on a server, in their own schema.
struct PostgresSchema: Sendable {
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
  ///
  /// The same as in SQLite: every key begins with the site, the database generates no numbers, and there are no
  /// triggers, so that the tables can be distributed by site.
  static let samples = PostgresSchema(
    contents: .samples, version: 1,
    tables: """
      CREATE TABLE station.stores (
        site bigint NOT NULL PRIMARY KEY, name text NOT NULL, identity uuid NOT NULL, change bigint NOT NULL
      );
      CREATE TABLE station.names (
        site bigint NOT NULL, kind bigint NOT NULL, number bigint NOT NULL, name text NOT NULL,
        PRIMARY KEY (site, kind, number)
      );
      CREATE TABLE station.extents (
        site bigint NOT NULL, type bigint NOT NULL, longest bigint NOT NULL, PRIMARY KEY (site, type)
      );
      CREATE TABLE station.samples (
        site bigint NOT NULL, type bigint NOT NULL, started bigint NOT NULL, lasting bigint NOT NULL,
        uuid uuid NOT NULL, value double precision NOT NULL, source bigint NOT NULL, device bigint NOT NULL,
        metadata text, beats bytea, change bigint NOT NULL,
        PRIMARY KEY (site, type, started, lasting, uuid)
      );
      CREATE UNIQUE INDEX samples_uuid ON station.samples (site, uuid);
      CREATE UNIQUE INDEX samples_change ON station.samples (site, type, change);
      CREATE TABLE station.tombstones (
        site bigint NOT NULL, type bigint NOT NULL, change bigint NOT NULL, uuid uuid NOT NULL,
        started bigint NOT NULL, lasting bigint NOT NULL, source bigint NOT NULL,
        PRIMARY KEY (site, type, change)
      );
      CREATE UNIQUE INDEX tombstones_uuid ON station.tombstones (site, uuid);
      CREATE TABLE station.syncs (
        site bigint NOT NULL, type bigint NOT NULL, owner bigint NOT NULL, identifier text NOT NULL,
        version double precision NOT NULL, uuid uuid NOT NULL,
        PRIMARY KEY (site, type, owner, identifier)
      );
      CREATE UNIQUE INDEX syncs_uuid ON station.syncs (site, uuid);
      CREATE TABLE station.priorities (
        site bigint NOT NULL, place bigint NOT NULL, owner bigint NOT NULL, PRIMARY KEY (site, place)
      );
      CREATE TABLE station.characteristics (
        site bigint NOT NULL, person text NOT NULL, name text NOT NULL, value text NOT NULL,
        PRIMARY KEY (site, person, name)
      );
      CREATE TABLE station.receipts (site bigint NOT NULL, name text NOT NULL, PRIMARY KEY (site, name));
      CREATE TABLE station.grants (
        site bigint NOT NULL, client text NOT NULL, type bigint NOT NULL, share bigint NOT NULL, read bigint NOT NULL,
        PRIMARY KEY (site, client, type)
      );
      CREATE TABLE station.audits (
        site bigint NOT NULL, time bigint NOT NULL, uuid uuid NOT NULL, client text NOT NULL, action text NOT NULL,
        type bigint NOT NULL, outcome text NOT NULL,
        PRIMARY KEY (site, time, uuid)
      )
      """)
}
