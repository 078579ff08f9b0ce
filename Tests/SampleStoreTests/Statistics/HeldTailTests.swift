import Testing

@testable import Quantities
@testable import SampleStore

@Suite("Held values of trials")
struct HeldTailTests {
  private static let second = EpochMicroseconds.perSecond

  /// The mean of samples at these seconds, of two trials an hour apart, with a greater value at the end of each.
  private func mean(_ times: [Int64], ofTrials: Bool) -> Double? {
    var sweep = StatisticsSweep(.discreteTemporallyWeighted, .discreteAverage, calendar: nil, ofTrials: ofTrials)
    for trial in [Int64(0), 3600] {
      for (index, time) in times.enumerated() {
        let tick = (trial + time) * Self.second
        let value = index == times.count - 1 ? 90.0 : 60
        sweep.add(TimedValue(start: tick, end: tick, value: value, source: 0)) { _ in }
      }
    }
    var tally: IntervalTally?
    sweep.finish { tally = $0 }
    return tally?.overall.mean
  }

  @Test(
    "The last sample of a trial is held for twice the usual step, at most 10 s",
    arguments: [(step: Int64(1), tail: 2.0), (step: 3, tail: 6), (step: 8, tail: 10)])
  func tail(step: Int64, tail: Double) throws {
    let times = (0..<30).map { $0 * step }
    let known = 29.0 * Double(step)
    let expected = (60 * known + 90 * tail) / (known + tail)
    #expect(abs(try #require(mean(times, ofTrials: true)) - expected) < 1e-9)
  }

  @Test("A gap in a trial does not lengthen the usual step")
  func gap() throws {
    let times = [Int64](0..<15) + [Int64](100..<115)
    // The value before the gap is held for 2 s.
    let (known, tail) = (30.0, 2.0)
    let expected: Double = (60 * known + 90 * tail) / (known + tail)
    #expect(abs(try #require(mean(times, ofTrials: true)) - expected) < 1e-9)
  }

  @Test("Other samples are held for 10 s")
  func others() throws {
    let expected = (60 * 29.0 + 90 * 10) / 39
    #expect(abs(try #require(mean((0..<30).map { Int64($0) }, ofTrials: false)) - expected) < 1e-9)
  }
}
