import Basics
import Quantities
import Testing

@testable import SampleStore

@Suite("Intervals without samples, and intervals of groups")
struct StreamedIntervalsTests {
  private static let options: StatisticsOptions = [.cumulativeSum, .mostRecent, .duration, .separateBySource]

  private static let ranges: [(start: Double?, end: Double?)] = [
    (nil, nil), (9000, nil), (nil, 9000), (7000, 15_000), (-5000, -1000), (60_000, 70_000), (-2000, 60_000),
    (60_000, nil), (nil, -1000),
  ]

  @Test("With gaps filled, they are those that a collection gives", arguments: TestedEngine.allCases)
  func filled(engine: TestedEngine) async throws {
    var generator = SeededGenerator(seed: 10)
    let made = try await engine.make()
    try await made.store.save(
      try (0..<20).map { number in
        let start = Double(Int.random(in: 0..<20_000, using: &generator))
        let lasts = Double([0, 1, 500, 4000].randomElement(using: &generator) ?? 0)
        return try .make(
          .stepCount, 70, from: .second(start), to: .second(start + lasts), by: number % 3 == 0 ? .watch : .strap)
      })
    let length = try IntervalComponents("7 minutes")
    for (start, end) in Self.ranges {
      for how in [[], .strictStartDate, .strictEndDate] as [SamplePredicate.Options] {
        let range = SamplePredicate(
          start: start.map { .second($0) }, end: end.map { .second($0) }, options: how)
        let collection = try await made.store.statisticsCollection(
          of: .stepCount, matching: range, options: Self.options, anchor: .second(77), every: length, in: .utc)
        let (first, last) = (collection.statistics.first?.start, collection.statistics.last?.end)
        let microsecond = Duration.microseconds(-1)
        var expected: [Statistics] = []
        if let first = range.start ?? first, let last = (range.end ?? last)?.advanced(by: microsecond) {
          expected = try collection.statistics(from: first, to: last)
        }
        let found = Gathered<Statistics>()
        try await made.store.forEachInterval(
          of: .stepCount, matching: range, options: Self.options, anchor: .second(77), every: length, in: .utc,
          isFilled: true
        ) {
          found.add($0)
          return true
        }
        #expect(found.values == expected, "\(range)")
      }
    }
  }

  @Test("A range that begins within the only interval with samples has that interval")
  func within() async throws {
    let made = try await TestedEngine.memory.make()
    try await made.store.save([.make(.stepCount, 9, from: .second(3000))])
    let found = Gathered<Int>()
    try await made.store.forEachInterval(
      of: .stepCount, matching: SamplePredicate(start: .second(1800)), options: .cumulativeSum, anchor: .noon,
      every: .hour, in: .utc, isFilled: true
    ) {
      found.add($0.overall.count)
      return true
    }
    #expect(found.values == [1])
  }

  @Test("A day that a zone skipped is not a gap, and no more gaps are given than are wanted")
  func skipped() async throws {
    let made = try await TestedEngine.memory.make()
    let apia = try TimeZone("Pacific/Apia")
    let days = [WallTime(at: "2011-12-29T12:00:00-10:00"), WallTime(at: "2012-01-02T12:00:00+14:00")]
    try await made.store.save(days.map { try .make(.stepCount, 9, from: $0) })
    for wanted in [4, 2] {
      let found = Gathered<String>()
      try await made.store.forEachInterval(
        of: .stepCount, options: .cumulativeSum, anchor: apia.startOfDay(containing: days[0]), every: .day, in: apia,
        isFilled: true
      ) {
        found.add("\(apia.text($0.start).prefix(10)) \($0.overall.count)")
        return found.values.count < wanted
      }
      #expect(
        found.values == Array(["2011-12-29 1", "2011-12-31 0", "2012-01-01 0", "2012-01-02 1"].prefix(wanted)))
    }
  }

  // MARK: Groups

  private func gather(
    _ store: SampleStore, _ type: QuantityType, _ options: StatisticsOptions, every interval: IntervalComponents? = nil
  ) async throws -> [(value: Metadata.Value?, statistics: Statistics)] {
    let found = Gathered<(value: Metadata.Value?, statistics: Statistics)>()
    try await store.forEachGroup(
      of: type, options: options, by: Metadata.Key.participant, every: interval, anchor: .noon, in: .utc
    ) {
      found.add(($0, $1))
      return true
    }
    return found.values
  }

  @Test("Each value of a metadata key has statistics of its own, those without it at the end")
  func grouped() async throws {
    let made = try await TestedEngine.sqlite.make()
    func rate(_ value: Double, _ second: Double, _ participant: String?) throws -> QuantitySample {
      try .make(
        value, from: .second(second),
        metadata: participant.map { [Metadata.Key.participant: .string($0)] } ?? [:])
    }
    try await made.store.save([
      rate(60, 0, "p10"), rate(100, 1, "p9"), rate(70, 2, "p10"), rate(50, 7300, "p10"), rate(40, 3, nil),
    ])
    let all = try await gather(made.store, .heartRate, [.discreteMax, .discreteMin])
    #expect(all.map(\.value) == [.string("p10"), .string("p9"), nil])
    #expect(all.map { $0.statistics.overall.maximum?.told(.countPerMinute) } == [70, 100, 40])
    #expect(all.map(\.statistics.overall.count) == [3, 1, 1])
    #expect(all.map(\.statistics.end) == [.second(7300), .second(1), .second(3)])
    let hours = try await gather(made.store, .heartRate, .discreteMax, every: .hour)
    #expect(hours.map(\.value) == [.string("p10"), .string("p10"), .string("p9"), nil])
    #expect(hours.map(\.statistics.overall.count) == [2, 1, 1, 1])
  }

  @Test(
    "Groups of more intervals than are kept have each what its samples alone give", arguments: TestedEngine.allCases)
  func many(engine: TestedEngine) async throws {
    let made = try await engine.make()
    // Minutes: 5761 of each of three, 201 of each of ten, 9600 without a participant.
    let lengths = (0..<3).map { ("long\($0)", 345_600) } + (0..<10).map { ("short\($0)", 12_000) }
    let samples: [QuantitySample] = try lengths.map { name, seconds in
      try .make(
        .stepCount, 777, from: .second(7), to: .second(7 + Double(seconds)),
        metadata: [Metadata.Key.participant: .string(name)])
    }
    let others: [QuantitySample] = [
      try .make(.stepCount, 50, from: .second(-288_000), to: .noon),
      try .make(.stepCount, 50, to: .second(288_000), by: .watch),
    ]
    try await made.store.save(samples + others)
    let minutes = try IntervalComponents("1 minute")
    let found = try await gather(made.store, .stepCount, Self.options, every: minutes)
    #expect(found.count == 28_893)
    var rest = found[...]
    for (name, _) in lengths {
      let own = Gathered<Statistics>()
      try await made.store.forEachInterval(
        of: .stepCount,
        matching: SamplePredicate(metadata: [.allowed(Metadata.Key.participant, [.string(name)])]),
        options: Self.options, anchor: .noon, every: minutes, in: .utc
      ) {
        own.add($0)
        return true
      }
      let group = rest.prefix(own.values.count)
      #expect(group.allSatisfy { $0.value == .string(name) } && group.map(\.statistics) == own.values)
      rest = rest.dropFirst(group.count)
    }
    #expect(rest.count == 9600 && rest.allSatisfy { $0.value == nil && $0.statistics.overall.count == 1 })
    #expect(zip(rest, rest.dropFirst()).allSatisfy { $0.statistics.end == $1.statistics.start })
  }
}
