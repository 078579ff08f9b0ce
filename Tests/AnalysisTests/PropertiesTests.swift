import Basics
import Testing

@testable import Analysis
@testable import Recordings

@Suite("Properties of measures")
struct PropertiesTests {
  /// Six minutes of intervals that vary.
  private func intervals(seed: UInt64, count: Int = 420) -> [Double] {
    var random = SplitMix64(seed: seed)
    var drift = 0.0
    return (0..<count).map { index in
      drift = 0.95 * drift + 8 * random.normal()
      return 850 + drift + 30 * sine(Double(index)) + 10 * random.normal()
    }
  }

  private func values(_ series: IntervalSeries, _ preset: AnalysisPreset = .station) -> [Measure: Double] {
    let measurements = HeartAnalysis(series, preset: preset).measurements()
    return Dictionary(uniqueKeysWithValues: measurements.compactMap { one in one.value.map { (one.measure, $0) } })
  }

  @Test("a shift in time changes nothing", arguments: 1...3 as ClosedRange<UInt64>)
  func shiftInTime(seed: UInt64) {
    let series = IntervalSeries(intervals(seed: seed))
    let later = IntervalSeries(series.intervals, ends: series.ends.map { $0 + 86_400 })
    let (before, after) = (values(series), values(later))
    #expect(before.count == Measure.ofHearts.count)
    #expect(before == after)
  }

  @Test(
    "intervals that are all longer by the same leave every spread as it was", arguments: 1...3 as ClosedRange<UInt64>)
  func shift(seed: UInt64) {
    let intervals = intervals(seed: seed)
    let (before, after) = (values(IntervalSeries(intervals)), values(IntervalSeries(intervals.map { $0 + 100 })))
    for measure in [
      Measure.sdnn, .sdsd, .rmssd, .nn50, .pnn50, .pnn20, .sd1, .sd2, .sampleEntropy, .dfaAlpha1, .dfaAlpha2,
    ] {
      #expect(relativeError(after[measure], before[measure] ?? .nan) < 1e-9, "\(measure)")
    }
    #expect(abs((after[.meanNN] ?? 0) - (before[.meanNN] ?? 0) - 100) < 1e-9)
  }

  @Test("intervals that are all twice as long double every spread, and leave what has no unit")
  func scale() {
    let intervals = intervals(seed: 4)
    let (before, after) = (values(IntervalSeries(intervals)), values(IntervalSeries(intervals.map { 2 * $0 })))
    for measure in [Measure.meanNN, .sdnn, .sdsd, .rmssd, .sd1, .sd2] {
      #expect(relativeError(after[measure], 2 * (before[measure] ?? .nan)) < 1e-12, "\(measure)")
    }
    for measure in [Measure.sampleEntropy, .dfaAlpha1, .dfaAlpha2] {
      #expect(relativeError(after[measure], before[measure] ?? .nan) < 1e-9, "\(measure)")
    }
    for measure in [Measure.meanHeartRate, .timeWeightedHeartRate, .minimumHeartRate, .maximumHeartRate] {
      #expect(relativeError(after[measure], (before[measure] ?? .nan) / 2) < 1e-12, "\(measure)")
    }
  }

  @Test("turned round, the statistics are the same")
  func reversal() {
    let intervals = intervals(seed: 5)
    let (before, after) = (values(IntervalSeries(intervals)), values(IntervalSeries(intervals.reversed())))
    for measure in Measure.ofHearts where measure.domain == .time || measure == .sd1 || measure == .sd2 {
      #expect(relativeError(after[measure], before[measure] ?? .nan) < 1e-9, "\(measure)")
    }
    #expect(after[.lastHeartRate] == 60_000 / intervals[0])
  }

  @Test("delivered twice, every interval counts once")
  func duplicates() {
    let series = IntervalSeries(intervals(seed: 6))
    let twice = IntervalSeries(series.intervals.flatMap { [$0, $0] }, ends: series.ends.flatMap { [$0, $0] })
    #expect(twice.omitted.count == series.count)
    #expect(values(twice) == values(series))
  }

  @Test("no interval, and every measure says so", arguments: AnalysisPreset.named.indices)
  func none(preset: Int) {
    for given in [[], [Double.nan, -3, 0]] {
      for measurement in HeartAnalysis(IntervalSeries(given), preset: AnalysisPreset.named[preset]).measurements() {
        #expect(measurement.outcome == .missing(.noIntervals))
        #expect(measurement.beatsUsed == 0)
      }
    }
  }

  @Test("one interval has a rate and a mean, and everything else a reason", arguments: AnalysisPreset.named.indices)
  func one(preset: Int) {
    let analysis = HeartAnalysis(IntervalSeries([800]), preset: AnalysisPreset.named[preset])
    for measurement in analysis.measurements() {
      if measurement.measure.domain == .heartRate {
        #expect(measurement.outcome == .value(75))
      } else if measurement.measure == .meanNN {
        #expect(measurement.outcome == .value(800))
      } else if measurement.missing == nil {
        Issue.record("\(measurement.measure) of one interval is \(measurement.outcome)")
      }
    }
  }

  @Test(
    "a heart that does not vary has spreads of zero, and no number that would divide by them",
    arguments: AnalysisPreset.named.indices)
  func constant(preset: Int) {
    // 800 steps of 1/1024 s, which no double holds exactly as milliseconds divided by their number.
    let series = IntervalSeries([Double](repeating: 800 / 1.024, count: 400))
    let values = values(series, AnalysisPreset.named[preset])
    for measure in [Measure.sdnn, .sdsd, .rmssd, .nn50, .pnn50, .pnn20, .sd1, .sd2] {
      #expect((values[measure] ?? 1) < 1e-9)
    }
    for measure in [Measure.sampleEntropy, .dfaAlpha1, .dfaAlpha2, .lfToHF, .lfNormalised, .hfNormalised] {
      #expect(values[measure] == nil, "\(measure)")
    }
  }

  @Test(
    "every number is finite or missing with a sentence, for any kind of input", arguments: AnalysisPreset.named.indices)
  func anything(preset: Int) {
    var random = SplitMix64(seed: 7)
    let pool = [Double.nan, .infinity, -.infinity, 0, -1, 1e-300, 1e-9, 1, 300, 800, 801, 2000, 1e5, 1e13, 1e300]
    for length in [1, 2, 3, 4, 5, 8, 13, 40] {
      for _ in 0..<8 {
        let given = (0..<length).map { _ in
          random.uniform() < 0.4 ? pool[Int(random.next() % UInt64(pool.count))] : 700 + 200 * random.uniform()
        }
        let series = IntervalSeries(given)
        for measurement in HeartAnalysis(series, preset: AnalysisPreset.named[preset]).measurements() {
          switch measurement.outcome {
          case .value(let number): #expect(number.isFinite)
          case .missing(let reason): #expect("\(reason)".hasSuffix("."))
          }
        }
        let corrected = LipponenTarvainen().correct(IntervalSeries(given))
        #expect(corrected.corrected.intervals.allSatisfy { $0 >= 0 })
      }
    }
  }

  @Test("whatever times intervals are given, their series is in order, and nothing made of it stops")
  func anyTimes() {
    var random = SplitMix64(seed: 12)
    let odd = [Double.nan, .infinity, -.infinity, 0, -5, 1e-12, 3, 3, 1e9, 1e300, -1e300]
    for round in 0..<300 {
      let count = Int(random.next() % 40)
      let intervals = (0..<count).map { _ in
        random.uniform() < 0.1 ? odd[Int(random.next() % UInt64(odd.count))] : 200 + 1600 * random.uniform()
      }
      let ends = (0..<count).map { place in
        random.uniform() < 0.1 ? odd[Int(random.next() % UInt64(odd.count))] : Double(place) * 0.9 + random.uniform()
      }
      let series = IntervalSeries(intervals, ends: ends)
      #expect(series.count + series.omitted.count == count && Set(series.omitted).count == series.omitted.count)
      for one in [
        CorrectedSeries(uncorrected: series), LipponenTarvainen().correct(series), RangeFilter().correct(series),
      ] {
        #expect(zip(one.corrected.ends, one.corrected.ends.dropFirst()).allSatisfy { $0 < $1 })
        #expect((0...1).contains(one.artefactShare))
        let part = one.cut(from: 5, to: 20)
        #expect((0...1).contains(part.artefactShare))
        let preset = AnalysisPreset.named[round % AnalysisPreset.named.count]
        for measurement in HeartAnalysis(part, preset: preset).measurements() {
          if case .value(let number) = measurement.outcome { #expect(number.isFinite) }
        }
        let track = HeartRateTrack(one.corrected)
        #expect(zip(track.spans, track.spans.dropFirst()).allSatisfy { $0.end <= $1.start })
        #expect(LockedResponse(in: track, onset: 12).bins.allSatisfy { (0...1).contains($0.coverage) })
        let phases = [(0.0, 10.0), (10, 20), (20, .infinity)].map { from, to in
          HeartAnalysis(one.cut(from: from, to: to), preset: preset).measurement(.meanNN)
        }
        #expect(phases.allSatisfy { (0...1).contains($0.coverage.share) })
        _ = PhaseResponse(rest: phases[0], event: phases[1], after: phases[2])
      }
    }
  }

  @Test("no interval of a hair's breadth stops an analysis", arguments: AnalysisPreset.named.indices)
  func tiny(preset: Int) {
    for given in [[800, 1e-9, 1e-9], [1e-9, 800, 1e-9], [1e-9, 1e-9, 1e-9], [800, 1e-13, 900, 1e-13, 800]] {
      for measurement in HeartAnalysis(IntervalSeries(given), preset: AnalysisPreset.named[preset]).measurements() {
        if case .value(let number) = measurement.outcome { #expect(number.isFinite) }
      }
    }
  }

  @Test("differences are not taken over a gap, and spectra use the longest stretch and say so")
  func gaps() {
    let first = intervals(seed: 8, count: 100)
    let second = intervals(seed: 9, count: 500)
    let head = IntervalSeries(first)
    let tail = IntervalSeries(second)
    let series = IntervalSeries(first + second, ends: head.ends + tail.ends.map { $0 + head.end + 20 })
    let (joined, alone) = (HeartAnalysis(series), HeartAnalysis(tail))
    let differences = head.successiveDifferences + tail.successiveDifferences
    let rmssd = (differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count)).squareRoot()
    #expect(relativeError(joined.measurement(.rmssd).value, rmssd) < 1e-12)
    for measure in [Measure.lf, .hf, .dfaAlpha1] {
      let measurement = joined.measurement(measure)
      #expect(measurement.value == alone.measurement(measure).value)
      #expect(measurement.beatsUsed == (measure == .dfaAlpha1 ? 500 : alone.measurement(measure).beatsUsed))
      #expect(
        measurement.caveats.map(\.description).contains { $0.hasPrefix("There is a gap; only the longest stretch") })
    }
  }
}
