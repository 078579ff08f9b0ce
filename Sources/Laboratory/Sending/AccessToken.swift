package import Basics

/// A secret that a server knows this station by; never an argument of a command, and never printed.
package struct AccessToken: Sendable {
  /// The header field that carries it.
  let header: String
  let pair: (name: String, password: String)?

  /// A token.
  ///
  /// - Throws: ``AccessTokenError/illegal(_:)`` for what no header can carry.
  init(_ text: String, from place: String) throws(AccessTokenError) {
    let token = text.utf8.reversed().drop { $0 == 10 || $0 == 13 }.reversed()
    guard !token.isEmpty, token.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .illegal(place) }
    let parts = String(decoding: token, as: UTF8.self).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    pair = parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    // A name and a password; a bearer token has no colon (RFC 6750, 2.1).
    header =
      token.contains(UInt8(ascii: ":"))
      ? "Authorization: Basic \(Array(token).base64)"
      : "Authorization: Bearer \(String(decoding: token, as: UTF8.self))"
  }

  /// What a server must not be quoted with: the token, or the password and what the header field makes of both.
  fileprivate var secrets: [String] {
    pair.map { ["\($0.name):\($0.password)", $0.password] }
      ?? [String(header.dropFirst("Authorization: Bearer ".count))]
  }

  /// The variable of the environment that holds a token.
  package static let variable = "STATION_TOKEN"

  /// The token in a file, or in the environment; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - file: the file; `nil` for the environment.
  ///   - variables: the variables of the environment.
  /// - Returns: the token.
  /// - Throws: ``AccessTokenError`` for a file that others may read, and for what is no token.
  package static func find(file: String?, variables: (String) -> String?) throws(AccessTokenError) -> AccessToken? {
    if let file { return try AccessToken(text(of: file), from: "“\(file.visible)”") }
    guard let text = variables(variable), !text.isEmpty else { return nil }
    return try AccessToken(text, from: variable)
  }

  private static func text(of file: String) throws(AccessTokenError) -> String {
    do throws(PrivateFile.Failure) {
      return try PrivateFile.text(file)
    } catch {
      switch error {
      case .open: throw .open(file)
      case .unreadable(let error): throw .unreadable(error)
      }
    }
  }
}

extension HTTPRequest {
  /// Creates a request with the token that a server knows this station by.
  init(_ method: String, _ url: String, headers: [String] = [], token: AccessToken?, body: Body? = nil) {
    self.init(method, url, headers: headers + (token.map { [$0.header] } ?? []), body: body)
    for secret in token?.secrets ?? [] { secrets.add(secret) }
  }
}

/// Why a secret cannot be used.
package enum AccessTokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file may be read by other users.
  case open(String)
  /// The file cannot be read.
  case unreadable(FileError)
  /// There is no key for S3.
  case noKey
  /// What it holds is no token.
  case illegal(String)

  /// What is wrong and what to do, without the secret.
  package var description: String {
    switch self {
    case .open(let path):
      "other users may read “\(path.visible)”: run “chmod 600 \(path.shellQuoted)”, and replace the token if they may "
        + "have read it"
    case .unreadable(let error): error.description
    case .noKey:
      "there is no key for S3: put IDENTIFIER:SECRET into a file of mode 600 for --token-file, or set AWS_ACCESS_KEY_ID "
        + "and AWS_SECRET_ACCESS_KEY"
    case .illegal(let place): "\(place) holds no token: expected one line of letters, digits and signs without spaces"
    }
  }
}
