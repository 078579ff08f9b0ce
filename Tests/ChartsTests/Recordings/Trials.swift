import Basics
import Bundles

@testable import Analysis
@testable import Recordings

/// Recordings for tests, made of numbers.
enum Trials {
  /// What is known of a trial that sounded between these times, if at all.
  static func facts(
    _ sound: ClosedRange<Double>? = nil, clip: String? = "calm", mood: String? = nil, participant: String = "p01"
  ) -> TrialFacts {
    TrialFacts(
      trial: "t", participant: participant, session: "1", condition: "Rest", clip: clip, mood: mood, start: nil,
      outcome: .completed, verdict: .good, reasons: [],
      sounds: sound.map { [TrialFacts.Sound(onset: $0.lowerBound, offset: $0.upperBound)] } ?? [], steps: [])
  }

  /// Intervals that follow one another, from a time in seconds on.
  static func beats(_ intervals: [Double], from start: Double = 0) -> IntervalSeries {
    var end = start
    return IntervalSeries(
      intervals,
      ends: intervals.map { interval in
        end += interval / 1000
        return end
      })
  }

  /// Intervals around a second, as a heart that breathes has them.
  static func breathing(_ count: Int, from start: Double = 0) -> IntervalSeries {
    beats((0..<count).map { [1000, 1030, 1050, 1020, 980][$0 % 5] }, from: start)
  }

  /// Intervals that differ as those of a heart do, none of which is an artefact.
  static func irregular(_ count: Int) -> [Double] {
    var random = SplitMix64(seed: 5)
    var drift = 0.0
    return (0..<count).map { _ in
      drift = 0.9 * drift + 10 * random.normal()
      return 1000 + drift + 8 * random.normal()
    }
  }

  /// Two stretches with ten seconds between them.
  static let withGap: IntervalSeries = {
    let (one, other) = (breathing(20), breathing(20, from: 30.4))
    return IntervalSeries(one.intervals + other.intervals, ends: one.ends + other.ends)
  }()

  static func recording(
    _ beats: IntervalSeries? = nil, rates: [(time: Double, value: Double)] = [], trial: TrialFacts? = facts()
  ) -> Recording {
    Recording(path: "bundle", beats: beats, rates: HeartRates(rates), trial: trial)
  }
}
