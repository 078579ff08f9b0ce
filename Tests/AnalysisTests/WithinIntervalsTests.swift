import Testing

@testable import Analysis

@Suite("Intervals within participants")
struct WithinIntervalsTests {
  private typealias Observation = WithinParticipants.Observation

  /// Five people's numbers in four conditions.
  private static let rows: [[Double]] = [
    [62.1, 70.4, 65.0, 61.2], [75.3, 80.1, 77.7, 74.9], [58.0, 63.9, 66.1, 57.2], [81.2, 90.3, 84.4, 82.0],
    [69.5, 71.0, 70.2, 68.8],
  ]

  private static let observations = rows.enumerated().flatMap { person, row in
    zip(["a", "b", "c", nil], row).map { Observation(participant: "p\(person)", condition: $0, value: $1) }
  }

  @Test("are those of numpy and scipy: Cousineau's normalisation, Morey's correction, Student's quantile")
  func reference() throws {
    let within = try #require(WithinIntervals(Self.observations))
    #expect(within.participants == 5 && within.leftOut == 0 && within.means.map(\.name) == ["a", "b", "c", nil])
    let expected = [
      (69.22, 67.45282667851146, 70.98717332148854),
      (75.14, 72.20048450030026, 78.07951549969974),
      (72.67999999999999, 69.77991038587322, 75.58008961412676),
      (68.82000000000001, 67.12405635981877, 70.51594364018125),
    ]
    for (mean, (value, low, high)) in zip(within.means, expected) {
      #expect(abs(mean.mean - value) < 1e-9)
      #expect(abs(mean.bounds.lowerBound - low) < 1e-9 && abs(mean.bounds.upperBound - high) < 1e-9)
    }
  }

  @Test("do not widen with what differs between participants alike in all conditions, nor with their order")
  func levels() throws {
    let within = try #require(WithinIntervals(Self.observations))
    let moved = Self.observations.map { one in
      Observation(
        participant: one.participant, condition: one.condition,
        value: one.value + (one.participant == "p2" ? 100 : 0))
    }
    let other = try #require(WithinIntervals(moved.reversed()))
    for (mean, shifted) in zip(within.means, other.means) {
      let (own, wide) = (mean.bounds.upperBound - mean.mean, shifted.bounds.upperBound - shifted.mean)
      #expect(abs(own - wide) < 1e-9)
    }
  }

  @Test("average a participant's trials first, and leave out who lacks a condition")
  func incomplete() throws {
    var observations = Self.observations + [Observation(participant: "p9", condition: "a", value: 300)]
    observations += [-2, 2].map { Observation(participant: "p0", condition: "a", value: 62.1 + $0) }
    observations.append(Observation(participant: "p1", condition: "b", value: .nan))
    let within = try #require(WithinIntervals(observations))
    #expect(within.participants == 5 && within.leftOut == 1)
    for (mean, row) in zip(within.means, try #require(WithinIntervals(Self.observations)).means) {
      #expect(abs(mean.mean - row.mean) < 1e-9)
    }
  }

  @Test("need two conditions, and two participants with both", arguments: [["a"], ["a", "b"]])
  func tooFew(conditions: [String]) {
    #expect(WithinIntervals(conditions.map { Observation(participant: "p1", condition: $0, value: 1) }) == nil)
    #expect(WithinIntervals((1...3).map { Observation(participant: "p\($0)", condition: "a", value: 1) }) == nil)
  }

  @Test(
    "use the quantiles of scipy.stats.t",
    arguments: [
      (1, 12.706204736174694), (2, 4.302652729749462), (3, 3.1824463052837078), (4, 2.7764451051977934),
      (9, 2.262157162798205), (10, 2.228138851986274), (29, 2.045229642132703), (100, 1.9839715185235518),
    ])
  func quantiles(degrees: Int, expected: Double) {
    #expect(abs(Student.quantile(0.975, degrees: degrees) - expected) < 1e-9 * expected)
  }
}
