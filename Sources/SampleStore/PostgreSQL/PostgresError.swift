/// An error of a PostgreSQL server, or of the connection to it.
struct PostgresError: EngineError, Hashable, Sendable {
  /// The attempted action, with the name of the store.
  let action: String

  /// The statement, if there was one, without its values.
  let statement: String?

  /// SQLSTATE, five characters; see “PostgreSQL Error Codes”, postgresql.org/docs/15/errcodes-appendix.html.
  let state: String

  /// The server's or the library's message, without any password.
  let reason: String

  /// What the database holds.
  let contents: DatabaseContents

  init(
    action: String, statement: String? = nil, state: String, reason: String, contents: DatabaseContents = .samples
  ) {
    self.contents = contents
    self.action = action
    self.statement = statement
    self.state = state
    self.reason = reason
  }

  // Conditions that the library detects have no SQLSTATE; the standard leaves classes that start with “S” to
  // implementations.
  static let missingLibrary = "ST001"
  static let noConnection = "08001"
  static let lostConnection = "08006"
  /// The connection was lost during COMMIT, and the outcome of the transaction is unknown.
  static let unknownOutcome = "08007"
  static let interrupted = "57014"
  /// The connection was abandoned: the server did not respond, or ignored a cancel request.
  static let abandoned = "ST002"

  /// Whether the connection is unusable.
  var isLost: Bool { state.hasPrefix("08") || [Self.abandoned, "57P01", "57P02", "57P03", "40003"].contains(state) }

  /// Whether a conflict with another transaction caused the error, so that a retry may succeed.
  var isConflict: Bool { state == "40001" || state == "40P01" }

  /// Whether another process created the same table or schema at the same time.
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
    case "42501", "25006":
      "nothing was changed; let this user write into the database and its schema “\(contents.schema)”"
    case "53100": "nothing of this was saved; make room on the server's disk"
    case _ where state.hasPrefix("53"): "nothing was changed; the server has no more to give, try again later"
    case _ where isConflict: "others have been writing for long; try again"
    case "55P03": "others have been writing for long; try again"
    case _ where state.hasPrefix("XX"): "the database is damaged: \(contents.rescue)"
    default: "nothing was changed"
    }
  }

  var description: String {
    "cannot \(action): \(reason) (SQLSTATE \(state))" + (statement.map { " in “\($0.beginning)”" } ?? "")
  }
}
