import Basics
import Bundles
import Recordings
import TestSupport
import Testing

@testable import Analysis

@Suite("Trials put together")
struct TrialsTogetherTests {
  private static let measures: [Measure] = [.timeWeightedHeartRate, .sdnn]

  /// A heart that beats evenly for a minute, at 60 beats a minute and from 20 s on at another rate.
  private func recording(
    _ rate: Double, _ participant: String, clip: String? = "rain", verdict: Verdict = .good, sound: Bool = true,
    outcome: Outcome = .completed,
    sensor: String? = "strap", name: String? = nil
  ) -> Recording {
    let beats = Array(repeating: 1000.0, count: 20) + Array(repeating: 60_000 / rate, count: Int(rate * 2 / 3))
    let facts = TrialFacts(
      trial: name ?? "t", participant: participant, session: "1", condition: "Task", clip: clip, mood: nil, start: nil,
      outcome: outcome, verdict: verdict, reasons: [],
      sounds: sound ? [TrialFacts.Sound(onset: 20, offset: 50)] : [],
      steps: [TrialFacts.Step(identifier: "rest", shown: 0, left: 20)])
    return Recording(path: name ?? participant, sensor: sensor, beats: IntervalSeries(beats), trial: facts)
  }

  private func together(
    _ trials: [[Recording]], _ analysis: TrialAnalysis? = nil, by grouping: TrialGrouping = .clip,
    leavingOut omissions: Set<TrialOmission> = TrialOmission.usual
  ) -> TrialsTogether {
    let analysis = analysis ?? TrialAnalysis(AnalysisSettings(correction: .none, measures: Self.measures))
    var together = TrialsTogether(analysis, by: grouping, leavingOut: omissions)
    for recordings in trials {
      together.take(analysis.outcome(of: recordings, at: TrialPlace(path: recordings[0].path)))
    }
    return together
  }

  private func rates(_ together: TrialsTogether) throws -> TrialsTogether.Summary {
    try #require(together.summaries().first { $0.measure == .timeWeightedHeartRate })
  }

  @Test("are averaged within participants first; bad ones stay out, suspect ones are in and counted")
  func verdicts() throws {
    let all = together([
      [recording(60, "p1")], [recording(80, "p1")], [recording(90, "p2", verdict: .suspect)],
      [recording(200, "p3", verdict: .bad)],
    ])
    let group = try #require(try rates(all).groups.first).summary
    // p1's mean is 70, p2's 90.
    #expect((try #require(group.mean) - 80).magnitude < 0.5)
    #expect(group.participants == 2 && group.trials == 3 && group.over == .participants)
    #expect(all.counts.trials == 4 && all.counts.participants == 3 && all.counts.suspect == 1 && all.counts.bad == 1)
    #expect(all.intervalCaveat(all.summaries())?.description.contains("2 observations") == true)
  }

  @Test("that were stopped stay out unless they are taken in; among outcomes they are a group of their own")
  func stopped() throws {
    let trials = [
      [recording(60, "p1")], [recording(80, "p2")], [recording(200, "p3", verdict: .suspect, outcome: .stopped)],
      [recording(200, "p4", verdict: .bad, outcome: .stopped)],
    ]
    let all = together(trials)
    #expect(try rates(all).groups.map(\.summary.trials) == [2])
    #expect(all.counts.stopped == 1 && all.counts.bad == 1 && all.counts.suspect == 0 && all.counts.used == 2)
    let included = together(trials, leavingOut: TrialSelection(includesStopped: true).omissions)
    #expect(try rates(included).groups.map(\.summary.trials) == [3])
    #expect(included.counts.stopped == 0 && included.counts.bad == 1 && included.counts.suspect == 1)
    #expect(try rates(together(trials, by: .outcome)).groups.map(\.name) == ["completed", "stopped"])
    #expect(TrialSelection(includesStopped: true).isAll)
  }

  @Test("are counted as suspect where they have a number that is put together with others")
  func suspectWithoutNumber() throws {
    let all = together([
      [recording(60, "p1")], [recording(80, "p2", verdict: .suspect)],
      [recording(75, "p3", verdict: .suspect, sound: false)],
    ])
    #expect(all.counts.trials == 3 && all.counts.used == 2 && all.counts.suspect == 1)
  }

  @Test("are measured over the stimulus alone; one without it has no number, and is reported with its group")
  func strictWindow() throws {
    let all = together([
      [recording(60, "p1")], [recording(80, "p2")], [recording(75, "p1", clip: nil, sound: false)],
      [recording(75, "p2", clip: nil, sound: false)], [recording(75, "p1", clip: "rain", sound: false)],
    ])
    let summary = try rates(all)
    #expect(summary.window == .stimulus)
    #expect(summary.groups.map(\.name) == ["rain"] && summary.groups[0].summary.trials == 2)
    #expect(all.leftOut.map(\.group) == ["rain", nil] && all.leftOut.map(\.trials) == [1, 2])
    for one in all.leftOut {
      #expect(Set(one.measures) == Set(Self.measures) && !one.reason.description.isEmpty)
    }
  }

  @Test("of no trial are not those of trials: windows are never mixed, and each file is somebody's")
  func files() throws {
    var file = recording(100, "nobody", name: "a.txt")
    file.trial = nil
    var other = file
    other.path = "b.txt"
    let all = together([[recording(60, "p1", clip: nil)], [file], [other]], by: .mood)
    let summaries = all.summaries().filter { $0.measure == .timeWeightedHeartRate }
    #expect(summaries.map(\.window) == [.stimulus, .whole])
    #expect(summaries.map(\.groups[0].summary.participants) == [1, 2])
    #expect(all.counts.trials == 1 && all.counts.files == 2 && all.counts.participants == 1)
    let byParticipant = together([[file], [other]], by: .participant)
    #expect(byParticipant.summaries().isEmpty)
    #expect(
      byParticipant.leftOut.map(\.trials) == [2]
        && byParticipant.leftOut[0].reason.description.contains("no participant"))
  }

  @Test("tell sensors apart by all trials, so that one in which a sensor failed stays with its sensor")
  func sensors() throws {
    let both = [recording(60, "p1"), recording(120, "p1", sensor: "watch")]
    let all = together([both, [recording(90, "p2")]])
    let summaries = all.summaries().filter { $0.measure == .timeWeightedHeartRate }
    #expect(all.tellsSensorsApart && summaries.map(\.sensor) == ["strap", "watch"])
    #expect(summaries.map(\.groups[0].summary.participants) == [2, 1])
    // Each has one: booths differ in its name.
    let booths = together([[recording(60, "p1", sensor: "a")], [recording(90, "p2", sensor: "b")]])
    #expect(!booths.tellsSensorsApart)
    #expect(try rates(booths).sensor == nil && rates(booths).groups[0].summary.participants == 2)
  }

  @Test("without a clip are another group than those of a clip called none, and can be what others are compared with")
  func none() throws {
    var analysis = TrialAnalysis(AnalysisSettings(correction: .none, measures: [.timeWeightedHeartRate]))
    analysis.window = .step("rest")
    let all = together(
      [
        [recording(60, "p1", clip: nil)], [recording(60, "p1", clip: "none")], [recording(60, "p1", clip: "rain")],
      ], analysis)
    #expect(all.groups == ["none", "rain", nil])
    let summary = try #require(all.summaries(comparing: .reference(nil)).first)
    #expect(summary.groups.map(\.name) == ["none", "rain", nil])
    #expect(summary.differences.map(\.to) == ["none", "rain"] && summary.differences.allSatisfy { $0.from == nil })
  }

  @Test("of one participant have means over trials, which say so", arguments: [TrialGrouping.participant, .clip])
  func over(grouping: TrialGrouping) throws {
    var analysis = TrialAnalysis(AnalysisSettings(correction: .none, measures: [.timeWeightedHeartRate]))
    analysis.response = try ResponseSettings(before: 10, after: 10)
    let all = together([60.0, 70, 80].map { [recording($0, "p1")] }, analysis, by: grouping)
    let unit: SamplingUnit = grouping == .participant ? .trials : .participants
    let group = try rates(all).groups[0].summary
    let response = try #require(all.averagedResponses.first).average
    #expect(all.over == unit && response.over == unit)
    // A spread over participants needs two of them.
    #expect(all.spread == .trials && group.over == .trials && group.interval != nil)
    let notes = all.spreadNotes(all.summaries(), all.averagedResponses)
    #expect(notes.isEmpty == (unit == .trials))
    #expect((response.bins[15].interval != nil) == (unit == .trials))
    #expect(response.trials == 3 && response.participants == 1)
  }

  @Test("have a change from a baseline whose window, beats and caveats stand in the row")
  func baseline() throws {
    var analysis = TrialAnalysis(
      AnalysisSettings(correction: .none, measures: [.sdnn, .timeWeightedHeartRate]), baseline: .seconds(-5...0))
    let one = recording(80, "p1")
    let rows = analysis.rows(of: AnalysedRecording(one, analysis.settings), at: TrialPlace(path: "x"))
    let rate = rows[1]
    #expect((try #require(rate.change) - 20).magnitude < 1e-6 && rate.changeUnit == "/min")
    #expect(rate.baseline?.window.bounds == 15...20 && rate.baseline?.measurement.beatsUsed == 5)
    #expect(
      rows[0].caveats.map(\.description).contains {
        $0.contains("the windows differ") && $0.contains("of the baseline")
      })
    #expect(rows[0].caveats.map(\.description).contains { $0.hasPrefix("Baseline: ") })
    #expect(rate.quantity.title == "mean HR, time-weighted, difference from -5:0")
    let json = rate.json(StudyColumns())
    #expect(json["changeKind"]?.string == "difference" && json["baselineFrom_s"]?.number == 15)
    #expect(json["baselineBeats"]?.integer == 5 && json["artefacts"]?.string == "none")
    analysis.change = .percent
    let share = analysis.rows(of: AnalysedRecording(one, analysis.settings), at: TrialPlace(path: "x"))[1]
    #expect((try #require(share.change) - 100.0 / 3).magnitude < 1e-6 && share.changeUnit == "%")
  }

  @Test("have rows with as many cells as columns, and numbers that JSON and the table write alike")
  func cells() throws {
    let analysis = TrialAnalysis(AnalysisSettings(correction: .none, measures: [.timeWeightedHeartRate]))
    let row = analysis.rows(of: AnalysedRecording(recording(70, "p,1"), analysis.settings), at: TrialPlace(path: "x"))[
      0]
    #expect(Set(TrialRow.columns.map(\.name)).count == TrialRow.columns.count)
    #expect(row.json(StudyColumns()).object?.count == TrialRow.columns.count)
    #expect(row.csv(StudyColumns()).hasPrefix("\"p,1\",1,t,,,,,,Task,,,,,false,,rain,,,strap,,timeWeightedHeartRate,"))
    let value = try #require(row.json(StudyColumns())["value"])
    #expect(row.csv(StudyColumns()).contains(",timeWeightedHeartRate,\(value.text()),"))
    #expect(JSONValue.cell(seconds: -1.0658141036401503e-14) == .number(0))
    #expect(JSONValue.cell(seconds: 1e305) == nil && JSONValue.cell(seconds: .infinity) == nil)
  }

  @Test("name the steps there are where a window is a step that no trial came to")
  func steps() {
    let all = together([[recording(60, "p1")]])
    #expect(all.missingStep(.step("rest")) == nil && all.missingStep(.stimulus) == nil)
    let missing = all.missingStep(.step("music"))
    #expect(missing?.name == "music" && missing?.known == ["rest"])
    #expect(all.missingStep([.step("nope"), .step("music")])?.name == "nope")
    for other in [EventSource.stimulus, .step("rest"), .seconds(5, nil)] {
      #expect(all.missingStep([.step("nope"), other]) == nil)
    }
  }

  @Test("are warned of once, with their number and the range of what differs")
  func warnings() throws {
    let all = together([[recording(60, "p1")], [recording(80, "p2")]])
    let short = try #require(all.caveats.first { "\($0.sentence)".contains("shorter than 300 s") })
    #expect(short.trials == 2 && short.measures == [.sdnn])
    #expect("\(short.sentence)".hasPrefix("The window of ") && "\(short.sentence)".contains("(Task Force 1996)"))
  }
}
