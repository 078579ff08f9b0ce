import Basics

/// A request to a server.
package struct HTTPRequest: Sendable {
  var method: String
  var url: String
  /// The header fields, as `Name: value`; those with a token are never shown.
  var headers: [String]
  /// What is sent; `nil` for a request without content.
  var body: Body?
  /// The credentials that sign the request for S3; `nil` without a signature.
  var signing: S3Signing?
  /// Whether the answer's content is only hashed, and not kept.
  var hashesAnswer = false
  /// What the server must not be quoted with.
  var secrets = Secrets()

  init(
    _ method: String, _ url: String, headers: [String] = [], body: Body? = nil, signing: S3Signing? = nil
  ) {
    (self.method, self.url, self.headers, self.body, self.signing) = (method, url, headers, body, signing)
    if let signing { secrets.add(signing.secret) }
    // A query may hold a key.
    for value in URLParts(url)?.rest.split(whereSeparator: { "?#&=".contains($0) }) ?? [] where value.count >= 8 {
      secrets.add(String(value))
    }
  }
}

/// What signs requests with version 4 of Amazon's signatures.
package struct S3Signing: Hashable, Sendable {
  /// The region, such as `eu-central-1`.
  var region: String
  /// The access key's identifier.
  var identifier: String
  var secret: String
}

/// A server's answer.
package struct HTTPAnswer: Sendable {
  let status: Int
  /// The header fields, by their names in lower case; of one that is repeated the last.
  let headers: [String: String]
  /// The content; empty where it was not kept.
  let body: [UInt8]
  /// The SHA-256 of the content, where that was asked for.
  let digest: Digest?
  /// The secrets of the request.
  private let secrets: Secrets

  init(
    status: Int, headers: [String: String] = [:], body: [UInt8] = [], digest: Digest? = nil,
    secrets: Secrets = Secrets()
  ) {
    (self.status, self.headers, self.body, self.digest) = (status, headers, body, digest)
    self.secrets = secrets
  }

  /// What may be shown and kept of a text of the server: `nil` for one that may repeat a secret.
  func quoted(_ text: String) -> String? { secrets.mayBeIn(text) ? nil : text }
}

/// Makes requests, one after the other.
package protocol HTTPExchange: Sendable {
  /// Makes a request and returns the complete answer.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - limit: how much content of the answer is kept; a longer one is an error.
  /// - Returns: the answer, whatever its status.
  /// - Throws: ``TransferFault`` when there is no complete answer.
  func perform(_ request: HTTPRequest, limit: Int) async throws(TransferFault) -> HTTPAnswer
}

/// Why there is no complete answer.
package struct TransferFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of fault it is.
  enum Kind: String, Sendable {
    /// The server could not be found, reached, or heard to the end.
    case connection
    /// The server did not go on for too long.
    case timeout
    /// The certificate, or another part of TLS, was not right.
    case certificate
    /// The answer is longer than any that is expected.
    case tooLong
    /// What was to be sent could not be read.
    case reading
    /// The request could not be made at all.
    case configuration
    /// The task was cancelled.
    case cancelled
  }

  let kind: Kind
  /// The library's words, without anything secret.
  let reason: String

  package var description: String { reason }

  init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }
}
