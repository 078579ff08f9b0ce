package import Basics

/// Posts bundles to a receiver, whose receipt has the digest of what arrived.
///
/// The trial's identifier is the idempotency key: a receiver keeps a bundle once, however often it is posted.
package struct ReceiverDelivery: Delivery {
  private let exchange: any HTTPExchange
  private let url: String
  private let token: AccessToken?

  /// The path of the receiver's bundles.
  static let path = "/v1/bundles"

  /// Posts bundles to the receiver at an address, with or without `path`.
  package init(_ exchange: any HTTPExchange, address: String, token: AccessToken?) {
    url = URLParts(address).map { "\($0.origin)\(Self.base(of: $0))\(Self.path)\($0.rest)" } ?? address
    (self.exchange, self.token) = (exchange, token)
  }

  /// The path of an address without ``path``, and without slashes at its end.
  static func base(of parts: URLParts) -> String {
    let path = parts.trimmedPath
    return path.hasSuffix(Self.path) ? String(path.dropLast(Self.path.count)) : path
  }

  /// Posts the archive of a bundle.
  package func deliver(_ bundle: OutgoingBundle, at now: WallTime) async -> SendOutcome {
    let (body, digest): (Body, Digest)
    do throws(SendProblem) { (body, digest) = try bundle.archive() } catch { return .refused(error, .bundle) }
    let headers = [
      "Idempotency-Key: \"\(bundle.trial)\"", "Content-Digest: sha-256=:\(digest.bytes.base64):",
      "Accept: application/json, application/problem+json",
    ]
    let request = HTTPRequest("POST", url, headers: headers, token: token, body: body)
    do throws(TransferFault) {
      let answer = try await exchange.perform(request, limit: AnswerReading.maxAnswerLength)
      return AnswerReading.failure(answer, at: now) ?? Self.receipt(answer, of: bundle, size: body.size)
    } catch {
      return AnswerReading.failure(error)
    }
  }

  /// Compares a receipt with the bundle: `{"trial":…,"manifestSha256":…,"bytes":…,"receivedAt":…,"duplicate":…}`.
  static func receipt(_ answer: HTTPAnswer, of bundle: OutgoingBundle, size: Int) -> SendOutcome {
    guard let receipt = try? JSONReader.read(answer.body).value, receipt.object != nil,
      receipt["manifestSha256"] != nil
    else { return .failed(.noReceipt(answer.status), .bundle, wait: nil) }
    guard receipt["trial"]?.string == bundle.trial else {
      return .failed(.otherReceipt(member: "trial"), .bundle, wait: nil)
    }
    guard receipt["manifestSha256"]?.string?.lowercased() == bundle.manifestDigest.description else {
      return .failed(.otherReceipt(member: "manifestSha256"), .bundle, wait: nil)
    }
    guard receipt["bytes"] == nil || receipt["bytes"]?.integer == size else {
      return .failed(.otherReceipt(member: "bytes"), .bundle, wait: nil)
    }
    // Only what is known is kept: whatever else the server says may be anything.
    var kept: [String: JSONValue] = [
      "trial": .string(bundle.trial), "manifestSha256": .string(bundle.manifestDigest.description),
    ]
    if receipt["bytes"] != nil { kept["bytes"] = .integer(size) }
    if case .bool(let duplicate)? = receipt["duplicate"] { kept["duplicate"] = .bool(duplicate) }
    if let time = receipt["receivedAt"]?.string.flatMap({ WallTime($0) }) { kept["receivedAt"] = .string("\(time)") }
    return .sent(.receipt, receipt: JSONValue.object(kept).text())
  }
}
