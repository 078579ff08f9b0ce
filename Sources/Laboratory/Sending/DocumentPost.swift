package import Basics
import Quantities

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

/// A trial as one JSON document: `{"format":"station.trial/1","heart":{"items":[…]},"result":{…}}`.
///
/// Heart data and result are those of the bundle, byte for byte; their schemas and that of the whole are in `protocols/`.
enum TrialJSON: Sendable {
  /// The value of the member `format`.
  static let format = "station.trial/1"
  /// The media type.
  static let type = "application/json"

  /// The document of a bundle.
  ///
  /// - Throws: ``SendProblem`` for files that cannot be read, are not what the manifest says, or are not JSON.
  static func bytes(of bundle: OutgoingBundle) throws(SendProblem) -> [UInt8] {
    let (heart, result) = (try bundle.contents(of: BundleFiles.heart), try bundle.contents(of: BundleFiles.result))
    for (name, bytes) in [(BundleFiles.heart, heart), (BundleFiles.result, result)] {
      guard (try? JSONReader.read(bytes)) != nil else { throw .bundleUnreadable("“\(name)” is not JSON") }
    }
    return Array("{\"format\":\"\(format)\",\"heart\":".utf8) + heart + Array(",\"result\":".utf8) + result
      + Array("}\n".utf8)
  }
}

/// The heart rates as the tutorials' programs post them: an array of objects with `hr`, `startDate` and `endDate`, all
/// strings.
///
/// Dates have the form that Swift prints, `2026-11-20 11:08:31 +0000`, and therefore whole seconds.
package enum TutorialJSON: Sendable {
  /// The media type.
  static let type = "application/json"

  /// The heart rates of a bundle, in the order of its heart file.
  ///
  /// - Throws: ``SendProblem`` for heart data that cannot be read.
  static func bytes(of bundle: OutgoingBundle) throws(SendProblem) -> [UInt8] {
    let bytes = try bundle.contents(of: BundleFiles.heart)
    let items: [JSONValue]
    do throws(JSONProblems) {
      items = try JSONReader.read(bytes).value["items"]?.array ?? []
    } catch {
      throw .bundleUnreadable("“\(BundleFiles.heart)” is not JSON: \(error)")
    }
    return JSONValue.array(items.compactMap(row)).encoded(pretty: true)
  }

  /// An item of a heart file or a store; `nil` for one that is not a heart rate.
  package static func row(_ item: JSONValue) -> JSONValue? {
    guard let type = item["type"]?.string, QuantityType(healthKit: type) == .heartRate,
      let value = item["value"]?.number, let symbol = item["unit"]?.string, let unit = try? Unit(symbol),
      unit.isCompatible(with: .countPerMinute), let end = (item["endDate"]?.string).flatMap(WallTime.init)
    else { return nil }
    let start = (item["startDate"]?.string).flatMap(WallTime.init) ?? end
    let rate = unit == .countPerMinute ? value : unit.convert(value, to: .countPerMinute)
    return ["hr": .string("\(rate)"), "startDate": .string(date(start)), "endDate": .string(date(end))]
  }

  private static func date(_ time: WallTime) -> String {
    let text = time.precise
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) +0000"
  }
}

/// The files of a bundle that are sent as JSON.
enum BundleFiles: Sendable {
  static let heart = "data/heart.json"
  static let result = "data/result.json"
}
