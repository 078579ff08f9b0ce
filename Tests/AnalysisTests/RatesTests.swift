import Testing

@testable import Analysis

@Suite("Measures of a sensor's heart rates")
struct RatesTests {
  private let track = HeartRateTrack(rates: [60, 70, 90, 66, 62], times: [1, 2, 3, 4, 10])

  @Test(
    "are those of the rates, each counted once, or weighted with the time it stands for",
    arguments: [
      (Measure.meanHeartRate, 69.6, "mean of the sensor's heart rates"),
      // Each stands for a second, the first and the one after the gap too.
      (.timeWeightedHeartRate, 69.6, "mean of the sensor's heart rates over the time"),
      (.minimumHeartRate, 60.0, "lowest of the sensor's heart rates"),
      (.maximumHeartRate, 90.0, "highest of the sensor's heart rates"),
    ])
  func rates(measure: Measure, expected: Double, definition: String) {
    let measurement = HeartAnalysis(rates: track).measurement(measure)
    #expect(relativeError(measurement.value, expected) < 1e-12)
    #expect(measurement.definition.hasPrefix(definition))
    #expect(measurement.unit == "/min" && measurement.beatsUsed == 5 && measurement.window == 0...10)
    #expect(measurement.caveats.map(\.description) == ["There is a gap; 5 of 10 s are known."])
    #expect(measurement.artefactShare == 0)
  }

  @Test("the last is that of the last rate alone")
  func last() {
    let measurement = HeartAnalysis(rates: track).measurement(.lastHeartRate)
    #expect(measurement.outcome == .value(62))
    #expect(measurement.beatsUsed == 1 && measurement.window == 9...10 && measurement.caveats.isEmpty)
  }

  @Test(
    "told at one time share it, in any order: each counts once, and their mean stands for the time",
    arguments: [
      [(0.0, 60.0), (1, 60), (1, 120), (2, 60), (3, 60), (3, 120)],
      [(0, 60), (1, 120), (1, 60), (2, 60), (3, 120), (3, 60)],
      [(3, 120), (1, 60), (3, 60), (0, 60), (2, 60), (1, 120)],
    ])
  func shared(rates: [(Double, Double)]) {
    let track = HeartRateTrack(rates: rates.map(\.1), times: rates.map(\.0))
    func value(_ measure: Measure) -> Double? { HeartAnalysis(rates: track).measurement(measure).value }
    #expect(value(.meanHeartRate) == 80 && value(.timeWeightedHeartRate) == 75)
    #expect(value(.minimumHeartRate) == 60 && value(.maximumHeartRate) == 120)
    #expect(HeartAnalysis(rates: track).measurement(.meanHeartRate).beatsUsed == 6)
    #expect(track.spans.map(\.rate) == [60, 90, 60, 90])
    #expect(track.cut(from: 0.5, to: 1).mean(from: 0.5, to: 1).rate == 90)
  }

  @Test("whatever needs intervals is missing and says so", arguments: AnalysisPreset.named.indices)
  func missing(preset: Int) {
    for measurement in HeartAnalysis(rates: track, preset: AnalysisPreset.named[preset]).measurements()
    where measurement.measure.domain != .heartRate {
      #expect(measurement.missing == .needsIntervals(measure: measurement.measure))
      #expect(measurement.beatsUsed == 0 && measurement.caveats.isEmpty)
    }
  }

  @Test("without a rate everything is missing")
  func none() {
    let measurements = HeartAnalysis(rates: HeartRateTrack(rates: [.nan, 0, -5], times: [1, 2, 3])).measurements()
    #expect(measurements.count == Measure.ofHearts.count)
    for measurement in measurements {
      #expect(measurement.outcome == .missing(.noRates))
    }
  }

  @Test("can be cut to the rates of a window, of which the first stands for no time before it")
  func cut() {
    let cut = track.cut(from: 1, to: 4.5)
    #expect(cut.spans.map(\.rate) == [70, 90, 66])
    #expect(track.cut(from: 1.25, to: 3).spans.map(\.start) == [1.25, 2])
    #expect(HeartAnalysis(rates: cut).measurement(.timeWeightedHeartRate).window == 1...4)
    #expect(track.cut(from: 20, to: 30).spans.isEmpty)
  }
}
