import Basics
import Bundles
import Quantities
import Testing

@testable import Analysis
@testable import Charts
@testable import Recordings

@Suite("Charts of several trials")
struct TrialsTogetherTests {
  /// Sixty beats a minute for twenty seconds, and then so many more.
  private func trial(
    _ more: Double, clip: String = "calm", sound: ClosedRange<Double>? = 20.0...30, participant: String = "p01",
    verdict: Verdict = .good, outcome: Outcome = .completed
  ) -> AnalysedRecording {
    let after = 60_000 / (60 + more)
    let beats = Trials.beats(Array(repeating: 1000, count: 20) + Array(repeating: after, count: 60))
    var facts = Trials.facts(sound, clip: clip, participant: participant)
    facts.verdict = verdict
    facts.outcome = outcome
    return AnalysedRecording(Trials.recording(beats, trial: facts), AnalysisSettings(correction: .none))
  }

  @Test("The response is the mean over trials of what follows the onset, with its band")
  func response() throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 20))
    for more in [3.0, 6, 9] { responses.add(trial(more, participant: "p\(more)")) }
    let chart = responses.chart
    let plot = try #require(chart.plots.first)
    #expect(chart.plots.count == 1 && plot.name == "all (3 trials, 3 participants)")
    #expect(plot.bins.map(\.time).first == -9.5 && plot.bins.map(\.time).last == 19.5)
    for bin in plot.bins where bin.time > 1 {
      #expect((bin.mean - 6).magnitude < 1e-9)
      #expect(bin.band.minimum >= 3 - 1e-9 && bin.band.maximum <= 9 + 1e-9 && bin.band.minimum < bin.band.maximum)
    }
    for bin in plot.bins where bin.time < 0 { #expect(bin.mean.magnitude < 1e-9) }
    #expect(chart.annotations.stimuli == [StimulusMark(onset: 0, offset: 10, label: "calm")])
    #expect(chart.heading.notes.isEmpty && !chart.heading.subtitle.contains("in a bin"))
  }

  @Test(
    "A bad trial stays out of averages, a suspect one is in and told, and intervals of few are told to be too narrow")
  func verdicts() throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 20))
    responses.add(trial(3, participant: "p1"))
    responses.add(trial(5, participant: "p2", verdict: .suspect))
    responses.add(trial(40, participant: "p3", verdict: .bad))
    let chart = responses.chart
    #expect(chart.plots.map(\.name) == ["all (2 trials, 2 participants)"])
    #expect((chart.plots[0].bins.last.map(\.mean) ?? 0).rounded() == 4)
    #expect(responses.leftOut.map(\.reason) == ["its verdict is bad"])
    #expect(chart.heading.subtitle.contains("2 trials (1 suspect)"))
    #expect(chart.heading.subtitle.contains("over participants (bootstrap; too narrow of fewer than ten)"))
  }

  @Test("What is counted, and how long the longest sound is, is of the trials that are drawn")
  func counted() throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 20))
    responses.add(trial(3, participant: "p1", verdict: .suspect))
    // Without a response, bad, and stopped.
    responses.add(trial(3, sound: 0...60, participant: "p2", verdict: .suspect))
    responses.add(trial(3, sound: 20...70, participant: "p3", verdict: .bad))
    responses.add(trial(3, sound: 20...21, participant: "p4", verdict: .suspect, outcome: .stopped))
    #expect(responses.count == 1 && responses.longestSound == 10)
    #expect(responses.chart.heading.subtitle.contains("1 trial (1 suspect)"))
    #expect(responses.leftOut.map(\.reason).suffix(2) == ["its verdict is bad", "it was stopped"])
    var all = TrialResponses(try ResponseSettings(before: 10, after: 20), leavingOut: [])
    all.add(trial(3, participant: "p4", outcome: .stopped))
    #expect(all.count == 1)
    var ranges = TrialRanges()
    ranges.add(RecordingCharts(trial(3, outcome: .stopped)))
    #expect(ranges.count == 0 && ranges.leftOut.map(\.reason) == ["it was stopped"])
  }

  @Test("Over the trials of each participant the band is one of trials")
  func byParticipant() throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 20), by: .participant)
    for more in [3.0, 6, 9] { responses.add(trial(more)) }
    #expect(responses.chart.plots.map(\.name) == ["p01 (3 trials)"])
    #expect(responses.chart.heading.subtitle.contains("of the mean over trials"))
    #expect(responses.chart.plots[0].bins.allSatisfy { !$0.band.isUnset })
  }

  @Test("Groups are lines of their own")
  func groups() throws {
    var responses = TrialResponses(try ResponseSettings(before: 5, after: 10), by: .clip)
    for (more, clip) in [(2.0, "slow"), (4, "fast"), (6, "slow")] { responses.add(trial(more, clip: clip)) }
    #expect(responses.chart.plots.map(\.name) == ["fast (1 trial, 1 participant)", "slow (2 trials, 1 participant)"])
    #expect(responses.chart.plots.map { $0.bins.last?.mean.rounded() } == [4, 4])
    #expect(responses.chart.plots[0].bins.allSatisfy { $0.band.isUnset })
    #expect(responses.chart.annotations.stimuli.map(\.label) == ["stimulus"])
  }

  @Test("A trial without an onset, or without a heart rate before it, is left out by name")
  func leftOut() throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 10))
    responses.add(trial(1, sound: nil))
    responses.add(trial(1, sound: 0.0...5))
    responses.add(AnalysedRecording(Trials.recording(trial: Trials.facts(20.0...30))))
    #expect(responses.count == 0)
    #expect(responses.leftOut.count == 3)
    #expect(responses.leftOut[0].reason == "No onset was measured.")
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
    #expect(chart.annotations.references.isEmpty == (baseline == .none))
  }

  @Test("Where a recording has rates and intervals, the response is read off what is known around the onset")
  func twoSources() throws {
    // Intervals at 75 a minute that are lacking around the onset, where the sensor's own rates say 100.
    let beats = Trials.beats(Array(repeating: 800, count: 100))
    var recording = Trials.recording(beats, trial: Trials.facts(40.0...50))
    let ends = beats.ends.filter { !(35...45).contains($0) }
    recording.beats = IntervalSeries(Array(repeating: 800, count: ends.count), ends: ends)
    recording.rates = HeartRates((0..<80).map { (time: Double($0), value: 100.0) })
    let analysed = AnalysedRecording(recording, AnalysisSettings(correction: .none))
    let settings = try ResponseSettings(before: 3, after: 3, baseline: .none)
    var responses = TrialResponses(settings)
    responses.add(analysed)
    let drawn = responses.chart.plots[0].bins.map(\.mean)
    #expect(drawn == analysed.response(settings)?.bins.compactMap(\.value))
    #expect(drawn.allSatisfy { ($0 - 100).magnitude < 1e-9 } && drawn.count == 6)
  }

  @Test("Each trial has its range, and one without heart data its place")
  func ranges() {
    var ranges = TrialRanges()
    ranges.add(RecordingCharts(trial(6)))
    ranges.add(RecordingCharts(Trials.recording(trial: Trials.facts(clip: nil))))
    let chart = ranges.chart
    #expect(chart.intervals == .named(["calm", "–"]))
    #expect(chart.plots[0].ranges[0].minimum == 60)
    #expect((chart.plots[0].ranges[0].maximum - 66).magnitude < 1e-9)
    #expect(chart.plots[0].ranges[1].isUnset)
  }

  @Test("Trials stand in their groups, by their beginnings, and what has none follows")
  func order() {
    var (byClip, byParticipant) = (TrialRanges(), TrialRanges(by: .participant))
    func add(_ charts: RecordingCharts) {
      byClip.add(charts)
      byParticipant.add(charts)
    }
    func add(_ participant: String, clip: String, day: Int?) {
      var facts = Trials.facts(20.0...30, clip: clip, participant: participant)
      facts.start = day.flatMap { WallTime("2026-11-0\($0)T12:00:00Z") }
      add(RecordingCharts(Trials.recording(Trials.breathing(40), trial: facts)))
    }
    add("p6", clip: "wild", day: 2)
    add(RecordingCharts(Recording(path: "norm.csv", beats: Trials.breathing(30), rates: HeartRates([]), trial: nil)))
    add("p3", clip: "wild", day: nil)
    add("p1", clip: "wild", day: 1)
    add("p1", clip: "calm", day: 3)
    typealias Group = RangeChart.Group
    #expect(
      byClip.chart.intervals
        == .grouped([Group("calm", ["p1"]), Group("wild", ["p1", "p6", "p3"]), Group("norm.csv", ["file"])]))
    #expect(
      byParticipant.chart.intervals
        == .grouped([
          Group("p1", ["2026-11-01", "2026-11-03"]), Group("p3", [""]), Group("p6", ["2026-11-02"]),
          Group("norm.csv", ["file"]),
        ]))
  }

  @Test(
    "A bad trial is in no range but among verdicts, and the window is told", arguments: [TrialGrouping.clip, .verdict])
  func badRanges(grouping: TrialGrouping) {
    var ranges = TrialRanges(by: grouping, of: .stimulus)
    var facts = Trials.facts(20.0...30)
    ranges.add(RecordingCharts(Trials.recording(Trials.breathing(40), trial: facts)))
    facts.verdict = .bad
    ranges.add(RecordingCharts(Trials.recording(Trials.breathing(40), trial: facts)))
    #expect(ranges.count == (grouping == .verdict ? 2 : 1))
    #expect(ranges.leftOut.map(\.reason) == (grouping == .verdict ? [] : ["its verdict is bad"]))
    #expect(ranges.chart.heading.subtitle.hasSuffix("lowest to highest of the window “stimulus” of each"))
  }

  @Test("The end of the sound is marked where it was, or not at all where the chart ends before")
  func offset() throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 5))
    responses.add(trial(3))
    let svg = responses.chart.svg()
    #expect(responses.chart.annotations.stimuli.map(\.offset) == [10])
    #expect(svg.contains(">onset<") && !svg.contains(">offset<"))
    #expect(svg.contains("from 0 s to 10 s"))
  }

  /// A trial whose sound was paused, with beats until a time.
  private func paused(_ sounds: [(Double, Double?)], clip: String = "calm", until end: Double = 80) -> AnalysedRecording
  {
    var facts = Trials.facts(clip: clip)
    facts.sounds = sounds.map { TrialFacts.Sound(onset: $0.0, offset: $0.1) }
    return AnalysedRecording(
      Trials.recording(Trials.breathing(Int(end)), trial: facts), AnalysisSettings(correction: .none))
  }

  @Test(
    "A pause of the sound is left open, as in the course of a heart rate",
    arguments: [
      ([[20.0, 25, 30, 45]], ["0–5", "10–25"], "calm"),
      ([[20, 25, 30, 45], [20, 25.2, 30.1, 45]], ["0–5", "10–25"], "calm"),
      ([[20, 25, 30, 45], [20, 50]], ["0–25"], "calm"), ([[20, 45], [20, 28, 29, 52]], ["0–25"], "calm"),
    ])
  func pauses(trials: [[Double]], marks: [String], label: String) throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 30))
    for ends in trials {
      responses.add(paused(stride(from: 0, to: ends.count, by: 2).map { (ends[$0], ends[$0 + 1]) }))
    }
    let chart = responses.chart
    #expect(chart.annotations.stimuli.map { "\(Int($0.onset))–\(Int($0.offset ?? .nan))" } == marks)
    #expect(chart.annotations.stimuli.allSatisfy { $0.label == label })
    let isTold = chart.heading.subtitle.contains("the sound was paused in 1")
    #expect(isTold == (marks.count == 1))
    let svg = chart.svg()
    #expect(svg.contains(">onset<") && svg.contains("from 0 s to "))
  }

  @Test("A sound whose end was not measured is marked where it began")
  func openSound() throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 30))
    responses.add(paused([(20, nil)]))
    #expect(responses.chart.annotations.stimuli == [StimulusMark(onset: 0, offset: nil, label: "calm")])
    #expect(responses.chart.svg().contains("its end not measured."))
  }

  @Test("How many trials a bin is the mean of is reported where that differs, in every output")
  func counts() throws {
    var responses = TrialResponses(try ResponseSettings(before: 10, after: 20))
    for end in [80.0, 34, 34] { responses.add(paused([(20, 30)], until: end)) }
    let one = responses.chart
    #expect(one.heading.subtitle.contains("3 trials, 1 to 3 in a bin, "))
    let note = try #require(one.heading.notes.first)
    #expect(note.hasPrefix("3 trials from -10 s to 1") && note.hasSuffix(", 1 to 20 s."))
    #expect(one.svg().contains(note) && one.svg().contains("1 to 3 in a bin"))
    #expect(one.braille(columns: 160, rows: 30).contains("1 to 3 in a bin"))
    var groups = TrialResponses(try ResponseSettings(before: 10, after: 20), by: .clip)
    for (clip, end) in [("calm", 80.0), ("calm", 34), ("wild", 80)] {
      groups.add(paused([(20, 30)], clip: clip, until: end))
    }
    #expect(
      groups.chart.plots.map(\.name) == [
        "calm (2 trials, 1 to 2 in a bin, 1 participant)", "wild (1 trial, 1 participant)",
      ])
    #expect(groups.chart.heading.notes.count == 1)
    #expect(groups.chart.heading.notes.first?.hasPrefix("calm: 2 trials from -10 s to ") == true)
  }

  @Test("Of many groups those with the most trials are drawn")
  func maxTrials() throws {
    var responses = TrialResponses(try ResponseSettings(before: 5, after: 10), by: .clip)
    for clip in ["a", "b", "c", "b", "d", "d"] { responses.add(trial(3, clip: clip)) }
    let (chart, groups) = responses.chart(most: 2)
    #expect(groups == 4)
    #expect(chart.plots.map { $0.name.prefix(1) } == ["b", "d"])
  }

  @Test("A pie counts trials, in an order that is their own or by their number, and puts the rare ones together")
  func pie() {
    var facts = ["b", "a", "b"].map { Trials.facts(clip: $0) }
    #expect(TrialGrouping.clip.pie(of: facts).segments.map(\.name) == ["b", "a"])
    #expect(TrialGrouping.clip.pie(of: facts).heading.title == "Clips of 3 trials")
    facts[0].verdict = .bad
    facts[1].verdict = nil
    #expect(TrialGrouping.verdict.pie(of: facts).segments.map(\.name) == ["good", "bad", "–"])
    let many = (1...30).flatMap { number in (0..<number).map { _ in Trials.facts(participant: "p\(number)") } }
    let pie = TrialGrouping.participant.pie(of: many)
    // As many as there are colours.
    #expect(pie.segments.count == 7)
    #expect(pie.segments.first == PieChart.Segment("p30", 30, note: "30"))
    #expect(pie.segments.last == PieChart.Segment("24 others", 300, note: "300"))
    #expect(pie.braille(columns: 120, rows: 40).contains("6 % (30)"))
    #expect(pie.segments.reduce(0) { $0 + $1.value } == 465)
    #expect(TrialGrouping.clip.pie(of: []).braille().contains("No trials"))
  }
}
