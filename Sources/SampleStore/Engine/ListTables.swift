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
