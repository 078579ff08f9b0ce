package import Basics

/// Puts bundles into a folder of a WebDAV server (RFC 4918), each as one tar archive.
///
/// An archive is put under another name, read back, and then moved: what is called `TRIAL.tar` is complete.
package struct WebDAVDelivery: Delivery {
  private let exchange: any HTTPExchange
  private let folder: String
  private let token: AccessToken?
  /// Tells the unfinished archives of this sender from those of others.
  private let mark = FolderDelivery.randomMark()

  /// Puts archives into the folder at a URL, which has to exist.
  package init(_ exchange: any HTTPExchange, folder: String, token: AccessToken?) {
    self.folder = String(folder.reversed().drop { $0 == "/" }.reversed())
    (self.exchange, self.token) = (exchange, token)
  }

  /// Puts the archive of a bundle.
  package func deliver(_ bundle: OutgoingBundle, at now: WallTime) async -> SendOutcome {
    let (body, digest): (Body, Digest)
    do throws(SendProblem) { (body, digest) = try bundle.archive() } catch { return .refused(error, .bundle) }
    let name = "\(folder)/\(bundle.trial).tar"
    let part = "\(name).\(mark).part"
    do throws(TransferFault) {
      let outcome = try await move(part, to: name, body, digest, at: now)
      if case .sent = outcome { return outcome }
      // What was not moved is of no use to anyone; where it cannot be removed, the outcome stays the same.
      _ = try? await perform("DELETE", part)
      return outcome
    } catch {
      return AnswerReading.failure(error)
    }
  }

  private func move(
    _ part: String, to name: String, _ body: Body, _ digest: Digest, at now: WallTime
  ) async throws(TransferFault) -> SendOutcome {
    if let failure = AnswerReading.failure(try await perform("PUT", part, body: body), at: now) { return failure }
    if let problem = try await compare(part, body, digest, at: now) { return problem }
    let moved = try await perform("MOVE", part, headers: ["Destination: \(name)", "Overwrite: F"])
    guard moved.status == 412 else {
      return AnswerReading.failure(moved, at: now) ?? .sent(.readBack, receipt: digest.description)
    }
    // The name is taken: by the same archive, if an earlier answer was lost.
    if let problem = try await compare(name, body, digest, at: now) {
      if case .failed(.otherContent, _, _) = problem { return .refused(.taken, .bundle) }
      return problem
    }
    _ = try? await perform("DELETE", part)
    return .sent(.readBack, receipt: digest.description)
  }

  /// Reads an archive back; `nil` if it is the one that was put.
  private func compare(
    _ name: String, _ body: Body, _ digest: Digest, at now: WallTime
  ) async throws(TransferFault) -> SendOutcome? {
    var request = HTTPRequest("GET", name, token: token)
    request.hashesAnswer = true
    let answer: HTTPAnswer
    do throws(TransferFault) {
      answer = try await exchange.perform(request, limit: body.size)
    } catch {
      guard error.kind == .tooLong else { throw error }
      return .failed(.otherContent, .bundle, wait: nil)
    }
    if let failure = AnswerReading.failure(answer, at: now) { return failure }
    return answer.digest == digest ? nil : .failed(.otherContent, .bundle, wait: nil)
  }

  private func perform(
    _ method: String, _ url: String, headers: [String] = [], body: Body? = nil
  ) async throws(TransferFault) -> HTTPAnswer {
    try await exchange.perform(
      HTTPRequest(method, url, headers: headers, token: token, body: body),
      limit: AnswerReading.maxAnswerLength)
  }
}
