/// The tables of a store.
///
/// Every key begins with the site, the database generates no numbers, and there are no triggers, so that a server can
/// distribute the tables by site.
enum StoreTables {
  /// The version of these tables; the program refuses later versions.
  static let version: Int32 = 1

  /// The statements that make the tables, in an engine's types; `clustered` ends a table that is ordered by its key.
  static func statements(
    integer: String, real: String, uuid: String, bytes: String, clustered: String = ""
  ) -> String {
    """
    CREATE TABLE stores (
      site \(integer) NOT NULL, name text NOT NULL, identity \(uuid) NOT NULL, change \(integer) NOT NULL,
      PRIMARY KEY (site)
    )\(clustered);
    CREATE TABLE names (
      site \(integer) NOT NULL, kind \(integer) NOT NULL, number \(integer) NOT NULL, name text NOT NULL,
      PRIMARY KEY (site, kind, number)
    )\(clustered);
    CREATE TABLE extents (
      site \(integer) NOT NULL, type \(integer) NOT NULL, longest \(integer) NOT NULL,
      PRIMARY KEY (site, type)
    )\(clustered);
    CREATE TABLE samples (
      site \(integer) NOT NULL, type \(integer) NOT NULL, started \(integer) NOT NULL, lasting \(integer) NOT NULL,
      uuid \(uuid) NOT NULL, value \(real) NOT NULL, source \(integer) NOT NULL, device \(integer) NOT NULL,
      metadata text, beats \(bytes), change \(integer) NOT NULL,
      PRIMARY KEY (site, type, started, lasting, uuid)
    )\(clustered);
    CREATE UNIQUE INDEX samples_uuid ON samples (site, uuid);
    CREATE UNIQUE INDEX samples_change ON samples (site, type, change);
    CREATE TABLE tombstones (
      site \(integer) NOT NULL, type \(integer) NOT NULL, change \(integer) NOT NULL, uuid \(uuid) NOT NULL,
      started \(integer) NOT NULL, lasting \(integer) NOT NULL, source \(integer) NOT NULL,
      PRIMARY KEY (site, type, change)
    )\(clustered);
    CREATE UNIQUE INDEX tombstones_uuid ON tombstones (site, uuid);
    CREATE TABLE syncs (
      site \(integer) NOT NULL, type \(integer) NOT NULL, owner \(integer) NOT NULL, identifier text NOT NULL,
      version \(real) NOT NULL, uuid \(uuid) NOT NULL,
      PRIMARY KEY (site, type, owner, identifier)
    )\(clustered);
    CREATE UNIQUE INDEX syncs_uuid ON syncs (site, uuid);
    CREATE TABLE priorities (
      site \(integer) NOT NULL, place \(integer) NOT NULL, owner \(integer) NOT NULL,
      PRIMARY KEY (site, place)
    )\(clustered);
    CREATE TABLE characteristics (
      site \(integer) NOT NULL, person text NOT NULL, name text NOT NULL, value text NOT NULL,
      PRIMARY KEY (site, person, name)
    )\(clustered);
    CREATE TABLE receipts (site \(integer) NOT NULL, name text NOT NULL, PRIMARY KEY (site, name))\(clustered);
    CREATE TABLE grants (
      site \(integer) NOT NULL, client text NOT NULL, type \(integer) NOT NULL, share \(integer) NOT NULL,
      read \(integer) NOT NULL,
      PRIMARY KEY (site, client, type)
    )\(clustered);
    CREATE TABLE audits (
      site \(integer) NOT NULL, time \(integer) NOT NULL, uuid \(uuid) NOT NULL, client text NOT NULL,
      action text NOT NULL, type \(integer) NOT NULL, outcome text NOT NULL,
      PRIMARY KEY (site, time, uuid)
    )\(clustered)
    """
  }
}
