import Quantities
import Synchronization
import TestSupport
import Testing

@testable import SampleStore

@Suite("Authorization")
struct AuthorizationTests {
  static let heart = SampleType.quantity(.heartRate)
  static let app = Source(name: "App", bundleIdentifier: "org.example.app")

  @Test(
    "Writing without leave is HealthKit's error 4 or 5", arguments: TestedEngine.allCases,
    [
      (AuthorizationStatus.notDetermined, 5, "Authorization not determined"), (.sharingDenied, 4, "Not authorized"),
      (.sharingAuthorized, nil, nil),
    ] as [(AuthorizationStatus, Int?, String?)])
  func writing(engine: TestedEngine, row: (share: AuthorizationStatus, code: Int?, text: String?)) async throws {
    let made = try await engine.make()
    let client = try made.store.asClient("org.example.app")
    try await made.store.authorize("org.example.app", for: Self.heart, Authorization(share: row.share))
    #expect(try await client.authorizationStatus(for: Self.heart) == row.share)
    let sample = try QuantitySample.make(60, by: Self.app)
    var error: StoreError?
    do { try await client.save([sample]) } catch let thrown as StoreError { error = thrown }
    #expect(error?.code.rawValue == row.code && error?.description == row.text)
    #expect(try await made.store.samples(of: .heartRate).count == (row.code == nil ? 1 : 0))
    try await made.store.save([sample])
    let text = await refusal { try await client.delete([sample.uuid]) }
    #expect(text == row.text)
    let outcome: AuditEntry.Outcome = [.notDetermined, .denied, .allowed][Int(row.share.rawValue)]
    #expect(try await made.store.audit().map(\.outcome) == [outcome, outcome])
    #expect(try await Set(made.store.audit().map(\.action)) == [.save, .delete])
  }

  @Test("One type without leave stops the whole save", arguments: TestedEngine.allCases)
  func mixed(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let client = try made.store.asClient("org.example.app")
    try await made.store.authorize("org.example.app", for: Self.heart, Authorization(share: .sharingAuthorized))
    let samples = try [
      QuantitySample.make(60, by: Self.app), .make(.stepCount, 5, by: Self.app),
    ]
    #expect(await refusal { try await client.save(samples) } == "Authorization not determined")
    #expect(try await made.store.samples(of: .heartRate) == [])
    let foreign = await refusal { try await client.save([.make(60)]) }
    #expect(
      foreign == "“org.example.app” saves samples of its own; this one says that “org.example.strap” wrote it")
  }

  @Test("A denied read looks like a store that holds only the client's own samples", arguments: TestedEngine.allCases)
  func denied(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let client = try made.store.asClient("org.example.app")
    #expect(await refusal { _ = try await client.samples(of: .heartRate) } == "Authorization not determined")
    try await made.store.authorize(
      "org.example.app", for: Self.heart, Authorization(share: .sharingAuthorized, read: .sharingDenied))
    let foreign = try QuantitySample.make(90, from: .second(5))
    try await made.store.save([foreign])
    #expect(try await client.samples(of: .heartRate) == [])
    #expect(try await client.mostRecent(of: .heartRate) == nil)
    #expect(try await client.sources(of: Self.heart) == [])
    #expect(try await client.changes(of: .heartRate).added == [])
    let text = await refusal { _ = try await client.statistics(of: .heartRate, options: .discreteMax) }
    #expect(text == "No data available for the specified predicate.")
    let own = try QuantitySample.make(60, by: Self.app)
    try await client.save([own])
    #expect(try await client.samples(of: .heartRate) == [own])
    #expect(try await client.samples(of: .heartRate, matching: SamplePredicate(sources: [.strap])) == [])
    #expect(try await client.samples(of: .heartRate, matching: SamplePredicate(uuids: [foreign.uuid])) == [])
    #expect(try await client.mostRecent(of: .heartRate) == own)
    #expect(try await client.sources(of: Self.heart) == [Self.app])
    let statistics = try await client.statistics(of: .heartRate, options: [.discreteMax, .separateBySource])
    #expect(statistics.overall.maximum?.told(.countPerMinute) == 60 && statistics.sources == [Self.app])
    // It neither deletes what it cannot see, nor learns that it is there.
    for uuid in [foreign.uuid, UUID()] {
      #expect(await refusal { try await client.delete([uuid]) } == "Failed to find some objects for deletion.")
    }
    #expect(try await client.delete(Self.heart, matching: .all) == 1)
    #expect(try await made.store.samples(of: .heartRate) == [foreign])
    #expect(try await client.changes(of: .heartRate).deleted == [own.uuid])
    // With leave it sees everything.
    try await made.store.authorize("org.example.app", for: Self.heart, Authorization(read: .sharingAuthorized))
    #expect(try await client.samples(of: .heartRate) == [foreign])
  }

  @Test("A client is told of its own changes only, where it may not read", arguments: TestedEngine.allCases)
  func observer(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let client = try made.store.asClient("org.example.app")
    try await made.store.authorize(
      "org.example.app", for: Self.heart, Authorization(share: .sharingAuthorized, read: .sharingDenied))
    let known = try await client.core.lastChanges([Self.heart], client: client.client)
    try await made.store.save((0..<1500).map { try .make(Double($0), from: .second(Double($0))) })
    let (foreign, later) = try await client.core.news(since: known, client: client.client)
    #expect(foreign == [])
    try await client.save([.make(60, by: Self.app)])
    #expect(try await client.core.news(since: later, client: client.client).changed == [Self.heart])
    #expect(try await made.store.core.news(since: known, client: nil).changed == [Self.heart])
  }

  @Test("A client takes no receipts", arguments: TestedEngine.allCases)
  func receipts(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let client = try made.store.asClient("org.example.app")
    #expect(await refusal { try await client.save([], receipt: "bundle:1") } == "Not authorized")
    #expect(await refusal { try await client.delete([], forgetting: ["bundle:1"]) } == "Not authorized")
    #expect(await refusal { _ = try await client.receipts() } == "Not authorized")
    #expect(await refusal { try await client.close() } == "Not authorized")
    #expect(try await !made.store.hasReceipt("bundle:1"))
  }

  @Test("Whoever asks for a type defines nothing", arguments: TestedEngine.allCases)
  func asking(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let client = try made.store.asClient("org.example.app")
    let asked = try QuantityType(userDefined: "load", aggregationStyle: .cumulative, unit: Unit("g"))
    #expect(await refusal { _ = try await client.samples(of: asked) } == "Authorization not determined")
    let sample = try QuantitySample.make(asked, 1, by: Self.app)
    #expect(await refusal { try await client.save([sample]) } == "Authorization not determined")
    #expect(try await made.store.types() == [])
    // The audit knows what was asked for all the same.
    #expect(try await made.store.audit().map(\.type) == [.quantity(asked), .quantity(asked)])
    let kept = try QuantityType(userDefined: "load", aggregationStyle: .discreteArithmetic, unit: Unit("kg"))
    try await made.store.save([.make(kept, 2)])
    #expect(try await made.store.types() == [kept])
    #expect(try await made.store.audit().map(\.type) == [.quantity(kept), .quantity(kept)])
  }

  @Test("What others save is not told by whether there is more", arguments: TestedEngine.allCases)
  func more(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let client = try made.store.asClient("org.example.app")
    try await made.store.authorize(
      "org.example.app", for: Self.heart, Authorization(share: .sharingAuthorized, read: .sharingDenied))
    try await client.save([.make(60, by: Self.app)])
    let before = try await client.changes(of: .heartRate, limit: 1)
    #expect(before.added.count == 1 && !before.hasMore)
    let foreign = try QuantitySample.make(61)
    try await made.store.save([foreign])
    try await made.store.delete([foreign.uuid])
    #expect(try await client.changes(of: .heartRate, limit: 1) == before)
    try await client.save([.make(62, by: Self.app)])
    let first = try await client.changes(of: .heartRate, limit: 1)
    #expect(first.added == before.added && first.hasMore)
    #expect(try await client.changes(of: .heartRate, since: first.anchor, limit: 1).added.map(\.told) == [62])
  }

  @Test("A client's anchor is text that is read back, and goes on where it was", arguments: TestedEngine.allCases)
  func anchors(engine: TestedEngine) async throws {
    let made = try await engine.make()
    try await made.store.authorize("org.example.app", for: Self.heart, Authorization(read: .sharingAuthorized))
    let client = try made.store.asClient("org.example.app")
    try await made.store.save([.make(60)])
    let changes = try await client.changes(of: .heartRate)
    #expect(changes.added.count == 1)
    try await made.store.save([.make(61, from: .second(1))])
    let anchor = try #require(QueryAnchor("\(changes.anchor)"))
    #expect(try await client.changes(of: .heartRate, since: anchor).added.map(\.told) == [61])
  }

  @Test("Leave that is taken away while a client waits for it counts", arguments: [TestedEngine.memory, .sqlite])
  func revoked(engine: TestedEngine) async throws {
    // Between the look at the leave and the work, the audit asks for an identifier: somebody takes the leave away then.
    let folder = try ScratchFolder()
    let hook = Mutex<(@Sendable () -> Void)?>(nil)
    let makeUUID = { @Sendable () -> Quantities.UUID in
      hook.withLock { $0.take() }?()
      return UUID()
    }
    let store =
      try await engine == .memory
      ? SampleStore.memory(makeUUID: makeUUID) : .sqlite(folder["station.sqlite"], makeUUID: makeUUID)
    try await store.authorize("org.example.app", for: Self.heart, Authorization(read: .sharingAuthorized))
    try await store.save([.make(60)])
    let client = try store.asClient("org.example.app")
    let core = store.core
    hook.withLock { hook in
      hook = {
        core.assumeIsolated { core in
          try? core.engine.set(Grant(share: 0, read: 1), "org.example.app", Self.heart.number)
        }
      }
    }
    #expect(try await client.samples(of: .heartRate) == [])
    #expect(try await store.audit().map(\.outcome).last == .denied)
  }

  @Test("Equal characters of other bytes are another client", arguments: TestedEngine.allCases)
  func bytes(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let (one, two) = ("caf\u{E9}", "cafe\u{301}")
    for name in [one, two] {
      try await made.store.authorize(
        name, for: Self.heart, Authorization(share: .sharingAuthorized, read: .sharingDenied))
    }
    let sample = try QuantitySample.make(60, by: Source(name: "a", bundleIdentifier: one))
    try await made.store.asClient(one).save([sample])
    let other = try made.store.asClient(two)
    #expect(try await other.samples(of: .heartRate) == [])
    try await other.save([.make(62, by: Source(name: "a", bundleIdentifier: two))])
    #expect(await refusal { try await other.delete([sample.uuid]) } == "Failed to find some objects for deletion.")
    #expect(await refusal { try await other.save([.make(61, by: sample.sourceRevision.source)]) } != nil)
    #expect(try await other.samples(of: .heartRate).map(\.told) == [62])
    #expect(try await made.store.asClient(one).samples(of: .heartRate) == [sample])
  }

  @Test("What is the operator's is refused to clients", arguments: TestedEngine.allCases)
  func operators(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let client = try made.store.asClient("org.example.app")
    let actions: [@Sendable () async throws -> Void] = [
      { _ = try await client.audit() }, { _ = try await client.authorization(of: "org.example.app", for: Self.heart) },
      { try await client.authorize("org.example.app", for: Self.heart, Authorization(share: .sharingAuthorized)) },
      { try await client.setSourcePriority([]) }, { _ = try await client.types() },
      { _ = try client.asClient("other") },
      { _ = try await client.hasReceipt("bundle") }, { _ = try await client.sourcePriority() },
    ]
    for action in actions { #expect(await refusal(action) == "Not authorized") }
    #expect(try await client.requestStatus(share: [Self.heart], read: []) == .shouldRequest)
    try await made.store.authorize(
      "org.example.app", for: Self.heart, Authorization(share: .sharingDenied, read: .sharingDenied))
    #expect(try await client.requestStatus(share: [Self.heart], read: [Self.heart]) == .unnecessary)
    #expect(try await client.requestStatus(share: [], read: [.heartbeatSeries]) == .shouldRequest)
    #expect(try await made.store.authorization(of: "org.example.app", for: Self.heart).read == .sharingDenied)
    let denied = Authorization(share: .sharingDenied, read: .sharingDenied)
    #expect(try await made.store.authorizations() == ["org.example.app": [Self.heart: denied]])
  }
}
