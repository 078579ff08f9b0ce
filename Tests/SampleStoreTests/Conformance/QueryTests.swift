import Basics
import Dispatch
import TestSupport
import Testing

@testable import Quantities
@testable import SampleStore

@Suite("Queries")
struct QueryTests {
  typealias Options = SamplePredicate.Options

  @Test(
    "The edges of a range are HealthKit's", arguments: TestedEngine.allCases,
    [
      // Sample from, to; whether it matches 10 ..< 20 with: none, strict start, strict end, both.
      (0.0, 9.0, [false, false, false, false]), (0, 10, [true, false, true, false]),
      (0, 15, [true, false, true, false]), (0, 20, [true, false, false, false]), (0, 30, [true, false, false, false]),
      (10, 10, [true, true, true, true]), (10, 20, [true, true, false, false]), (12, 18, [true, true, true, true]),
      (15, 25, [true, true, false, false]), (19, 19, [true, true, true, true]), (20, 20, [false, false, false, false]),
      (20, 25, [false, false, false, false]),
    ] as [(Double, Double, [Bool])])
  func edges(engine: TestedEngine, row: (from: Double, to: Double, matches: [Bool])) async throws {
    let made = try await engine.make()
    try await made.store.save([.make(60, from: .second(row.from), to: .second(row.to))])
    let options: [Options] = [[], .strictStartDate, .strictEndDate, [.strictStartDate, .strictEndDate]]
    for (option, matches) in zip(options, row.matches) {
      let predicate = SamplePredicate(start: .second(10), end: .second(20), options: option)
      let found = try await made.store.samples(of: .heartRate, matching: predicate)
      #expect(found.count == (matches ? 1 : 0), "options \(option.rawValue)")
    }
  }

  @Test("A range may be open at either end", arguments: TestedEngine.allCases)
  func open(engine: TestedEngine) async throws {
    let made = try await engine.make()
    try await made.store.save((0..<4).map { try .make(Double($0), from: .second(Double($0))) })
    func found(_ start: Double?, _ end: Double?) async throws -> [Double] {
      let predicate = SamplePredicate(start: start.map { .second($0) }, end: end.map { .second($0) })
      return try await made.store.samples(of: .heartRate, matching: predicate).map(\.told)
    }
    #expect(try await found(nil, nil) == [0, 1, 2, 3])
    #expect(try await found(2, nil) == [2, 3])
    #expect(try await found(nil, 2) == [0, 1])
    #expect(try await found(1, 1) == [])
    let text = await refusal { _ = try await found(2, 1) }
    #expect(
      text == "the range ends (2026-11-21T12:00:01.000Z) before it starts (2026-11-21T12:00:02.000Z); exchange the two")
  }

  @Test("Samples are sorted, and equal ones always the same way", arguments: TestedEngine.allCases)
  func order(engine: TestedEngine) async throws {
    let made = try await engine.make()
    // UUID, from, to.
    let rows: [(UInt64, Double, Double)] = [(1, 5, 9), (2, 0, 9), (3, 0, 2), (4, 0, 2), (5, 3, 4), (6, 0, 9)]
    try await made.store.save(
      rows.shuffled().map { try .make(60, from: .second($0.1), to: .second($0.2), uuid: .number($0.0)) })
    func uuids(_ order: SampleOrder, limit: Int = 0) async throws -> [UInt64] {
      try await made.store.samples(of: .heartRate, sortedBy: order, limit: limit).map(\.uuid.low)
    }
    #expect(try await uuids(.startDate) == [3, 4, 2, 6, 5, 1])
    #expect(try await uuids(.startDateDescending) == [1, 5, 3, 4, 2, 6])
    #expect(try await uuids(.endDate) == [3, 4, 5, 2, 6, 1])
    #expect(try await uuids(.endDateDescending) == [2, 6, 1, 5, 3, 4])
    #expect(try await uuids(.endDateDescending, limit: 2) == [2, 6])
    #expect(try await made.store.mostRecent(of: .heartRate)?.uuid.low == 1)
    #expect(
      await refusal { _ = try await uuids(.startDate, limit: -1) } == "the limit -1 is below zero; give 0 for no limit")
  }

  @Test("Samples are chosen by what they say", arguments: TestedEngine.allCases)
  func conditions(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let chest = Device(name: "Chest")
    let place = Metadata.Key.heartRateSensorLocation
    try await made.store.save([
      .make(60, from: .second(0), uuid: .number(1), device: chest, metadata: [place: .number(1)]),
      .make(
        70, from: .second(1), by: .watch, uuid: .number(2), device: Device(name: "Wrist"), metadata: [place: .number(2)]
      ),
      .make(80, from: .second(2), by: .watch, uuid: .number(3), metadata: ["note": .string("run"), "on": .bool(true)]),
    ])
    func found(_ predicate: SamplePredicate, limit: Int = 0) async throws -> [UInt64] {
      try await made.store.samples(of: .heartRate, matching: predicate, limit: limit).map(\.uuid.low)
    }
    #expect(try await found(SamplePredicate(sources: [.watch])) == [2, 3])
    #expect(try await found(SamplePredicate(sources: [.phone])) == [])
    #expect(try await found(SamplePredicate(sources: [])) == [])
    let revision = SourceRevision(source: .watch, version: "1.0")
    #expect(try await found(SamplePredicate(sourceRevisions: [revision])) == [2, 3])
    #expect(try await found(SamplePredicate(sourceRevisions: [SourceRevision(source: .watch)])) == [])
    #expect(try await found(SamplePredicate(devices: [chest])) == [1])
    #expect(try await found(SamplePredicate(uuids: [.number(3), .number(1), .number(9)])) == [1, 3])
    #expect(try await found(SamplePredicate(metadata: [.exists(place)])) == [1, 2])
    #expect(try await found(SamplePredicate(metadata: [.exists(place)]), limit: 1) == [1])
    #expect(try await found(SamplePredicate(metadata: [.allowed("note", [.string("run"), .string("walk")])])) == [3])
    #expect(try await found(SamplePredicate(metadata: [.compares(place, .atLeast, .number(2))])) == [2])
    #expect(try await found(SamplePredicate(metadata: [.compares("on", .equal, .bool(true))])) == [3])
    #expect(try await found(SamplePredicate(metadata: [.compares("note", .less, .number(2))])) == [])
    for (comparison, expected) in [
      (Comparison.less, [1]), (.atMost, [1, 2]), (.equal, [2]), (.unequal, [1, 3]), (.atLeast, [2, 3]), (.more, [3]),
    ] as [(Comparison, [UInt64])] {
      let value = SamplePredicate.ValueCondition(comparison, try Quantity(70, .countPerMinute))
      #expect(try await found(SamplePredicate(values: [value])) == expected)
    }
    let steps = SamplePredicate(values: [.init(.more, try Quantity(1, .kilogram))])
    let text = await refusal { _ = try await found(steps) }
    #expect(text?.hasPrefix("HKQuantitySample HKQuantityTypeIdentifierHeartRate requires unit of type") == true)
  }

  @Test("A store tells what it holds", arguments: TestedEngine.allCases)
  func contents(engine: TestedEngine) async throws {
    let made = try await engine.make()
    #expect(try await made.store.contents() == [:])
    try await made.store.save([.make(60, from: .second(5)), .make(61, from: .second(2)), .make(.stepCount, 1)])
    #expect(
      try await made.store.contents() == [
        .quantity(.heartRate): StoreContents(count: 2, first: .second(2), last: .second(5)),
        .quantity(.stepCount): StoreContents(count: 1, first: .noon, last: .noon),
      ])
  }

  @Test("Samples are given one by one until there are enough", arguments: TestedEngine.allCases)
  func streaming(engine: TestedEngine) async throws {
    let made = try await engine.make()
    try await made.store.save((0..<100).map { try .make(Double($0), from: .second(Double($0))) })
    let seen = Counter()
    try await made.store.forEachSample(of: .heartRate) { _ in seen.add() < 7 }
    #expect(seen.value == 7)
    #expect(try await made.store.samples(of: .heartRate, limit: 3).count == 3)
  }

  @Test("A query whose task is cancelled ends with CancellationError", arguments: TestedEngine.allCases)
  func cancellation(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let store = made.store
    try await store.save((0..<3000).map { try .make(Double($0), from: .second(Double($0))) })
    let seen = Counter()
    let task = Task {
      try await store.forEachSample(of: .heartRate) { _ in
        if seen.add() == 10 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        return true
      }
      // SQLite may have given the last row before it looked.
      try Task.checkCancellation()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let saving = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await store.save([.make(1, uuid: .number(1))])
    }
    await #expect(throws: CancellationError.self) { try await saving.value }
    #expect(try await store.samples(of: .heartRate).count == 3000)
  }

  @Test("Waiting for another process that writes ends with the task")
  func waiting() async throws {
    let made = try await TestedEngine.sqlite.make()
    let (store, folder) = (made.store, try #require(made.folder))
    let path = folder["station.sqlite"]
    let other = try SQLiteDatabase(path, .write)
    try other.execute("BEGIN IMMEDIATE")
    // In a process of its own, whose threads no other test keeps busy.
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try await SampleStore.sqlite(path, site: "laboratory")
      let start = ContinuousClock.now
      let saving = Task { try await store.save([.make(60)]) }
      // By then it waits, unless this machine is busy.
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { saving.cancel() }
      await #expect(throws: CancellationError.self) { try await saving.value }
      // Nobody who goes on waiting is done before half a minute.
      #expect(start.duration(to: .now) < .seconds(20))
    }
    try other.execute("ROLLBACK")
    #expect(try await store.samples(of: .heartRate) == [])
  }

  @Test("All engines give what a plain filter gives", arguments: 0..<40 as Range<UInt64>)
  func same(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let sources = [Source.strap, .watch, .phone]
    let samples = try (0..<60).map { _ in
      let start = Double(Int.random(in: 0..<50, using: &generator))
      let lasts = Double([0, 0, 1, 20].randomElement(using: &generator) ?? 0)
      return try QuantitySample.make(
        Double(Int.random(in: 50..<60, using: &generator)), from: .second(start), to: .second(start + lasts),
        by: sources.randomElement(using: &generator) ?? .strap, uuid: UUID(using: &generator))
    }
    let stores = [try await TestedEngine.memory.make(), try await TestedEngine.sqlite.make()]
    for made in stores { try await made.store.save(samples) }
    for _ in 0..<20 {
      let start = Bool.random(using: &generator) ? Int.random(in: 0..<60, using: &generator) : nil
      let end = Bool.random(using: &generator) ? (start ?? 0) + Int.random(in: 0..<30, using: &generator) : nil
      let options = Options(rawValue: Int.random(in: 0..<4, using: &generator))
      let (from, to) = (start.map { WallTime.second(Double($0)) }, end.map { WallTime.second(Double($0)) })
      let source = Bool.random(using: &generator) ? sources.randomElement(using: &generator) : nil
      let predicate = SamplePredicate(start: from, end: to, options: options, sources: source.map { [$0] })
      func isInside(_ time: WallTime) -> Bool { from.map { time >= $0 } ?? true && to.map { time < $0 } ?? true }
      let expected = samples.filter { sample in
        let isLoose = from.map { sample.end >= $0 } ?? true && to.map { sample.start < $0 } ?? true
        return (options.isEmpty ? isLoose : true) && (!options.contains(.strictStartDate) || isInside(sample.start))
          && (!options.contains(.strictEndDate) || isInside(sample.end))
          && (source == nil || sample.sourceRevision.source == source)
      }.sorted { ($0.start, $0.end, $0.uuid) < ($1.start, $1.end, $1.uuid) }
      for made in stores {
        let found = try await made.store.samples(of: .heartRate, matching: predicate)
        #expect(found.map(\.uuid) == expected.map(\.uuid))
        let last = expected.max { ($0.end, $0.start, $0.uuid) < ($1.end, $1.start, $1.uuid) }
        #expect(try await made.store.mostRecent(of: .heartRate, matching: predicate)?.uuid == last?.uuid)
      }
    }
  }
}
