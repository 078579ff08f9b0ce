import Basics
import Testing

@testable import Quantities
@testable import SampleStore

@Suite("Statistics of a store")
struct StatisticsTests {
  @Test(
    "An option that a type does not have is refused with HealthKit's text",
    arguments: [
      (.heartRate, .cumulativeSum, "CumulativeSum", "discrete", "HeartRate"),
      (.heartRate, [.cumulativeSum, .discreteMax, .mostRecent], "CumulativeSum", "discrete", "HeartRate"),
      (.stepCount, [.discreteMax, .discreteMin], "DiscreteMin", "cumulative", "StepCount"),
      (.stepCount, [.discreteMax, .discreteAverage], "DiscreteAverage", "cumulative", "StepCount"),
      (.stepCount, .discreteMax, "DiscreteMax", "cumulative", "StepCount"),
    ] as [(QuantityType, StatisticsOptions, String, String, String)])
  func incompatible(row: (QuantityType, StatisticsOptions, String, String, String)) async throws {
    let (type, options, option, family, name) = row
    let made = try await TestedEngine.memory.make()
    let text = await refusal { _ = try await made.store.statistics(of: type, options: options) }
    #expect(
      text == "Statistics option HKStatisticsOption\(option) is not compatible with \(family) data type "
        + "HKQuantityTypeIdentifier\(name)")
    #expect(StatisticsOptions.separateBySource.union(.duration).rawValue == 65)
  }

  @Test("No samples are HealthKit's error 11; a collection is empty", arguments: TestedEngine.allCases)
  func empty(engine: TestedEngine) async throws {
    let made = try await engine.make()
    await #expect(throws: StoreError(.noData, "No data available for the specified predicate.")) {
      () async throws in try await made.store.statistics(of: .heartRate, options: .mostRecent)
    }
    let collection = try await made.store.statisticsCollection(
      of: .heartRate, options: [.discreteAverage, .separateBySource], anchor: .noon, every: .hour, in: .utc)
    #expect(collection.statistics == [] && collection.sources == [])
    let hours = try collection.statistics(from: .noon, to: .second(7199))
    #expect(hours.map(\.start) == [.noon, .second(3600)])
    #expect(hours.allSatisfy { $0.overall == Statistics.Values() && $0.bySource == [:] })
  }

  @Test("Times that have no calendar and intervals without number are refused", arguments: TestedEngine.allCases)
  func beyond(engine: TestedEngine) async throws {
    let made = try await engine.make()
    try await made.store.save([.make(60)])
    func collection(_ anchor: WallTime) async throws -> StatisticsCollection {
      try await made.store.statisticsCollection(
        of: .heartRate, options: .discreteMax, anchor: anchor, every: .seconds(1), in: .utc)
    }
    for time in [WallTime(microseconds: .min), WallTime(microseconds: .max)] {
      let text = await refusal { _ = try await collection(time) }
      #expect(text?.hasSuffix("outside of the years 1 to 9999") == true, "\(text ?? "")")
    }
    for anchor in [WallTime.earliest, .noon, .latest] {
      let seconds = try await collection(anchor)
      #expect(throws: StoreError.self) { try seconds.statistics(for: WallTime(microseconds: .max)) }
      #expect(throws: StoreError.self) { try seconds.statistics(from: WallTime(microseconds: .min), to: .noon) }
      #expect(try seconds.statistics(for: .latest).overall.count == 0)
      let text = await refusal { _ = try seconds.statistics(from: .earliest, to: .latest) }
      #expect(text == "there are more than 1000000 intervals; choose longer ones or a shorter range")
      #expect(try seconds.statistics(from: .noon, to: .second(9)).map(\.overall.count).reduce(0, +) == 1)
    }
  }

  @Test("What was not asked is not told", arguments: TestedEngine.allCases)
  func asked(engine: TestedEngine) async throws {
    let made = try await engine.make()
    try await made.store.save([.make(60), .make(80, from: .second(1), to: .second(3), by: .watch)])
    let all: [StatisticsOptions] = [.discreteAverage, .discreteMin, .discreteMax, .mostRecent, .duration]
    for bits in 0..<32 {
      let asked = all.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
      let options = asked.reduce(into: StatisticsOptions()) { $0.formUnion($1) }
      let statistics = try await made.store.statistics(of: .heartRate, options: options)
      #expect(statistics.bySource == nil && statistics.sources == nil)
      let values = statistics.overall
      let told = [values.average, values.minimum, values.maximum, values.mostRecent].map { $0 != nil }
      #expect(told + [values.duration != nil] == all.map(options.contains))
      #expect((values.mostRecentInterval != nil) == options.contains(.mostRecent))
      #expect(values.sum == nil && values.count == 2)
      #expect(statistics.start == .noon && statistics.end == .second(3))
    }
  }

  @Test("Each source's values stand beside those of all", arguments: TestedEngine.allCases)
  func bySource(engine: TestedEngine) async throws {
    let made = try await engine.make()
    try await made.store.save([
      .make(60, from: .second(0)), .make(70, from: .second(2)),
      .make(100, from: .second(60), to: .second(64), by: .watch),
    ])
    let options: StatisticsOptions = [
      .separateBySource, .discreteAverage, .discreteMin, .discreteMax, .mostRecent, .duration,
    ]
    let statistics = try await made.store.statistics(of: .heartRate, options: options)
    #expect(statistics.sources == [.strap, .watch])
    let strap = try #require(statistics.bySource?[.strap])
    // 60 for 2 s until the next, 70 for the 10 s that a value is held at most: (120 + 700) / 12.
    #expect(strap.average?.told(.countPerMinute) == 68.333333)
    #expect(strap.minimum?.told(.countPerMinute) == 60 && strap.maximum?.told(.countPerMinute) == 70)
    #expect(strap.mostRecent?.told(.countPerMinute) == 70 && strap.duration == .zero)
    let watch = try #require(statistics.bySource?[.watch])
    #expect(watch.mostRecentInterval == .second(60)..<(.second(64)) && watch.duration == .seconds(4))
    // 100 for its own 4 s and 10 s more: (120 + 700 + 1400) / 26.
    #expect(statistics.overall.average?.told(.countPerMinute) == 85.384615)
    #expect(statistics.overall.maximum?.told(.countPerMinute) == 100)
    #expect(statistics.averageMethod?.hasPrefix("time-weighted") == true)
  }

  @Test("Steps that a watch and a phone count at once are not counted twice", arguments: TestedEngine.allCases)
  func merged(engine: TestedEngine) async throws {
    let made = try await engine.make()
    // The watch has the first minute, the phone the first two with 60 steps a minute.
    try await made.store.save([
      .make(.stepCount, 100, from: .second(0), to: .second(60), by: .watch),
      .make(.stepCount, 120, from: .second(0), to: .second(120), by: .phone),
    ])
    func sums() async throws -> [Double?] {
      let options: StatisticsOptions = [.cumulativeSum, .separateBySource, .duration]
      let statistics = try await made.store.statistics(of: .stepCount, options: options)
      #expect(statistics.overall.duration == .seconds(120))
      let values = [statistics.overall, statistics.bySource?[.watch], statistics.bySource?[.phone]]
      return values.map { $0?.sum?.told(.count) }
    }
    // Without an order the phone comes first, by its name.
    #expect(try await sums() == [120, 100, 120])
    try await made.store.setSourcePriority([Source.watch.bundleIdentifier])
    #expect(try await made.store.sourcePriority() == [Source.watch.bundleIdentifier])
    #expect(try await sums() == [160, 100, 120])
    try await made.store.setSourcePriority([Source.phone.bundleIdentifier, Source.watch.bundleIdentifier])
    #expect(try await sums() == [120, 100, 120])
  }

  @Test("A sum is split where a sample crosses an edge", arguments: TestedEngine.allCases)
  func split(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let (from, to) = (WallTime(at: "2026-11-21T13:57:00Z"), WallTime(at: "2026-11-21T14:02:00Z"))
    try await made.store.save([.make(.stepCount, 100, from: from, to: to)])
    func hours(_ options: SamplePredicate.Options) async throws -> [String: Double?] {
      let range = SamplePredicate(
        start: WallTime(at: "2026-11-21T14:00:00Z"), end: WallTime(at: "2026-11-21T15:00:00Z"), options: options)
      let collection = try await made.store.statisticsCollection(
        of: .stepCount, matching: range, options: .cumulativeSum, anchor: WallTime(at: "2026-01-01T00:00:00Z"),
        every: .hour, in: .utc)
      return Dictionary(
        uniqueKeysWithValues: collection.statistics.map { ("\($0.start)", $0.overall.sum?.told(.count)) })
    }
    #expect(try await hours([]) == ["2026-11-21T13:00:00.000Z": 60, "2026-11-21T14:00:00.000Z": 40])
    #expect(try await hours(.strictStartDate) == [:])
  }

  @Test("A day has 23, 24 or 25 hours", arguments: TestedEngine.allCases)
  func days(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let amsterdam = try TimeZone("Europe/Amsterdam")
    let midnight = WallTime(at: "2018-10-27T00:00:00+02:00")
    try await made.store.save(
      try (0..<96).map { hour in
        let start = midnight.advanced(by: .seconds(hour * 3600))
        return try .make(.stepCount, 1, from: start, to: start.advanced(by: .seconds(1800)))
      })
    let collection = try await made.store.statisticsCollection(
      of: .stepCount, options: .cumulativeSum, anchor: midnight, every: .day, in: amsterdam)
    #expect(collection.statistics.map { $0.overall.sum?.told(.count) } == [24, 25, 24, 23])
    #expect("\(collection.statistics[2].start)" == "2018-10-28T23:00:00.000Z")
    let spring = try collection.statistics(for: WallTime(at: "2019-03-31T12:00:00Z"))
    #expect(spring.start.duration(to: spring.end) == .seconds(23 * 3600))
    #expect(spring.overall.sum == nil && spring.overall.count == 0)
    #expect(try collection.statistics(for: midnight) == collection.statistics[0])
  }

  @Test("Statistics of a predicate are those of its samples", arguments: TestedEngine.allCases)
  func predicates(engine: TestedEngine) async throws {
    let made = try await engine.make()
    try await made.store.save([
      .make(60, uuid: .number(1), metadata: ["trial": .number(1)]), .make(70, from: .second(1), uuid: .number(2)),
    ])
    func maximum(_ predicate: SamplePredicate) async throws -> Double? {
      let statistics = try await made.store.statistics(of: .heartRate, matching: predicate, options: .discreteMax)
      return statistics.overall.maximum?.told(.countPerMinute)
    }
    #expect(try await maximum(.all) == 70)
    #expect(try await maximum(SamplePredicate(metadata: [.exists("trial")])) == 60)
    #expect(try await maximum(SamplePredicate(uuids: [.number(1)])) == 60)
    #expect(try await maximum(SamplePredicate(end: .second(1))) == 60)
  }

  @Test("All engines compute the same", arguments: 0..<25 as Range<UInt64>)
  func same(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let type: QuantityType = Bool.random(using: &generator) ? .stepCount : .heartRate
    let samples = try (0..<200).map { _ in
      let start = Double(Int.random(in: 0..<20_000, using: &generator))
      let lasts = Double([0, 1, 500, 4000].randomElement(using: &generator) ?? 0)
      return try QuantitySample.make(
        type, Double(Int.random(in: 1..<100, using: &generator)), from: .second(start), to: .second(start + lasts),
        by: [Source.strap, .watch, .phone].randomElement(using: &generator) ?? .strap, uuid: UUID(using: &generator))
    }
    let options: StatisticsOptions =
      type.aggregationStyle.isCumulative
      ? [.cumulativeSum, .mostRecent, .duration, .separateBySource]
      : [.discreteAverage, .discreteMin, .discreteMax, .mostRecent, .duration, .separateBySource]
    var answers: [[Statistics]] = []
    for engine in TestedEngine.allCases {
      let made = try await engine.make()
      for part in stride(from: 0, to: 200, by: 50) { try await made.store.save(Array(samples[part..<(part + 50)])) }
      let collection = try await made.store.statisticsCollection(
        of: type, options: options, anchor: .second(77), every: IntervalComponents("7 minutes"), in: .utc)
      answers.append(collection.statistics + [try await made.store.statistics(of: type, options: options)])
    }
    #expect(answers[0].count > 10 && answers[0] == answers[1])
  }
}
