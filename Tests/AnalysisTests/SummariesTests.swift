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
