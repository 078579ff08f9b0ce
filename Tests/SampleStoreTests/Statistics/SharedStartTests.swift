import Basics
import Quantities
import Testing

@testable import SampleStore

@Suite("Samples that begin together, and long ones")
struct SharedStartTests {
  private static let vectors: [(values: [Double], lasting: [Double], mean: Double)] = [
    ([60, 80], [0, 0], 70), ([60, 60, 90], [0, 0, 0], 70), ([60, 80], [10, 10], 70),
    // 60 for 4 s and half of its hold of 10 s, 80 for 16 s and half of its hold: (60 × 9 + 80 × 21) / 30.
    ([60, 80], [4, 16], 74),
  ]

  @Test("They share the time that comes after them, whichever identifiers they have", arguments: TestedEngine.allCases)
  func shared(engine: TestedEngine) async throws {
    for (values, lasting, mean) in Self.vectors {
      for order in [Array(values.indices), values.indices.reversed()] {
        let made = try await engine.make()
        try await made.store.save(
          values.indices.map {
            try .make(values[$0], to: .second(lasting[$0]), uuid: .number(UInt64(order[$0])))
          })
        let options: StatisticsOptions = [.discreteAverage, .separateBySource]
        let statistics = try await made.store.statistics(of: .heartRate, options: options)
        #expect(statistics.overall.average?.told(.countPerMinute) == mean)
        #expect(statistics.bySource?[.strap]?.average?.told(.countPerMinute) == mean)
      }
    }
  }

  @Test("Intervals come one after the other as a collection has them, and no more than are wanted")
  func streamed() async throws {
    let made = try await TestedEngine.sqlite.make()
    try await made.store.save(
      [.make(.stepCount, 345_600, from: .second(0.25), to: .second(345_600), by: .watch)]
        + (0..<50).map { try .make(.stepCount, 7, from: .second(Double($0) * 700), to: .second(Double($0) * 700 + 90)) }
    )
    let options: StatisticsOptions = [.cumulativeSum, .separateBySource, .duration]
    let hour = IntervalComponents.hour
    let collection = try await made.store.statisticsCollection(
      of: .stepCount, options: options, anchor: .noon, every: hour, in: .utc)
    let streamed = Gathered<Statistics>()
    try await made.store.forEachInterval(of: .stepCount, options: options, anchor: .noon, every: hour, in: .utc) {
      streamed.add($0)
      return true
    }
    #expect(streamed.values == collection.statistics && streamed.values.count == 96)
    let few = Gathered<Statistics>()
    try await made.store.forEachInterval(of: .stepCount, options: options, anchor: .noon, every: hour, in: .utc) {
      few.add($0)
      return few.values.count < 5
    }
    #expect(few.values == Array(collection.statistics.prefix(5)))
  }

  @Test("A sample of four days has a part in each of its seconds")
  func seconds() async throws {
    let made = try await TestedEngine.memory.make()
    try await made.store.save([.make(.stepCount, 345_600, to: .second(345_600))])
    let (count, sum) = (Counter(), Gathered<Double>())
    try await made.store.forEachInterval(
      of: .stepCount, options: .cumulativeSum, anchor: .noon, every: .seconds(1), in: .utc
    ) { statistics in
      if count.add() % 10_000 == 0 { sum.add(statistics.overall.sum?.value ?? 0) }
      return true
    }
    #expect(count.value == 345_600)
    #expect(sum.values.allSatisfy { abs($0 - 1) < 1e-9 } && sum.values.count >= 34)
  }
}
