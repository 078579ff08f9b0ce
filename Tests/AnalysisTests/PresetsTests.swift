import JSON
import Testing

@testable import Analysis

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
}
