import CPostgres

/// Where a server is, who asks and for which database: a URL, read as libpq reads it.
struct PostgresAddress: Sendable {
  /// The URL without a password, for messages.
  let name: String

  /// libpq's names of what the URL says, and what it says.
  let parameters: [String: String]

  /// Reads `postgresql://USER:PASSWORD@HOST:PORT/DATABASE?NAME=VALUE`; whatever is missing comes from libpq's environment
  /// variables, password file and defaults.
  ///
  /// - Throws: ``StoreError`` for another text, of which nothing is repeated, since it may hold a password; `PostgresError`
  ///   without libpq.
  init(_ url: String) throws {
    let functions = try PostgresLibrary.shared.get().functions
    var reason: UnsafeMutablePointer<CChar>?
    let options = unsafe functions.conninfoParse(url, &reason)
    unsafe functions.freemem(reason)
    guard let options = unsafe options, SampleStore.isServer(url) else {
      throw StoreError(
        .invalidArgument,
        "the URL of the PostgreSQL store cannot be read; write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with %25 "
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

  /// A text of libpq or of the server without the passwords, if it holds any.
  func withoutPasswords(_ text: String) -> String {
    var text = text
    for key in ["password", "sslpassword"] {
      guard let password = parameters[key], !password.isEmpty else { continue }
      text = text.split(separator: password, omittingEmptySubsequences: false).joined(separator: "…")
    }
    return text
  }
}
