import Basics
import Quantities
import Testing

@testable import Analysis
@testable import Recordings

@Suite("Analyses of other quantities than the heart's")
struct ChannelAnalysisTests {
  /// Four values a second from 0 to 60 s; a sound from 20 to 40 s, in which they are one higher.
  private func recording(_ value: (Double) -> Double?) -> ChannelRecording {
    let type = QuantityType(channel: "skinConductance") ?? .bodyMass
    var series = ChannelSeries(path: "trial", recorder: "skin", sensor: "wrist", type: type, unit: type.defaultUnit)
    series.add(
      (1...240).reversed().compactMap { number in
        let time = Double(number) / 4
        return value(time).map { (time: time, value: $0) }
      })
    return ChannelRecording(series)
  }

  private func window(_ text: String) throws -> AnalysisWindow { try #require(AnalysisWindow(text)) }

  @Test("Mean, spread, extremes and slope of the samples in a window")
  func numbers() throws {
    let numbers = try #require(
      ChannelMeasures.Numbers([(time: 0, value: 2), (time: 30, value: 4), (time: 60, value: 3), (time: 90, value: 7)]))
    #expect((numbers.mean, numbers.median, numbers.minimum, numbers.maximum) == (4, 3.5, 2, 7))
    // By R's sd() and lm().
    #expect(abs(try #require(numbers.deviation) - 2.160247) < 1e-6)
    #expect(abs(try #require(numbers.slope) - 2.8) < 1e-9)
    let single = try #require(ChannelMeasures.Numbers([(time: 5, value: 0.1)]))
    #expect(single.mean == 0.1 && single.deviation == nil && single.slope == nil)
    #expect(ChannelMeasures.Numbers([]) == nil)
  }

  @Test("A window of which less than half is known has no numbers", arguments: [(40.0, true), (15.0, false)])
  func coverage(known: Double, isMeasured: Bool) throws {
    let recording = recording { $0 <= known ? 2 : nil }
    let measured = ChannelMeasures(of: recording, in: .seconds(0...60))
    #expect((measured.numbers != nil) == isMeasured && (measured.missing == nil) == isMeasured)
    #expect(abs(measured.coverage - known / 60) < 0.02)
  }

  @Test("The response to an onset is read off as the heart's is, and values may be zero or below")
  func response() throws {
    var recording = recording { $0 > 20 && $0 <= 40 ? 0.5 : -0.5 }
    recording.events = [try #require(EventSource("20:40"))]
    let settings = try ResponseSettings(before: 10, after: 20, binWidth: 5)
    let analysis = ChannelAnalysis(recording, TrialAnalysis(response: settings))
    let response = try #require(analysis.response)
    #expect(response.baseline == -0.5)
    #expect(response.bins.map(\.response) == [0, 0, 1, 1, 1, 1])
    #expect(analysis.phases.map { $0.numbers?.median } == [-0.5, 0.5, -0.5])
  }

  @Test("Rows of many trials hold the measures that were asked for, compared with a baseline as those of hearts are")
  func rows() throws {
    var recording = recording { $0 > 20 && $0 <= 40 ? 3 : 2 }
    recording.events = [try #require(EventSource("20:40"))]
    let analysis = TrialAnalysis(
      AnalysisSettings(measures: [.rmssd, .median, .mean]), window: .stimulus, baseline: .preStimulus,
      change: .percent)
    let outcome = analysis.outcome(of: [recording], at: TrialPlace(path: "trial"))
    #expect(outcome.rows.map(\.measurement.measure) == [.median, .mean])
    let row = try #require(outcome.rows.first)
    #expect((row.measurement.value, row.baseline?.measurement.value, row.number) == (3, 2, 50))
    #expect(row.measurement.unit == "mcS" && row.changeUnit == "%" && row.measurement.beatsUsed == 81)
    #expect((row.head.sensor, row.head.recorder) == ("wrist", "skin"))
    let settings = try ResponseSettings(before: 10, after: 20, binWidth: 10, baseline: .percent)
    let responding = TrialAnalysis(response: settings).outcome(
      of: [recording], at: TrialPlace(path: "trial"), measuresWindows: false)
    #expect(responding.rows.isEmpty)
    let bins = try #require(responding.responses.first).rows.map { $0.json(StudyColumns()) }
    #expect(bins.map { $0["response"]?.number } == [0, 50, 50] && bins.map { $0["value"]?.number } == [2, 3, 3])
    #expect(bins.allSatisfy { $0["unit"]?.string == "%" && $0["valueUnit"]?.string == "mcS" })
    #expect(bins.allSatisfy { $0["quantity"]?.string == "electrodermalActivity" })
    #expect(throws: NothingToMeasure.self) {
      try TrialAnalysis(AnalysisSettings(measures: [.rmssd])).requireMeasures(of: recording)
    }
    #expect(throws: NothingToMeasure.self) {
      try TrialAnalysis(AnalysisSettings(measures: [.mean])).requireMeasures()
    }
  }

  @Test("What two recorders have of one sensor is put together, in the first one's unit, each sample once")
  func together() throws {
    let type = QuantityType(channel: "skinTemperature") ?? .bodyMass
    var rest = ChannelSeries(path: "t", recorder: "rest", sensor: "wrist", type: type, unit: type.defaultUnit)
    rest.add([(time: 1, value: 33), (time: 2, value: 34)])
    var music = ChannelSeries(path: "t", recorder: "music", sensor: "wrist", type: type, unit: try Unit("degC"))
    music.add([(time: 3, value: 35), (time: 2, value: 34)])
    rest.add(music)
    #expect(rest.recorder == "rest+music")
    #expect(rest.times == [1, 2, 3] && rest.values == [33, 34, 35])
  }
}
