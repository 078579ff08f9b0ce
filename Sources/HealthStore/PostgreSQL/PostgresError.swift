/// A PostgreSQL server, or the way to it, refused something.
struct PostgresError: EngineError, Hashable, Sendable {
  /// What was to be done, and with which store.
  let action: String

  /// The statement, where there was one; its values are never part of it.
  let statement: String?

  /// SQLSTATE, five characters; see “PostgreSQL Error Codes”, postgresql.org/docs/15/errcodes-appendix.html.
  let state: String

  /// The server's or the library's words for it, without any password.
  let reason: String

  init(action: String, statement: String? = nil, state: String, reason: String) {
    self.action = action
    self.statement = statement
    self.state = state
    self.reason = reason
  }

  // What the library finds by itself has no SQLSTATE; the standard leaves classes that start with “S” to us.
  static let missingLibrary = "ST001"
  static let noConnection = "08001"
  static let lostConnection = "08006"
  /// A lost connection from which it cannot be told whether the transaction was committed.
  static let unknownOutcome = "08007"
  static let interrupted = "57014"
  /// A connection whose server was asked to stop and did not.
  static let abandoned = "ST002"

  /// Whether the connection is of no use any more.
  var isLost: Bool { state.hasPrefix("08") || [Self.abandoned, "57P01", "57P02", "57P03", "40003"].contains(state) }

  /// Whether the same transaction may succeed when it is tried again: another one came in between.
  var isConflict: Bool { state == "40001" || state == "40P01" }

  /// Whether another process has made the same table or schema at the same time.
  var isSameObject: Bool { ["23505", "42P06", "42P07", "42710"].contains(state) }

  var isInterruption: Bool { [Self.interrupted, Self.abandoned].contains(state) }

  var advice: String {
    switch state {
    case Self.missingLibrary: "install libpq (Debian: libpq5)"
    case Self.unknownOutcome, "40003":
      "whether this was saved is not known; save it again, which does no harm where it was"
    case Self.noConnection, "57P03": "see that the server runs and that this computer may reach it"
    case _ where isLost: "nothing of this was saved; the next use connects again"
    case _ where state.hasPrefix("28"): "see that the URL names a user whom the server lets in, and the password"
    case "3D000": "make the database, or name another in the URL"
    case "42501", "25006": "nothing was changed; let this user write into the database and its schema “station”"
    case "53100": "nothing of this was saved; make room on the server's disk"
    case _ where state.hasPrefix("53"): "nothing was changed; the server has no more to give, try again later"
    case _ where isConflict: "others have been writing for long; try again"
    case "55P03": "others have been writing for long; try again"
    case _ where state.hasPrefix("XX"): "the database is damaged: keep a copy, and rebuild the store from the bundles"
    default: "nothing was changed"
    }
  }

  var description: String {
    "cannot \(action): \(reason) (SQLSTATE \(state))" + (statement.map { " in “\($0.beginning)”" } ?? "")
  }
}
