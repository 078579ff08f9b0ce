import Basics
import Testing

@testable import Analysis
@testable import Recordings

@Suite("Presets of other programs")
struct PresetsTests {
  @Test(
    "reproduce what NeuroKit2, pyHRV and hrv-analysis print, to four digits",
    arguments: [AnalysisPreset.neuroKit2, .pyHRV, .hrvAnalysis], Reference.names)
  func agreement(preset: AnalysisPreset, name: String) throws {
    let printed = try #require(try Reference.peers(name)[preset.name]?.object)
    #expect(printed.count >= 17)
    let analysis = HeartAnalysis(IntervalSeries(try Reference.intervals(name)), preset: preset)
    for measurement in analysis.measurements() {
      guard let number = printed[measurement.measure.rawValue]?.number else { continue }
      #expect(
        relativeError(measurement.value, number) < 5e-5,
        "\(measurement.measure.title) of \(name): \(measurement.outcome), not \(number)")
    }
  }

  @Test("say in every definition what they chose")
  func definitions() {
    let series = IntervalSeries([800, 810, 790, 820, 805, 800])
    func definition(_ preset: AnalysisPreset, _ measure: Measure) -> String {
      HeartAnalysis(series, preset: preset).measurement(measure).definition
    }
    #expect(definition(.station, .sdsd) == "standard deviation of successive differences, n - 1")
    #expect(definition(.hrvAnalysis, .sdsd) == "standard deviation of successive differences, n")
    #expect(definition(.pyHRV, .sdsd) == "standard deviation of the magnitudes of successive differences, n - 1")
    #expect(definition(.neuroKit2, .pnn50) == "100 * NN50 / (number of differences + 1)")
    #expect(HeartAnalysis(series, preset: .neuroKit2).measurement(.lf).unit == "1")
    #expect(HeartAnalysis(series).measurement(.lf).unit == "ms2")
    #expect(Set(AnalysisPreset.named.map(\.name)).count == AnalysisPreset.named.count)
  }

  @Test("divide by one more than the differences there are, with gaps too, where NeuroKit2 does")
  func sharesWithGaps() {
    // Two gaps; five differences, of which two exceed 50 ms.
    let series = IntervalSeries(
      [800, 900, 890, 800, 810, 800, 860, 850], ends: [1, 1.9, 2.79, 10, 10.81, 20, 20.86, 21.71])
    #expect(series.breaks == [3, 5])
    #expect(series.successiveDifferences == [100, -10, 10, 60, -10])
    #expect(HeartAnalysis(series, preset: .neuroKit2).measurement(.pnn50).value == 100 * 2.0 / 6)
    #expect(HeartAnalysis(series).measurement(.pnn50).value == 100 * 2.0 / 5)
  }
}
