import Randomness
import Testing

@testable import Analysis

@Suite("Summaries over participants")
struct SummariesTests {
  private typealias Observation = WithinParticipants.Observation

  @Test("every participant counts once, and conditions are compared within participants")
  func summaries() throws {
    // p1 has three calm trials; p3 has no lively one, so that only p1 and p2 are compared.
    let observations = [
      Observation(participant: "p1", condition: "calm", value: 10),
      .init(participant: "p1", condition: "calm", value: 20),
      .init(participant: "p1", condition: "calm", value: 30), .init(participant: "p2", condition: "calm", value: 40),
      .init(participant: "p3", condition: "calm", value: 90), .init(participant: "p1", condition: "lively", value: 25),
      .init(participant: "p2", condition: "lively", value: 47),
      .init(participant: "p2", condition: "lively", value: .nan),
    ]
    let summary = WithinParticipants(observations)
    #expect(summary.omitted.count == 1)
    #expect(summary.conditions.map(\.name) == ["calm", "lively"])
    let calm = summary.conditions[0].summary
    #expect(calm.participants == 3 && calm.trials == 5 && calm.mean == 50)
    let difference = try #require(summary.differences.first)
    #expect(difference.from == "calm" && difference.to == "lively")
    #expect(difference.summary.mean == 6 && difference.summary.participants == 2 && difference.summary.trials == 6)
    #expect(difference.summary.interval?.lower == 5 && difference.summary.interval?.upper == 7)
    #expect(WithinParticipants(observations.reversed()).conditions == summary.conditions)
  }

  @Test("one participant has a mean and no interval")
  func one() {
    let summary = WithinParticipants([Observation(participant: "p1", condition: "calm", value: 10)])
    #expect(summary.conditions[0].summary.mean == 10)
    #expect(summary.conditions[0].summary.interval == nil)
    #expect(summary.differences.isEmpty)
    #expect(WithinParticipants([]).conditions.isEmpty)
  }

  @Test("conditions are compared as asked, and only where somebody has both")
  func comparisons() throws {
    let observations =
      ["a", "b", "c"].flatMap { condition in
        (1...3).map { Observation(participant: "p\($0)", condition: condition, value: Double($0)) }
      } + [Observation(participant: "p9", condition: "d", value: 5)]
    func pairs(_ comparison: WithinParticipants.Comparison) -> [String] {
      WithinParticipants(observations, comparing: comparison).differences.map { "\($0.from) \($0.to)" }
    }
    #expect(pairs(.all) == ["a b", "a c", "b c"])
    #expect(pairs(.reference("b")) == ["b a", "b c"])
    #expect(pairs(.none).isEmpty && pairs(.reference("d")).isEmpty && pairs(.reference("z")).isEmpty)
  }

  @Test("a condition for each of a thousand participants compares none of them, and has intervals over trials")
  func byParticipant() throws {
    let observations = (0..<1000).flatMap { number in
      [1.0, 2, 3].map { Observation(participant: "p\(number)", condition: "p\(number)", value: $0) }
    }
    let summary = WithinParticipants(observations, bootstrap: Bootstrap(resamples: 20))
    #expect(summary.conditions.count == 1000 && summary.differences.isEmpty)
    let first = summary.conditions[0].summary
    #expect(first.over == .trials && first.participants == 1 && first.trials == 3 && first.mean == 2)
    #expect(try #require(first.interval).observations == 3)
  }

  @Test("what the numbers are numbers of stands beside them")
  func quantity() {
    let measurement = HeartAnalysis(IntervalSeries([800, 810, 790])).measurement(.rmssd)
    let summary = WithinParticipants([], of: ObservedQuantity(measurement))
    #expect(summary.quantity?.title == "RMSSD" && summary.quantity?.unit == "ms")
    #expect(summary.quantity?.definition == measurement.definition)
  }

  @Test("an interval of few observations says what it is worth", arguments: [(2, true), (9, true), (10, false)])
  func fewObservations(count: Int, isTold: Bool) throws {
    let interval = try #require(Bootstrap().interval(ofMean: (0..<count).map { Double($0) }))
    #expect(interval.observations == count)
    #expect((interval.note != nil) == isTold)
  }

  @Test("the bootstrap repeats itself for a seed, and another seed draws other samples")
  func seeds() {
    let numbers = (0..<20).map { Double($0 * $0 % 17) }
    let interval = Bootstrap(seed: 3).interval(ofMean: numbers)
    #expect(interval == Bootstrap(seed: 3).interval(ofMean: numbers))
    #expect(interval?.lower != Bootstrap(seed: 4).interval(ofMean: numbers)?.lower)
  }

  @Test("the bootstrap's interval holds the true mean about as often as it says")
  func coverage() throws {
    var random = SplitMix64(seed: 11)
    var held = 0
    for _ in 0..<400 {
      let numbers = (0..<30).map { _ in 5 + random.normal() }
      let interval = try #require(Bootstrap(level: 0.9, resamples: 300, seed: random.next()).interval(ofMean: numbers))
      if interval.lower <= 5 && 5 <= interval.upper { held += 1 }
    }
    // A percentile interval of thirty holds a little less often than its level; the seed is fixed.
    #expect((330...375).contains(held), "\(held) of 400")
  }
}
