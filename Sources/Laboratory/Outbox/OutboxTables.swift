/// The tables of the outbox, which lie in the file of a results folder's store.
///
/// They are made when the first bundle is added, so that a station that sends nothing does not have them; the version of the
/// store's own tables remains the same.
enum OutboxTables {
  static let statements = """
    CREATE TABLE IF NOT EXISTS outbox (
      destination TEXT NOT NULL, form TEXT NOT NULL, trial TEXT NOT NULL, path TEXT NOT NULL,
      state INTEGER NOT NULL, attempts INTEGER NOT NULL, queued INTEGER NOT NULL, due INTEGER NOT NULL,
      tried INTEGER, problem TEXT, reason TEXT, confirmation TEXT, receipt TEXT,
      PRIMARY KEY (destination, form, trial)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS outbox_due ON outbox (destination, form, state, due, trial);
    CREATE TABLE IF NOT EXISTS outbox_holds (
      destination TEXT NOT NULL, form TEXT NOT NULL, failures INTEGER NOT NULL, until INTEGER NOT NULL,
      requested INTEGER NOT NULL,
      PRIMARY KEY (destination, form)
    ) STRICT, WITHOUT ROWID
    """

  /// The columns of a row, in the order of reading and writing.
  static let columns =
    "destination, form, trial, path, state, attempts, queued, due, tried, problem, reason, confirmation, receipt"

  /// How many they are.
  static let columnCount = 13
}
