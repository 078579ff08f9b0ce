package import Basics

/// Puts bundles into a bucket of an S3 server, each as one tar archive.
///
/// The signature covers the archive's SHA-256, which the server compares with what it got; the object keeps it, and is asked
/// for once more.
package struct S3Delivery: Delivery {
  private let exchange: any HTTPExchange
  private let folder: String
  private let signing: S3Signing

  /// Puts archives under a URL with the bucket, and perhaps the beginning of the keys.
  package init(_ exchange: any HTTPExchange, folder: String, signing: S3Signing) {
    self.folder = String(folder.reversed().drop { $0 == "/" }.reversed())
    (self.exchange, self.signing) = (exchange, signing)
  }

  /// Puts the archive of a bundle.
  package func deliver(_ bundle: OutgoingBundle, at now: WallTime) async -> SendOutcome {
    let (body, digest): (Body, Digest)
    do throws(SendProblem) { (body, digest) = try bundle.archive() } catch { return .refused(error, .bundle) }
    let url = "\(folder)/\(bundle.trial).tar"
    do throws(TransferFault) {
      // Who may not list a bucket gets 403 for an object that is not there.
      let before = try await head(url)
      if before.status == 200 {
        return Self.isSame(before, body, digest)
          ? .sent(.checksum, receipt: digest.description) : .refused(.taken, .bundle)
      }
      if ![403, 404].contains(before.status), let failure = AnswerReading.failure(before, at: now) { return failure }
      let checks = ["x-amz-checksum-sha256: \(digest.bytes.base64)", "x-amz-meta-sha256: \(digest)"]
      let put = HTTPRequest("PUT", url, headers: Self.signed(digest) + checks, body: body, signing: signing)
      let answer = try await exchange.perform(put, limit: AnswerReading.maxAnswerLength)
      if let failure = AnswerReading.failure(answer, at: now) { return failure }
      let after = try await head(url)
      if let failure = AnswerReading.failure(after, at: now) { return failure }
      return Self.isSame(after, body, digest)
        ? .sent(.checksum, receipt: digest.description) : .failed(.otherContent, .bundle, wait: nil)
    } catch {
      return AnswerReading.failure(error)
    }
  }

  private func head(_ url: String) async throws(TransferFault) -> HTTPAnswer {
    let request = HTTPRequest("HEAD", url, headers: Self.signed(SHA256.digest(of: [])), signing: signing)
    return try await exchange.perform(request, limit: AnswerReading.maxAnswerLength)
  }

  /// The header field with the digest of a request's content, which the signature covers.
  private static func signed(_ digest: Digest) -> [String] { ["x-amz-content-sha256: \(digest)"] }

  private static func isSame(_ answer: HTTPAnswer, _ body: Body, _ digest: Digest) -> Bool {
    answer.headers["content-length"] == "\(body.size)" && answer.headers["x-amz-meta-sha256"] == "\(digest)"
  }
}

extension S3Signing {
  /// The credentials of a token `IDENTIFIER:SECRET`, else those of Amazon's variables of the environment.
  ///
  /// - Parameters:
  ///   - token: the token.
  ///   - variables: the variables of the environment.
  /// - Throws: ``AccessTokenError/noKey`` where there are none.
  package init(_ token: AccessToken?, variables: (String) -> String?) throws(AccessTokenError) {
    let region = variables("AWS_REGION") ?? variables("AWS_DEFAULT_REGION") ?? "us-east-1"
    if let pair = token?.pair {
      self.init(region: region, identifier: pair.name, secret: pair.password)
      return
    }
    guard let identifier = variables("AWS_ACCESS_KEY_ID"), let secret = variables("AWS_SECRET_ACCESS_KEY") else {
      throw .noKey
    }
    self.init(region: region, identifier: identifier, secret: secret)
  }
}
