import Basics
import Recordings
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
    let summary = WithinParticipants(observations, over: .participants)
    #expect(summary.omitted.count == 1)
    #expect(summary.conditions.map(\.name) == ["calm", "lively"])
    let calm = summary.conditions[0].summary
    #expect(calm.participants == 3 && calm.trials == 5 && calm.mean == 50)
    let difference = try #require(summary.differences.first)
    #expect(difference.from == "calm" && difference.to == "lively")
    #expect(difference.summary.mean == 6 && difference.summary.participants == 2 && difference.summary.trials == 6)
    #expect(difference.summary.interval?.lower == 5 && difference.summary.interval?.upper == 7)
    #expect(WithinParticipants(observations.reversed(), over: .participants).conditions == summary.conditions)
  }

  @Test("one participant has a mean and no interval")
  func one() {
    let summary = WithinParticipants(
      [Observation(participant: "p1", condition: "calm", value: 10)], over: .participants)
    #expect(summary.conditions[0].summary.mean == 10)
    #expect(summary.conditions[0].summary.interval == nil)
    #expect(summary.differences.isEmpty)
    #expect(WithinParticipants([], over: .participants).conditions.isEmpty)
  }

  @Test("conditions are compared as asked, and only where somebody has both")
  func comparisons() throws {
    let observations =
      ["a", "b", "c"].flatMap { condition in
        (1...3).map { Observation(participant: "p\($0)", condition: condition, value: Double($0)) }
      } + [Observation(participant: "p9", condition: "d", value: 5)]
    func pairs(_ comparison: WithinParticipants.Comparison) -> [String] {
      WithinParticipants(observations, over: .participants, comparing: comparison).differences
        .map { "\($0.from ?? "–") \($0.to ?? "–")" }
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
    let summary = WithinParticipants(observations, over: .trials, bootstrap: Bootstrap(resamples: 20))
    #expect(summary.conditions.count == 1000 && summary.differences.isEmpty)
    let first = summary.conditions[0].summary
    #expect(first.over == .trials && first.participants == 1 && first.trials == 3 && first.mean == 2)
    #expect(try #require(first.interval).observations == 3)
  }

  @Test("what is counted is what was asked for, whatever participants and conditions are called")
  func sameNames() throws {
    // A participant called rain who heard nothing but the clip of that name.
    let observations = [700.0, 740, 800].map { Observation(participant: "rain", condition: "rain", value: $0) }
    let one = WithinParticipants(observations, over: .participants).conditions[0].summary
    #expect(one.over == .participants && one.participants == 1 && one.trials == 3 && one.interval == nil)
    let each = WithinParticipants(observations, over: .trials).conditions[0].summary
    #expect(each.over == .trials && each.interval?.observations == 3)
  }

  @Test("trials without a condition are another than those of a condition called none, and stand last")
  func noCondition() {
    let observations = [("p1", nil, 1.0), ("p1", "none", 3), ("p1", "zoo", 6)].map {
      Observation(participant: $0.0, condition: $0.1, value: $0.2)
    }
    let summary = WithinParticipants(observations, over: .participants, comparing: .reference(nil))
    #expect(summary.conditions.map(\.name) == ["none", "zoo", nil])
    #expect(summary.differences.map(\.to) == ["none", "zoo"] && summary.differences.map(\.summary.mean) == [2, 5])
  }

  @Test(
    "a change is the difference, or its share of the baseline, of which zero has none",
    arguments: [(90.0, 60.0, 30.0, 50.0 as Double?), (3, 4, -1, -25), (3, 0, 3, nil)])
  func changes(value: Double, baseline: Double, difference: Double, percent: Double?) {
    #expect(BaselineChange.difference.change(of: value, from: baseline) == difference)
    #expect(BaselineChange.percent.change(of: value, from: baseline) == percent)
    #expect(BaselineChange.percent.unit(of: "ms") == "%" && BaselineChange.difference.unit(of: "ms") == "ms")
  }

  @Test("what the numbers are numbers of stands beside them")
  func quantity() {
    let measurement = HeartAnalysis(IntervalSeries([800, 810, 790])).measurement(.rmssd)
    let summary = WithinParticipants([], over: .participants, of: ObservedQuantity(measurement))
    #expect(summary.quantity?.title == "RMSSD" && summary.quantity?.unit == "ms")
    #expect(summary.quantity?.definition == measurement.definition)
  }

  @Test("an interval of few observations says what it is worth", arguments: [(2, true), (9, true), (10, false)])
  func fewObservations(count: Int, isTold: Bool) throws {
    let interval = try #require(Bootstrap().interval(ofMean: (0..<count).map { Double($0) }))
    #expect(interval.observations == count)
    #expect(interval.caveat == (isTold ? .fewObservations(count: count) : nil))
  }

  @Test("the bootstrap repeats itself for a seed, and another seed draws other samples")
  func seeds() {
    let numbers = (0..<20).map { Double($0 * $0 % 17) }
    let interval = Bootstrap(seed: 3).interval(ofMean: numbers)
    #expect(interval == Bootstrap(seed: 3).interval(ofMean: numbers))
    #expect(interval?.lower != Bootstrap(seed: 4).interval(ofMean: numbers)?.lower)
  }

  @Test("numbers whose sum is not finite have no interval", arguments: [1e308, -.infinity, .nan])
  func notFinite(number: Double) { #expect(Bootstrap().interval(ofMean: [1, number, number, number]) == nil) }

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
