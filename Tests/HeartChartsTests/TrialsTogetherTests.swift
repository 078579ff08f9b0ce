import Analysis
import Bundles
import Charts
import Recordings
import Testing

@testable import HeartCharts

@Suite("Charts of several trials")
struct TrialsTogetherTests {
  /// Sixty beats a minute for twenty seconds, and then so many more.
  private func trial(_ more: Double, clip: String = "calm", sound: ClosedRange<Double>? = 20.0...30) -> RecordingCharts
  {
    let after = 60_000 / (60 + more)
    let beats = Trials.beats(Array(repeating: 1000, count: 20) + Array(repeating: after, count: 60))
    return RecordingCharts(
      Trials.recording(beats, trial: Trials.facts(sound, clip: clip)), AnalysisSettings(correction: .none))
  }

  @Test("The response is the mean over trials of what follows the onset, with its band")
  func response() throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 20))
    for more in [3.0, 6, 9] { responses.add(trial(more)) }
    let chart = responses.chart
    let plot = try #require(chart.plots.first)
    #expect(chart.plots.count == 1 && plot.name == "all (3)")
    #expect(plot.bins.map(\.time).first == -9.5 && plot.bins.map(\.time).last == 19.5)
    for bin in plot.bins where bin.time > 1 {
      #expect((bin.mean - 6).magnitude < 1e-9)
      #expect(bin.band.minimum >= 3 - 1e-9 && bin.band.maximum <= 9 + 1e-9 && bin.band.minimum < bin.band.maximum)
    }
    for bin in plot.bins where bin.time < 0 { #expect(bin.mean.magnitude < 1e-9) }
    #expect(chart.stimulusDuration == 10)
    #expect(chart.stimulusLabel == "calm")
  }

  @Test("Groups are lines of their own")
  func groups() throws {
    var responses = TrialResponses(try ResponseSettings(before: 5, after: 10), by: .clip)
    for (more, clip) in [(2.0, "slow"), (4, "fast"), (6, "slow")] { responses.add(trial(more, clip: clip)) }
    #expect(responses.chart.plots.map(\.name) == ["fast (1)", "slow (2)"])
    #expect(responses.chart.plots.map { $0.bins.last?.mean.rounded() } == [4, 4])
    #expect(responses.chart.plots[0].bins.allSatisfy { $0.band.isUnset })
    #expect(responses.chart.stimulusLabel == "stimulus")
  }

  @Test("A trial without an onset, or without a heart rate before it, is left out by name")
  func leftOut() throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 10))
    responses.add(trial(1, sound: nil))
    responses.add(trial(1, sound: 0.0...5))
    responses.add(RecordingCharts(Trials.recording(trial: Trials.facts(20.0...30))))
    #expect(responses.responses.isEmpty)
    #expect(responses.leftOut.count == 3)
    #expect(responses.leftOut[0].reason == "no onset of a sound was measured in it")
    #expect(responses.leftOut[1].reason.contains("0 % of the baseline"))
    #expect(responses.chart.braille().contains("No trial has a response"))
  }

  @Test(
    "What a response is compared with stands on its axis",
    arguments: [
      (ResponseSettings.Baseline.none, "Heart rate (count/min)", 66.0),
      (.difference, "Change of heart rate (count/min)", 6), (.percent, "Change of heart rate (%)", 10),
    ])
  func baselines(baseline: ResponseSettings.Baseline, title: String, value: Double) throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 10, baseline: baseline))
    responses.add(trial(6))
    let chart = responses.chart
    #expect(chart.vertical.title == title)
    #expect((try #require(chart.plots[0].bins.last).mean - value).magnitude < 1e-9)
    #expect(chart.references.isEmpty == (baseline == .none))
  }

  @Test("Each trial has its range, and one without heart data its place")
  func ranges() {
    var ranges = TrialRanges()
    ranges.add(trial(6))
    ranges.add(RecordingCharts(Trials.recording(trial: Trials.facts(clip: nil))))
    let chart = ranges.chart()
    #expect(chart.intervals == ["calm", "none"])
    #expect(chart.plots[0].ranges[0].minimum == 60)
    #expect((chart.plots[0].ranges[0].maximum - 66).magnitude < 1e-9)
    #expect(chart.plots[0].ranges[1].isUnset)
  }

  @Test("A pie counts trials, in an order that is their own or by their number, and puts the rare ones together")
  func pie() {
    var facts = ["b", "a", "b"].map { Trials.facts(clip: $0) }
    #expect(TrialGrouping.clip.pie(of: facts).segments.map(\.name) == ["b: 2", "a: 1"])
    #expect(TrialGrouping.clip.pie(of: facts).heading.title == "Clips of 3 trials")
    facts[0].grade = .bad
    facts[1].grade = nil
    #expect(TrialGrouping.verdict.pie(of: facts).segments.map(\.name) == ["good: 1", "bad: 1", "none: 1"])
    let many = (1...30).flatMap { number in (0..<number).map { _ in Trials.facts(participant: "p\(number)") } }
    let pie = TrialGrouping.participant.pie(of: many)
    #expect(pie.segments.count == 9)
    #expect(pie.segments.first?.name == "p30: 30")
    #expect(pie.segments.last?.name == "22 others: 253")
    #expect(pie.segments.reduce(0) { $0 + $1.value } == 465)
    #expect(TrialGrouping.clip.pie(of: []).braille().contains("No trials"))
  }
}
