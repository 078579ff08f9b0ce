import CPostgres

/// A server's host, user and database: a connection URL, parsed as libpq does.
package struct PostgresAddress: Sendable {
  /// The URL without a password, for messages.
  let name: String

  /// The connection parameters by libpq's keywords.
  let parameters: [String: String]

  /// Whether a text is a server address, as opposed to a file path: a URL, or `host=db.example dbname=lab`.
  package static func isAddress(_ text: String) -> Bool {
    if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") { return true }
    let name = text.drop { $0 == " " }.prefix { $0 != "=" }
    guard name.endIndex < text.endIndex else { return false }
    return keywords.contains(String(name.filter { $0 != " " }))
  }

  // libpq's keywords that an address can begin with (“Parameter Key Words”, postgresql.org/docs/15/libpq-connect.html).
  private static let keywords: Set<String> = [
    "host", "hostaddr", "port", "dbname", "user", "password", "passfile", "service", "sslmode", "sslcert", "sslkey",
    "sslpassword", "sslrootcert", "application_name", "connect_timeout", "options", "target_session_attrs",
  ]

  /// Whether an address contains a password, which the process list would show to every user of the computer.
  static func hasPassword(_ text: String) -> Bool {
    guard isAddress(text) else { return false }
    guard let address = try? PostgresAddress(text) else {
      // A text that does not parse may contain one too.
      let authority = text.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" }
      return text.contains("password") || authority.prefix { $0 != "@" }.contains(":") && authority.contains("@")
    }
    return ["password", "sslpassword"].contains { !(address.parameters[$0] ?? "").isEmpty }
  }

  /// Parses `postgresql://USER:PASSWORD@HOST:PORT/DATABASE?NAME=VALUE` or `host=HOST dbname=DATABASE`.
  ///
  /// Missing parts come from libpq's environment variables, password file and defaults.
  ///
  /// - Throws: ``StoreError`` for any other text, without repeating it, since it may contain a password;
  ///   `PostgresError` without libpq.
  init(_ url: String) throws {
    let functions = try PostgresLibrary.shared.get().functions
    var reason: UnsafeMutablePointer<CChar>?
    let options = unsafe functions.conninfoParse(url, &reason)
    unsafe functions.freemem(reason)
    guard let options = unsafe options, Self.isAddress(url) else {
      throw StoreError(
        .invalidArgument,
        "the URL of the PostgreSQL server cannot be read; write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with %25 "
          + "for %, %40 for @, %2F for / and %3A for : in its parts")
    }
    defer { unsafe functions.conninfoFree(options) }
    var parameters: [String: String] = [:]
    var next = unsafe options
    while let keyword = unsafe next.pointee.keyword {
      if let value = unsafe next.pointee.val {
        unsafe parameters[String(cString: keyword)] = unsafe String(cString: value)
      }
      unsafe next += 1
    }
    self.parameters = parameters
    let user = parameters["user"].map { "\($0)@" } ?? ""
    let host = parameters["host"] ?? parameters["hostaddr"] ?? ""
    let port = parameters["port"].map { ":\($0)" } ?? ""
    name = "postgresql://\(user)\(host)\(port)/\(parameters["dbname"] ?? "")"
  }

  /// A message of libpq or of the server with any passwords removed.
  func withoutPasswords(_ text: String) -> String {
    var text = text
    for key in ["password", "sslpassword"] {
      guard let password = parameters[key], !password.isEmpty else { continue }
      text = text.split(separator: password, omittingEmptySubsequences: false).joined(separator: "…")
    }
    return text
  }
}
