import Basics
import TestSupport
import Testing

@testable import Quantities
@testable import SampleStore

@Suite("Saving and deleting samples")
struct SavingTests {
  static let everything: [String: Metadata.Value] = [
    "text": .string("a “quoted” text\nof two lines, 音楽"), "number": .number(0.1), "yes": .bool(true),
    "time": .date(WallTime(at: "2026-02-28T12:00:00.000001Z")),
    Metadata.Key.heartRateMotionContext: .number(1), Metadata.Key.timeZone: .string("Europe/Amsterdam"),
  ]

  @Test("A sample comes back as it was saved", arguments: TestedEngine.allCases)
  func roundTrip(engine: TestedEngine) async throws {
    let made = try await engine.make()
    var metadata = Self.everything
    metadata["energy"] = .quantity(try Quantity(1.5, .kilocalorie))
    let device = Device(
      name: "Polar H10", manufacturer: "Polar", model: "H10", hardwareVersion: "2", firmwareVersion: "3.1.1",
      softwareVersion: "5", localIdentifier: "00:22:D0", udiDeviceIdentifier: "0725")
    let revision = SourceRevision(
      source: .strap, version: "1.2", productType: "Watch6,2", operatingSystemVersion: "10.3.1")
    let sample = try QuantitySample(
      uuid: UUID(), type: .heartRate, quantity: Quantity(71, .countPerMinute),
      start: WallTime(microseconds: 1_795_262_400_000_001), end: .second(2), sourceRevision: revision, device: device,
      metadata: Metadata(metadata))
    let report = try await made.store.save([sample])
    #expect(report == SaveReport(added: 1))
    #expect(try await made.store.samples(of: .heartRate) == [sample])
    #expect(try await made.store.samples(of: .stepCount) == [])
    #expect(try await made.store.types() == [.heartRate])
    #expect(try await made.store.sources(of: .quantity(.heartRate)) == [.strap])
  }

  @Test("A series of heartbeats comes back as it was saved", arguments: TestedEngine.allCases)
  func series(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let beats = [800, 1600, 3900].map {
      HeartbeatSeries.Beat(timeSinceStart: .milliseconds($0), isPrecededByGap: $0 > 3000)
    }
    let series = try HeartbeatSeries(
      uuid: UUID(), start: .noon, beats: beats, sourceRevision: SourceRevision(source: .strap),
      device: Device(name: "Polar H10"), metadata: Metadata(["trial": .string("1")]))
    try await made.store.save([], series: [series])
    #expect(try await made.store.heartbeatSeries() == [series])
    let late = SamplePredicate(start: .second(3.9))
    #expect(try await made.store.heartbeatSeries(matching: late) == [series])
    #expect(try await made.store.heartbeatSeries(matching: SamplePredicate(start: .second(4))) == [])
    #expect(try await made.store.heartbeatSeriesChanges().added == [series])
  }

  @Test("Whatever metadata and beats a sample can have come back", arguments: TestedEngine.allCases)
  func extremes(engine: TestedEngine) async throws {
    let made = try await engine.make()
    // Some 250 bytes as they are written, and more as they are printed.
    let unit = try Unit((1...35).map { "mol<\($0)>" }.joined(separator: "."))
    let sample = try QuantitySample.make(
      60,
      metadata: [
        "from": .date(.earliest), "to": .date(.latest), "amount": .quantity(try Quantity(1, unit)),
      ])
    let beats = [1, 1_000_000_001, 1_999_999_999].map {
      HeartbeatSeries.Beat(timeSinceStart: Duration(secondsComponent: 0, attosecondsComponent: 1_500_000_000 * $0))
    }
    let series = try HeartbeatSeries(
      uuid: UUID(), start: .noon, beats: beats, sourceRevision: SourceRevision(source: .strap))
    try await made.store.save([sample], series: [series])
    #expect(try await made.store.samples(of: .heartRate) == [sample])
    #expect(try await made.store.heartbeatSeries() == [series])
  }

  @Test("A series longer than four days, or of more beats than they have, is refused", arguments: TestedEngine.allCases)
  func longSeries(engine: TestedEngine) async throws {
    let made = try await engine.make()
    func save(_ beats: some Sequence<Duration>) async throws {
      let series = try HeartbeatSeries(
        uuid: UUID(), start: .noon, beats: beats.map { HeartbeatSeries.Beat(timeSinceStart: $0) },
        sourceRevision: SourceRevision(source: .strap))
      try await made.store.save([], series: [series])
    }
    let long = await refusal { try await save([.seconds(1), .seconds(345_601)]) }
    #expect(long?.contains("exceed the maximum allowed duration for this sample type") == true, "\(long ?? "")")
    let many = await refusal { try await save((1...1_728_001).lazy.map { .milliseconds($0) }) }
    #expect(many == "a heartbeat series of 1728001 beats is too long; save it as several of 1728000")
    try await save([.seconds(345_600)])
    #expect(try await made.store.heartbeatSeries().count == 1)
  }

  @Test("Every read of a type that the store defines otherwise is refused", arguments: TestedEngine.allCases)
  func otherDefinition(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let kept = try QuantityType(userDefined: "load", aggregationStyle: .discreteArithmetic, unit: Unit("kg"))
    let other = try QuantityType(userDefined: "load", aggregationStyle: .discreteArithmetic, unit: Unit("g"))
    let store = made.store
    // Nobody has defined it yet.
    #expect(try await store.samples(of: other) == [])
    try await store.save([.make(kept, 2)])
    let reads: [@Sendable () async throws -> Void] = [
      { _ = try await store.samples(of: other) }, { _ = try await store.mostRecent(of: other) },
      { _ = try await store.statistics(of: other, options: .discreteMax) },
      {
        _ = try await store.statisticsCollection(
          of: other, options: .discreteMax, anchor: .noon, every: .day, in: .utc)
      }, { _ = try await store.changes(of: other) }, { try await store.forEachSample(of: other) { _ in true } },
      { _ = try await store.delete(.quantity(other), matching: .all) },
    ]
    for read in reads {
      let text = await refusal(read)
      #expect(
        text == "load is kept in kg as discreteArithmetic in this store; define it so, or under another name")
    }
    #expect(try await store.samples(of: kept).map(\.value) == [2])
  }

  @Test("A name of ours that a store defines otherwise is never read by our definition")
  func outlivedDefinition() async throws {
    let made = try await TestedEngine.sqlite.make()
    try await made.store.save([.make(60)])
    let path = try #require(made.folder)["station.sqlite"]
    try await made.store.close()
    try SQLiteDatabase(path, .write).execute(
      "UPDATE names SET name = replace(name, '\"unit\":\"count/s\"', '\"unit\":\"kg\"') WHERE kind = 1")
    let store = try await SampleStore.sqlite(path, site: "laboratory")
    let text = await refusal { _ = try await store.samples(of: .heartRate) }
    #expect(text?.hasPrefix("the store keeps heartRate in kg as discreteTemporallyWeighted") == true, "\(text ?? "")")
  }

  @Test("A user-defined type is known again, and keeps its unit", arguments: TestedEngine.allCases)
  func userDefined(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let type = try QuantityType(
      userDefined: "skinConductance", aggregationStyle: .discreteArithmetic, unit: Unit("mcS"))
    try await made.store.save([.make(type, 4.5)])
    #expect(try await made.store.types() == [type])
    let other = try QuantityType(userDefined: "skinConductance", aggregationStyle: .discreteArithmetic, unit: Unit("g"))
    let text = await refusal { try await made.store.save([.make(other, 4.5)]) }
    #expect(
      text == "skinConductance is kept in mcS as discreteArithmetic in this store; define it so, or under another name")
  }

  @Test("Of several samples all are saved or none", arguments: TestedEngine.allCases, [10, 5000])
  func allOrNone(engine: TestedEngine, count: Int) async throws {
    let made = try await engine.make()
    try await made.store.save([.make(60, uuid: .number(1))])
    let others = try (0..<count).map { try QuantitySample.make(70, from: .second(Double($0)), by: .watch) }
    let text = await refusal { try await made.store.save(others + [.make(61, uuid: .number(1))]) }
    #expect(
      text == "the store holds another sample with the UUID 00000000-0000-0000-0000-000000000001; give this one its own"
    )
    #expect(try await made.store.samples(of: .heartRate).map(\.told) == [60])
    #expect(try await made.store.sources(of: .quantity(.heartRate)) == [.strap])
    // Nor is anything left that would stand in the way of the same samples.
    let report = try await made.store.save(others)
    #expect(report.added == count)
  }

  @Test("Where it is asked to keep what it holds, the store takes the rest", arguments: TestedEngine.allCases)
  func keep(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let kept = try QuantitySample.make(60, uuid: .number(1))
    try await made.store.save([kept])
    let others = [try QuantitySample.make(61, uuid: .number(1)), kept, try .make(62, uuid: .number(2))]
    let report = try await made.store.save(others, whenPresent: .keep)
    #expect(report == SaveReport(added: 1, unchanged: 1, different: 1))
    #expect(Set(try await made.store.samples(of: .heartRate)) == [kept, others[2]])
    // A later version of another sample cannot take the UUID of this one.
    func version(_ number: Double, _ uuid: UInt64) throws -> QuantitySample {
      let sync: [String: Metadata.Value] = [
        Metadata.Key.syncIdentifier: .string("a"), Metadata.Key.syncVersion: .number(number),
      ]
      return try QuantitySample.make(70, uuid: .number(uuid), metadata: sync)
    }
    try await made.store.save([version(1, 3)])
    #expect(try await made.store.save([version(2, 1)], whenPresent: .keep) == SaveReport(different: 1))
    #expect(Set(try await made.store.samples(of: .heartRate)) == [kept, others[2], try version(1, 3)])
  }

  @Test("Participants with the same sync identifiers do not replace each other's", arguments: TestedEngine.allCases)
  func participants(engine: TestedEngine) async throws {
    let made = try await engine.make()
    func sample(_ participant: String, _ version: Double, _ uuid: UInt64) throws -> QuantitySample {
      let metadata: [String: Metadata.Value] = [
        Metadata.Key.syncIdentifier: .string("2026-01-02"), Metadata.Key.syncVersion: .number(version),
        Metadata.Key.participant: .string(participant),
      ]
      return try QuantitySample.make(60, uuid: .number(uuid), metadata: metadata)
    }
    try await made.store.save([sample("p01", 1, 1)])
    #expect(try await made.store.save([sample("p02", 2, 2)]) == SaveReport(added: 1))
    #expect(try await made.store.save([sample("p01", 2, 3)]) == SaveReport(added: 1, replaced: 1))
    #expect(Set(try await made.store.samples(of: .heartRate)) == [try sample("p02", 2, 2), try sample("p01", 2, 3)])
  }

  @Test("Saving a sample again does nothing", arguments: TestedEngine.allCases)
  func again(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let sample = try QuantitySample.make(60, metadata: Self.everything)
    try await made.store.save([sample])
    #expect(try await made.store.save([sample, sample]) == SaveReport(unchanged: 2))
    let first = try await made.store.changes(of: .heartRate)
    #expect(first.added == [sample])
  }

  @Test("What was saved under a receipt is not looked at again", arguments: TestedEngine.allCases)
  func receipt(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let sample = try QuantitySample.make(60)
    #expect(try await made.store.save([sample], receipt: "bundle 1") == SaveReport(added: 1))
    #expect(try await made.store.save([.make(61)], receipt: "bundle 1") == SaveReport(wasTaken: true))
    #expect(try await made.store.hasReceipt("bundle 1"))
    #expect(try await !made.store.hasReceipt("bundle 2"))
    #expect(try await made.store.samples(of: .heartRate) == [sample])
    // A save that failed has no receipt.
    let long = try QuantitySample.make(60, to: .noon.advanced(by: .seconds(345_601)))
    #expect(await refusal { try await made.store.save([long], receipt: "bundle 2") } != nil)
    #expect(try await !made.store.hasReceipt("bundle 2"))
  }

  @Test(
    "A greater sync version replaces; the same or a smaller one is ignored", arguments: TestedEngine.allCases,
    [(versions: [1.0, 2], kept: 2.0, deleted: 1), ([2, 1], 2, 0), ([1, 1], 1, 0), ([1, 3, 2, 4], 4, 2)])
  func sync(engine: TestedEngine, row: (versions: [Double], kept: Double, deleted: Int)) async throws {
    for together in [true, false] {
      let made = try await engine.make()
      let samples = try row.versions.enumerated().map { number, version in
        try QuantitySample.make(
          60 + version, uuid: .number(UInt64(number + 1)),
          metadata: [Metadata.Key.syncIdentifier: .string("morning"), Metadata.Key.syncVersion: .number(version)])
      }
      let before = try await made.store.changes(of: .heartRate)
      if together {
        try await made.store.save(samples)
      } else {
        for sample in samples { try await made.store.save([sample]) }
      }
      #expect(try await made.store.samples(of: .heartRate).map(\.told) == [60 + row.kept])
      let after = try await made.store.changes(of: .heartRate, since: before.anchor)
      #expect(after.added.map(\.told) == [60 + row.kept])
      #expect(after.deleted.count == row.deleted)
      // Another source, or another type, has identifiers of its own.
      let others = [
        try QuantitySample.make(50, by: .watch, metadata: samples[0].metadata.values),
        try QuantitySample.make(.restingHeartRate, 40, metadata: samples[0].metadata.values),
      ]
      #expect(try await made.store.save(others).added == 2)
    }
  }

  @Test("A deleted sample may come back, and its sync identifier is free", arguments: TestedEngine.allCases)
  func resurrection(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let sample = try QuantitySample.make(
      60, metadata: [Metadata.Key.syncIdentifier: .string("morning"), Metadata.Key.syncVersion: .number(3)])
    try await made.store.save([sample])
    try await made.store.delete([sample.uuid])
    let anchor = try await made.store.changes(of: .heartRate)
    #expect(anchor.added == [] && anchor.deleted == [sample.uuid])
    #expect(try await made.store.save([sample]).added == 1)
    let back = try await made.store.changes(of: .heartRate, since: anchor.anchor)
    #expect(back.added == [sample] && back.deleted == [])
    #expect(try await made.store.changes(of: .heartRate).deleted == [])
  }

  @Test("Samples that are deleted with their receipt can be saved under it again", arguments: TestedEngine.allCases)
  func forgotten(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let samples = try (0..<3).map { try QuantitySample.make(60, from: .second(Double($0))) }
    try await made.store.save(samples, receipt: "bundle:1")
    try await made.store.save([], receipt: "bundle:2")
    #expect(try await made.store.receipts() == ["bundle:1", "bundle:2"])
    // All or none.
    let text = await refusal { try await made.store.delete([UUID()], forgetting: ["bundle:1"]) }
    #expect(text == "Failed to find some objects for deletion.")
    #expect(try await made.store.hasReceipt("bundle:1"))
    try await made.store.delete(Set(samples.map(\.uuid)), forgetting: ["bundle:1"])
    #expect(try await made.store.receipts() == ["bundle:2"])
    #expect(try await made.store.save(samples, receipt: "bundle:1").added == 3)
    #expect(try await made.store.changes(of: .heartRate).deleted == [])
  }

  @Test("A closed store refuses whatever it is asked", arguments: TestedEngine.allCases)
  func closed(engine: TestedEngine) async throws {
    let store = try await engine.make().store
    try await store.close()
    try await store.close()
    let calls: [@Sendable () async throws -> Void] = [
      { try await store.save([.make(60)]) }, { _ = try await store.samples(of: .heartRate) },
      { _ = try await store.updates(of: [.heartbeatSeries]) },
    ]
    for call in calls { #expect(await refusal(call) == "the store has been closed; open it again") }
  }

  @Test("Of several deletions all are done or none", arguments: TestedEngine.allCases)
  func deletion(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let samples = try (0..<4).map { try QuantitySample.make(Double(60 + $0), from: .second(Double($0))) }
    try await made.store.save(samples)
    let text = await refusal { try await made.store.delete([samples[0].uuid, UUID()]) }
    #expect(text == "Failed to find some objects for deletion.")
    #expect(try await made.store.samples(of: .heartRate) == samples)
    try await made.store.delete([samples[0].uuid, samples[2].uuid])
    let early = SamplePredicate(end: .second(2), options: .strictStartDate)
    #expect(try await made.store.delete(.quantity(.heartRate), matching: early) == 1)
    #expect(try await made.store.samples(of: .heartRate) == [samples[3]])
  }

  @Test("Sites that share a file do not see each other")
  func sites() async throws {
    let made = try await TestedEngine.sqlite.make()
    let folder = try #require(made.folder)
    let other = try await SampleStore.sqlite(folder["station.sqlite"], site: "clinic")
    let sample = try QuantitySample.make(60)
    try await made.store.save([sample], receipt: "bundle")
    #expect(try await other.samples(of: .heartRate) == [])
    #expect(try await !other.hasReceipt("bundle"))
    #expect(try await other.save([sample], receipt: "bundle").added == 1)
    try await other.delete([sample.uuid])
    #expect(try await made.store.samples(of: .heartRate) == [sample])
  }
}

extension SaveReport {
  init(added: Int = 0, replaced: Int = 0, unchanged: Int = 0, wasTaken: Bool = false) {
    self.init()
    self.added = added
    self.replaced = replaced
    self.unchanged = unchanged
    self.wasTaken = wasTaken
  }
}
