import Basics
import Recordings
import Testing

@testable import Analysis

/// Beats that come early, with the pause that makes up for it.
@Suite("Ectopic beats")
struct EctopicBeatsTests {
  /// How much a series varies.
  enum Variability: CaseIterable {
    /// RMSSD about 9 ms.
    case low
    /// RMSSD about 25 ms.
    case middle

    /// Five minutes: breathing, something slower, and noise.
    func intervals(seed: UInt64, count: Int = 300) -> [Double] {
      var random = SplitMix64(seed: seed)
      let (noise, breathing) = self == .low ? (4.0, 8.0) : (12, 20)
      return (0..<count).map { index in
        let breath: Double = breathing * sine(Double(index) * 2 * .pi / 4.5)
        let drift: Double = 15 * sine(Double(index) / 40)
        return 800 + breath + drift + noise * random.normal()
      }
    }
  }

  /// The beats that end some intervals come early by a share of them; the next beat comes in time.
  private func early(_ intervals: [Double], _ places: [Int], _ share: Double) -> [Double] {
    var intervals = intervals
    for place in places {
      let seconds = share * intervals[place]
      intervals[place] -= seconds
      intervals[place + 1] += seconds
    }
    return intervals
  }

  private func rmssd(_ series: IntervalSeries) throws -> Double {
    try #require(HeartAnalysis(series).measurement(.rmssd).value)
  }

  @Test(
    "one or three that are early leave RMSSD within a tenth of the clean one, also in a series that hardly varies",
    arguments: Variability.allCases, [-0.3, 0.25, 0.3, 0.4, 0.5])
  func isolated(variability: Variability, share: Double) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let clean = variability.intervals(seed: seed)
      for places in [[150], [50, 150, 250], [0], [1], [2], [296], [297], [298]] {
        let faulty = IntervalSeries(early(clean, places, share))
        let corrected = LipponenTarvainen().correct(faulty)
        let error = relativeError(try rmssd(corrected.corrected), try rmssd(IntervalSeries(clean)))
        #expect(error < 0.1, "\(places), seed \(seed)")
        // Of the two intervals that each has changed the beat between is moved, and no other.
        for place in places {
          let moved = corrected.artefacts.filter { $0.index == place }
          #expect(moved.map(\.kind) == [.ectopic], "\(place) of \(places), seed \(seed)")
          let back = faulty.ends[place] + share * clean[place] / 1000
          #expect(corrected.corrected.ends.contains { abs($0 - back) < 0.05 }, "\(place) of \(places), seed \(seed)")
          #expect(corrected.corrected.ends.contains(faulty.ends[place + 1]), "\(place) of \(places), seed \(seed)")
        }
      }
    }
  }

  @Test(
    "several near one another are each put back: every other beat, every third, and ten of every other",
    arguments: [[100, 102], [100, 103], Array(stride(from: 100, to: 120, by: 2))])
  func near(places: [Int]) throws {
    for variability in Variability.allCases {
      for seed in 1...5 as ClosedRange<UInt64> {
        let clean = variability.intervals(seed: seed)
        let corrected = LipponenTarvainen().correct(IntervalSeries(early(clean, places, 0.4)))
        let error = relativeError(try rmssd(corrected.corrected), try rmssd(IntervalSeries(clean)))
        #expect(error < 0.1, "\(variability), seed \(seed)")
      }
    }
  }

  @Test("beside a beat that was missed or one too many they are put back too", arguments: Variability.allCases)
  func combined(variability: Variability) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let clean = variability.intervals(seed: seed)
      var missedBefore = early(clean, [151], 0.4)
      missedBefore[149] += missedBefore.remove(at: 150)
      var missedAfter = early(clean, [150], 0.4)
      missedAfter[152] += missedAfter.remove(at: 153)
      var extraAfter = early(clean, [150], 0.4)
      extraAfter[153] /= 2
      extraAfter.insert(extraAfter[153], at: 153)
      var cases = [("before", missedBefore), ("extra", extraAfter)]
      // Beats that vary more do not show a pause that another one follows at once.
      if variability == .low { cases.append(("after", missedAfter)) }
      for (name, faulty) in cases {
        let corrected = LipponenTarvainen().correct(IntervalSeries(faulty))
        let error = relativeError(try rmssd(corrected.corrected), try rmssd(IntervalSeries(clean)))
        #expect(error < 0.1 && corrected.corrected.count == clean.count, "\(name), seed \(seed)")
      }
    }
  }

  @Test(
    "three in five minutes of a real heart leave RMSSD as it is without them", arguments: Reference.correctedNames,
    [0.2, 0.3, 0.4, 0.5])
  func real(name: String, share: Double) throws {
    let clean = try Reference.intervals(name)
    let raw = IntervalSeries(clean)
    let step = Int(100_000 / (clean.reduce(0, +) / Double(clean.count)))
    let places = Array(stride(from: 20, to: clean.count - 3, by: step))
    let corrected = LipponenTarvainen().correct(IntervalSeries(early(clean, places, share)))
    let without = LipponenTarvainen().correct(raw)
    #expect(relativeError(try rmssd(corrected.corrected), try rmssd(raw)) < 0.1)
    // What is found in the recording without them differs from it by itself.
    #expect(relativeError(try rmssd(corrected.corrected), try rmssd(without.corrected)) < 0.04)
  }

  @Test("a heart that alternates from beat to beat is left as it is", arguments: [15.0, 30, 60])
  func alternans(half: Double) {
    for seed in 1...5 as ClosedRange<UInt64> {
      let intervals = Variability.low.intervals(seed: seed).enumerated().map { index, interval in
        interval + (index.isMultiple(of: 2) ? half : -half)
      }
      let corrected = LipponenTarvainen().correct(IntervalSeries(intervals))
      #expect(corrected.artefacts.isEmpty && corrected.corrected == corrected.raw)
    }
  }

  @Test("of a heart whose every other beat is early all are put back, and the share says so")
  func bigeminy() throws {
    let clean = Variability.low.intervals(seed: 3)
    let faulty = early(clean, Array(stride(from: 0, to: 298, by: 2)), 0.3)
    let corrected = LipponenTarvainen().correct(IntervalSeries(faulty))
    #expect(try rmssd(corrected.corrected) < 2 * rmssd(IntervalSeries(clean)))
    #expect(corrected.artefactShare > 0.9)
  }

  @Test("one changes two intervals, and the line on artefacts follows from the numbers in it")
  func share() {
    let constant = [Double](repeating: 800, count: 40)
    let one = LipponenTarvainen().correct(IntervalSeries(early(constant, [20], 0.4)))
    #expect(one.altered == [20, 21] && one.artefactShare == 2.0 / 40)
    #expect(one.account == "1 found, 2 of 40 intervals corrected or left out, 5 %")
    let odd = LipponenTarvainen().correct(IntervalSeries([.nan] + early(constant, [20], 0.4) + [-1]))
    #expect(odd.account == "1 found, 2 of 40 intervals corrected or left out, and 2 that were none, 9.5 % of 42")
    #expect(CorrectedSeries(uncorrected: IntervalSeries(constant)).account == "none found")
    // In a window only its own intervals count, also where a beat before it was moved.
    let part = one.cut(from: one.raw.ends[20], to: one.raw.end)
    #expect(part.altered == [0] && part.artefacts.isEmpty)
  }
}
