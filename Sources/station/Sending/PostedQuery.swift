import Basics
import Laboratory
import Quantities
import Reports
import SampleStore
import Synchronization

/// Where the samples of a query are posted.
struct PostedQuery: Sendable {
  /// The options that request it.
  static let options: [Option] =
    [
      .init(
        "post", value: "URL",
        "post the samples to this URL instead of printing them: an array of hr, startDate and endDate for heartRate, "
          + "else of the objects of --json; with --follow, what is new at each change"),
      .init(
        Option.includeSimulatedSamples.name, value: "simulated",
        "(--post) also samples of simulated sensors, which are left out; a header marks what may have some"),
    ] + SendOptions.connection

  /// The number of samples in a post.
  private static let batch = 10_000
  /// How long a document is tried again; with `--follow`, until the command ends.
  private static let patience = Duration.seconds(60)

  private let url: String
  private let options: SendOptions
  private let includesSimulated: Bool

  /// The requested post; `nil` for a query that is printed.
  init?(_ arguments: Arguments) throws {
    guard let url = arguments["post"] else {
      for option in SendOptions.connection + [.includeSimulatedSamples] where arguments.has(option.name) {
        throw arguments.refusal("--\(option.name) needs --post")
      }
      return nil
    }
    for other in ["csv", "json"] where arguments.has(other) {
      throw arguments.refusal("--\(other) cannot be combined with --post")
    }
    options = try SendOptions(arguments)
    includesSimulated = try arguments.includesSimulated()
    let isInsecure = options.isInsecure
    self.url = try arguments.checked { () throws(DestinationError) in
      guard case .server(let url, _) = try Destination(url, form: .json, isInsecure: isInsecure).kind else {
        throw .malformed(url)
      }
      return url
    }
  }

  /// Posts the samples of a type, and prints how many.
  func post(
    _ type: QuantityType, of store: SampleStore, matching predicate: SamplePredicate, sortedBy order: SampleOrder,
    limit: Int, _ rendering: SampleRendering
  ) async throws {
    let post = DocumentPost(try HTTPClient(options.client), url: url, token: options.token, patience: Self.patience)
    let rows = Mutex<[JSONValue]>([])
    try await store.forEachSample(of: type, matching: predicate, sortedBy: order, limit: limit) { sample in
      let row = Self.row(try rendering.json(sample))
      rows.withLock { rows in if let row { rows.append(row) } }
      return true
    }
    let all = rows.withLock { $0 }
    guard !all.isEmpty else { return Console.standard.line("no samples of \(type.identifier); nothing was posted") }
    for start in stride(from: 0, to: all.count, by: Self.batch) {
      do {
        let rows = JSONValue.array(Array(all[start..<min(start + Self.batch, all.count)]))
        try await post.post(rows, isSimulated: includesSimulated) { Self.tell($0) }
      } catch let problem as SendProblem {
        throw Failure("\(start) of \(all.count.counted("sample")) posted: \(problem)")
      }
    }
    Console.standard.line("\(all.count.counted("sample")) posted to \(Destination.shown(url))")
  }

  /// Posts changes, page by page, while `list` writes them as JSON, until Ctrl-C if it follows them; see `ChangeListing`.
  ///
  /// - Throws: ``Failure`` for a refusal, and what `list` throws.
  func post(
    follows: Bool, _ list: @escaping @Sendable (_ put: @escaping @Sendable (String) -> Bool) async throws -> Void
  ) async throws {
    let post = DocumentPost(
      try HTTPClient(options.client), url: url, token: options.token,
      patience: follows ? .seconds(1 << 31) : Self.patience)
    let (lines, put) = AsyncStream.makeStream(of: String.self)
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await self.post(lines, by: post) }
        group.addTask {
          try await list { line in
            put.yield(line)
            return true
          }
          put.finish()
        }
        // After Ctrl-C a post that is under way is given up.
        try await group.next()
        if !follows { try await group.next() }
      }
    } catch let problem as SendProblem {
      throw Failure("\(problem); go on with --after and the last anchor that was printed")
    }
  }

  /// Posts the samples of lines of JSON, up to each anchor, and prints the anchor.
  private func post(_ lines: AsyncStream<String>, by post: DocumentPost) async throws {
    var rows: [JSONValue] = []
    for await line in lines {
      let item = try JSONReader.read(Array(line.utf8)).value
      if let row = Self.row(item) { rows.append(row) }
      guard item["anchor"] != nil || rows.count >= Self.batch else { continue }
      if !rows.isEmpty { try await post.post(.array(rows), isSimulated: includesSimulated) { Self.tell($0) } }
      let anchor = item["anchor"]?.string.map { "; anchor: \($0)" } ?? ""
      Console.standard.line("\(rows.count.counted("sample")) posted\(anchor)")
      rows = []
    }
  }

  /// An item as it is posted; `nil` for what is no sample.
  private static func row(_ item: JSONValue) -> JSONValue? {
    guard let type = item["type"]?.string else { return nil }
    return QuantityType(healthKit: type) == .heartRate ? TutorialJSON.row(item) : item
  }

  private static func tell(_ problem: SendProblem) { Console.standard.report("not posted yet: \(problem)") }
}
