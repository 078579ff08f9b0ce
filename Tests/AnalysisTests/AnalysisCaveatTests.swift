import Basics
import Testing

@testable import Analysis
@testable import Recordings

@Suite("What a measurement says of itself")
struct DoubtsTests {
  /// Intervals around 850 ms that vary.
  private func intervals(_ count: Int, around level: Double = 850, seed: UInt64 = 10) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { level + 30 * sine(Double($0)) + 10 * random.normal() }
  }

  /// Stretches with gaps between them.
  private func stretches(_ counts: [Int], gap: Double) -> IntervalSeries {
    var (all, ends): ([Double], [Double]) = ([], [])
    for (place, count) in counts.enumerated() {
      var time = (ends.last ?? -gap) + gap
      for interval in intervals(count, seed: UInt64(place)) {
        time += interval / 1000
        all.append(interval)
        ends.append(time)
      }
    }
    return IntervalSeries(all, ends: ends)
  }

  private func warnings(_ analysis: HeartAnalysis, _ measure: Measure) -> String {
    analysis.measurement(measure).caveats.map(\.description).joined(separator: " ")
  }

  @Test("a window that is too short is reported, with who says so")
  func shortWindow() {
    let analysis = HeartAnalysis(IntervalSeries(intervals(100)))
    #expect(warnings(analysis, .rmssd).contains("shorter than 300 s"))
    #expect(warnings(analysis, .rmssd).contains("Task Force 1996"))
    #expect(warnings(analysis, .lf).contains("shorter than 250 s"))
    #expect(warnings(analysis, .vlf).contains("shorter than 3030.3 s"))
    #expect(warnings(analysis, .sampleEntropy).contains("100 intervals are not more than 200"))
    #expect(warnings(analysis, .hf).isEmpty && warnings(analysis, .meanHeartRate).isEmpty)
  }

  @Test("sample entropy wants more than two hundred intervals", arguments: [(200, true), (201, false)])
  func sampleEntropy(count: Int, isWarned: Bool) {
    #expect(warnings(HeartAnalysis(IntervalSeries(intervals(count))), .sampleEntropy).isEmpty != isWarned)
  }

  @Test("a gap does not lengthen a window: what is known is compared with the least, and reported with every measure")
  func gaps() {
    // A hundred seconds and a bit on either side of four hundred that are lost.
    let series = stretches([120, 120], gap: 400)
    let analysis = HeartAnalysis(series)
    let known = series.intervals.reduce(0, +) / 1000
    #expect(series.duration > 600 && known < 210)
    let rmssd = analysis.measurement(.rmssd)
    #expect(rmssd.caveats.map(\.description).count == 2)
    #expect(rmssd.caveats.map(\.description)[0].hasPrefix("There is a gap; "))
    #expect(rmssd.caveats.map(\.description)[0].hasSuffix(" s are known, with 238 differences between intervals."))
    #expect(rmssd.caveats.map(\.description)[1].contains("s that are known are shorter than 300 s"))
    #expect(abs(rmssd.knownSeconds - known) < 1e-9)
    #expect(rmssd.window == series.start...series.end)
    for measure in [Measure.meanNN, .meanHeartRate, .sdnn, .sampleEntropy] {
      #expect(warnings(analysis, measure).hasPrefix("There is a gap; "), "\(measure)")
    }
    #expect(warnings(analysis, .lastHeartRate).isEmpty)
    #expect(warnings(analysis, .sd2).contains("SD2 is computed from SDNN"))
    #expect(!warnings(HeartAnalysis(series, preset: .pyHRV), .sd2).contains("SD2 is computed from SDNN"))
  }

  @Test("intervals that stand alone go into no difference, and are not counted as if they did")
  func lonely() {
    let series = stretches([1, 1, 1, 40], gap: 10)
    let rmssd = HeartAnalysis(series).measurement(.rmssd)
    #expect(rmssd.beatsUsed == 40)
    #expect(abs(rmssd.window.lowerBound - (series.ends[3] - series.intervals[3] / 1000)) < 1e-12)
    #expect(HeartAnalysis(series).measurement(.sdnn).beatsUsed == 43)
  }

  @Test("the window of a spectrum is that of its segments, and a rest that is large is reported")
  func segments() {
    // 1150 samples: one segment of 1024, and 126 samples in none.
    let short = HeartAnalysis(IntervalSeries(intervals(340)))
    let lf = short.measurement(.lf)
    #expect(abs(lf.window.upperBound - lf.window.lowerBound - 256) < 2)
    #expect(abs(lf.knownSeconds - 256) < 2 && lf.beatsUsed < 310)
    #expect(lf.parameters.contains { $0.name == "signal used" && $0.value.hasPrefix("255.8 of 28") })
    #expect(lf.caveats.map(\.description).contains { $0.hasPrefix("The spectrum's segments cover 255.8 of 28") })
    // Segments of 300 samples leave next to nothing over.
    let pyHRV = HeartAnalysis(IntervalSeries(intervals(400)), preset: .pyHRV).measurement(.lf)
    #expect(!pyHRV.caveats.map(\.description).contains { $0.contains("segments cover") })
    let lomb = HeartAnalysis(IntervalSeries(intervals(340)), preset: .lombScargle).measurement(.lf)
    #expect(lomb.caveats.map(\.description).contains { $0.hasPrefix("The spectrum's segments cover 256 of 28") })
  }

  @Test("no spectrum uses more of a signal than there is", arguments: [12, 59, 300], AnalysisPreset.named.indices)
  func signalUsed(count: Int, preset: Int) throws {
    let analysis = HeartAnalysis(IntervalSeries(intervals(count)), preset: AnalysisPreset.named[preset])
    let used = try #require(analysis.measurement(.hf).parameters.first { $0.name == "signal used" })
    let numbers = used.value.split(separator: " ").compactMap { Double($0) }
    #expect(numbers.count == 2 && numbers[0] <= numbers[1], "\(used.value)")
  }

  @Test("a caveat says the same of several windows once its own numbers are left out")
  func general() throws {
    let (short, shorter) = (HeartAnalysis(IntervalSeries(intervals(100))), HeartAnalysis(IntervalSeries(intervals(80))))
    for measure in [Measure.rmssd, .lf, .vlf, .sampleEntropy, .dfaAlpha2] {
      let caveats = [short, shorter].map { $0.measurement(measure).caveats }
      #expect(!caveats[0].isEmpty && caveats[0] != caveats[1])
      #expect(caveats[0].map(\.general) == caveats[1].map(\.general), "\(measure)")
    }
  }

  @Test(
    "one rule for what is known of a window: below half no number, below nine tenths a caveat",
    arguments: [(0.49, false, false), (0.5, true, true), (0.89, true, true), (0.9, true, false), (1, true, false)])
  func covering(share: Double, hasNumber: Bool, isDoubtful: Bool) {
    let coverage = Coverage(window: 60...110, share: share)
    let measured = HeartAnalysis(IntervalSeries(intervals(100))).measurement(.meanNN).covering(coverage)
    #expect((measured.value != nil) == hasNumber)
    #expect(measured.caveats.contains(.partlyKnown(share: share, from_s: 60, to_s: 110)) == isDoubtful)
    #expect(measured.coverage == coverage)
    #expect(measured.missing == (hasNumber ? nil : .partlyKnown(share: share, from_s: 60, to_s: 110)))
  }

  @Test("every interval whose beat a Welch segment reaches counts, and no later one", arguments: [300, 400, 500, 700])
  func segmentBeats(count: Int) throws {
    let series = IntervalSeries(intervals(count))
    let analysis = HeartAnalysis(series)
    let spectrum = try #require(analysis.powerSpectrum)
    let used = analysis.measurement(.hf).beatsUsed
    let times = series.ends.map { $0 - series.ends[0] }
    #expect(times[used - 1] >= spectrum.duration || used == count)
    #expect(times[used - 2] < spectrum.duration)
  }

  @Test("a band from zero has no least window, and no frequency below one wave a segment is in a band")
  func bandFromZero() throws {
    let vlf = HeartAnalysis(IntervalSeries(intervals(150)), preset: .pyHRV).measurement(.vlf)
    #expect(vlf.value != nil && !vlf.caveats.map(\.description).contains { $0.contains("shorter") })
    let brief = HeartAnalysis(IntervalSeries(intervals(20)), preset: .lombScargle)
    let spectrum = try #require(brief.powerSpectrum)
    #expect(spectrum.firstFrequency >= 1 / spectrum.duration)
    #expect(brief.measurement(.vlf).value == nil)
  }

  @Test("HF that reaches above half the mean heart rate is reported")
  func slowHeart() {
    let slow = HeartAnalysis(IntervalSeries(intervals(300, around: 1500)))
    #expect(
      warnings(slow, .hf).contains("The HF band extends to 0.4 Hz, above half the mean heart rate (0.33"))
    #expect(!warnings(slow, .lf).contains("HF band"))
    #expect(!warnings(HeartAnalysis(IntervalSeries(intervals(400))), .hf).contains("HF band"))
  }

  @Test("many artefacts are reported, and every number says how they were treated")
  func artefacts() {
    var given = intervals(400)
    for place in stride(from: 5, to: 400, by: 10) { given[place] = 2500 }
    let raw = IntervalSeries(given)
    let filtered = HeartAnalysis(RangeFilter().correct(raw))
    #expect(warnings(filtered, .meanNN).contains("10 % of the recorded intervals were corrected or dropped"))
    #expect(filtered.measurement(.rmssd).correction == "range filter: 300 to 2000 ms")
    #expect(HeartAnalysis(raw).measurement(.rmssd).correction == "none")
    let corrected = LipponenTarvainen().correct(raw)
    #expect(HeartAnalysis(corrected).measurement(.rmssd).correction == corrected.method)
  }

  @Test("the last heart rate is that of the last beat alone")
  func last() {
    let last = HeartAnalysis(IntervalSeries([800, 900, 1000])).measurement(.lastHeartRate)
    #expect(last.value == 60 && last.beatsUsed == 1)
    #expect(abs(last.window.lowerBound - 1.7) < 1e-12 && last.window.upperBound == 2.7)
  }

  @Test("intervals that do not vary have no sample entropy, and say why")
  func constant() {
    let series = IntervalSeries([Double](repeating: 800, count: 300))
    #expect(
      HeartAnalysis(series).measurement(.sampleEntropy).outcome
        == .missing(.constantIntervals))
  }

  @Test("parameters are whole: what is lost of n, means, samples, windows left out, and lengths there are none of")
  func parameters() {
    let series = IntervalSeries(intervals(60))
    func parameters(_ preset: AnalysisPreset, _ measure: Measure) -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: HeartAnalysis(series, preset: preset).measurement(measure).parameters.map {
          ($0.name, $0.value)
        })
    }
    #expect(parameters(.pyHRV, .sampleEntropy)["r"] == "0.2 standard deviations, n + 1")
    #expect(parameters(.station, .sampleEntropy)["r"] == "0.2 standard deviations, n - 1")
    #expect(parameters(.neuroKit2, .dfaAlpha1)["left out"] == "windows whose mean square is at most 1e-08 ms2")
    #expect(parameters(.neuroKit2, .dfaAlpha2)["window lengths"] == "none, since there are too few intervals")
    #expect(parameters(.station, .dfaAlpha1)["window lengths"] == "every one from 4 to 16 intervals")
    #expect(parameters(.hrvAnalysis, .lf)["signal mean"] == "removed")
    #expect(parameters(.station, .lf)["signal mean"] == "kept")
    #expect(parameters(.neuroKit2, .lf)["samples"]?.hasSuffix("where the value is the last interval") == true)
  }

  @Test("pyHRV's segments change with the last beat's time, not with the number of samples")
  func segmentsByDuration() {
    // 300 s from the first beat to the last are 1200 samples: no longer below 300 s, so that segments have 300.
    let settings = AnalysisPreset.pyHRV.spectrum
    let exact = (0...300).map { 1000 + ($0 == 0 ? 0 : $0.isMultiple(of: 2) ? 1.0 : -1) }
    #expect(settings.spectrum(of: exact)?.spectrum.segments == 7)
    #expect(settings.spectrum(of: Array(exact.dropLast()))?.spectrum.segments == 1)
  }
}
