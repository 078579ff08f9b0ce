import Basics

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

/// What a database of the station holds, in the words of messages.
package enum DatabaseContents: Hashable, Sendable {
  /// The samples of a store, an index of the bundles.
  case samples
  /// The participants of studies.
  case participants

  /// The database with its file or server: `store “results/station.sqlite”`.
  func called(_ name: String) -> String {
    switch self {
    case .samples: "store “\(name.visible)”"
    case .participants: "participants' list “\(name.visible)”"
    }
  }

  /// The schema of its tables on a server.
  var schema: String {
    switch self {
    case .samples: "station"
    case .participants: "station_participants"
    }
  }

  /// What to do with a damaged one.
  var rescue: String {
    switch self {
    case .samples: "keep a copy, and rebuild it from the bundles"
    case .participants: "keep a copy, and restore it from a backup"
    }
  }
}
