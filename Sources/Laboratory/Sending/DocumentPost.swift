package import Basics

/// Posts JSON documents to a URL, and tries again what fails.
///
/// A status of success is all that confirms a document: it arrives at least once. Its digest is its `Idempotency-Key`, so that
/// a server can recognise it.
package struct DocumentPost: Sendable {
  private let exchange: any HTTPExchange
  private let url: String
  private let token: AccessToken?
  private let patience: Duration
  private let now: @Sendable () -> WallTime
  private let random: @Sendable () -> Double
  private let sleep: @Sendable (Duration) async throws -> Void

  /// The header that marks simulated data, whose documents have no place for the mark.
  static let simulationMark = "Station-Simulated: true"

  /// Posts to a URL.
  ///
  /// - Parameters:
  ///   - exchange: makes the requests.
  ///   - url: the URL.
  ///   - token: the server's token.
  ///   - patience: how long a document is tried again.
  ///   - now: the wall clock.
  ///   - random: numbers from 0 to 1.
  ///   - sleep: waits.
  package init(
    _ exchange: any HTTPExchange, url: String, token: AccessToken?, patience: Duration,
    now: @escaping @Sendable () -> WallTime = { .now },
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    (self.exchange, self.url, self.token, self.patience) = (exchange, url, token, patience)
    (self.now, self.random, self.sleep) = (now, random, sleep)
  }

  /// Posts a document.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - isSimulated: whether there are simulated data in it, so that its header has their mark.
  ///   - report: called with the reason of each attempt that failed and is made again.
  /// - Throws: ``SendProblem`` for a refusal, and when the patience has ended; `CancellationError`.
  package func post(
    _ document: JSONValue, isSimulated: Bool = false, report: (SendProblem) -> Void
  ) async throws {
    let bytes = document.encoded(pretty: true)
    let key = SHA256.digest(of: bytes).description.prefix(32)
    let request = HTTPRequest(
      "POST", url, headers: ["Idempotency-Key: \"\(key)\""] + (isSimulated ? [Self.simulationMark] : []), token: token,
      body: Body(bytes, type: TutorialJSON.type))
    let deadline = now().advanced(by: patience)
    var failures = 0
    while true {
      let outcome = await attempt(request)
      try Task.checkCancellation()
      switch outcome {
      case nil, .sent: return
      case .refused(let problem, _), .failed(let problem, .settings, _): throw problem
      case .failed(let problem, _, let wait):
        failures += 1
        let delay = Backoff.delay(after: failures, request: wait, random: random())
        guard now().advanced(by: delay) <= deadline else { throw problem }
        report(problem)
        try await sleep(delay)
      }
    }
  }

  /// What became of one attempt; `nil` for a success.
  private func attempt(_ request: HTTPRequest) async -> SendOutcome? {
    do throws(TransferFault) {
      return AnswerReading.failure(
        try await exchange.perform(request, limit: AnswerReading.maxAnswerLength), at: now())
    } catch {
      return AnswerReading.failure(error)
    }
  }
}
