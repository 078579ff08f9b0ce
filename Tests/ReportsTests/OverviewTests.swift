import Analysis
import Bundles
import Charts
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Reports

@Suite("A report of several trials")
struct OverviewTests {
  private func report(_ overview: Overview) -> Report { Report(overview, local: Pages.local, station: "0.1.0") }

  @Test("tells of each trial how many intervals were measured and how many were altered, as its own report does")
  func rows() async throws {
    let scratch = try ScratchFolder()
    let stories = [Story(extra: [75, 85, 95], missed: [100]), Story(number: 2, participant: "p02")]
    for story in stories { _ = try await story.finish(in: scratch.path) }
    let overview = try Overview.read(ResultsFolder(scratch.path))
    let table = try #require(report(overview).table("What was measured in each trial"))
    #expect(
      table.columns.map(\.title.text) == [
        "no.", "participant", "clip", "before", "stimulus", "after", "change", "RMSSD, ms", "intervals", "artefacts, %",
        "verdict",
      ])
    for (number, trial) in overview.trials.enumerated() {
      let row = "\(number + 1)"
      let own = try #require(
        Report(ReportedTrial.read(try Bundles.Bundle(trial.path)), local: Pages.local, station: "0.1.0")
          .table("Measures by phase"))
      for phase in ["before", "stimulus", "after"] {
        #expect(table.cell(row, phase) == own.cell("mean HR, time-weighted", phase))
      }
      #expect(table.cell(row, "change") == own.cell("mean HR, time-weighted", "change"))
      #expect(table.cell(row, "RMSSD, ms") == own.cell("RMSSD", "stimulus"))
      #expect(table.cell(row, "intervals") == own.cell("intervals", "stimulus"))
      #expect(table.cell(row, "artefacts, %") == own.cell("artefacts", "stimulus"))
      #expect(table.notes(row, "RMSSD, ms") == own.notes("RMSSD", "stimulus"))
    }
    #expect(table.cell("2", "artefacts, %") == "0.0" && table.cell("1", "artefacts, %") != "0.0")
  }

  @Test("lists the answers of each trial, and their means by clip over participants without bad and stopped trials")
  func answers() async throws {
    let scratch = try ScratchFolder()
    let stories = [
      Story(number: 1, participant: "p01", rest: 5, music: 5, rating: 3),
      Story(number: 2, participant: "p01", rest: 5, music: 5, rating: 5),
      Story(number: 3, participant: "p02", rest: 5, music: 5, rating: 9),
      Story(number: 4, participant: "p02", clipName: "dark_preview_4", rest: 5, music: 5),
      Story(number: 5, participant: "p02", rest: 5, music: 5, outcome: .stopped, rating: 1),
    ]
    for story in stories { _ = try await story.finish(in: scratch.path) }
    let report = report(try Overview.read(ResultsFolder(scratch.path)))
    let each = try #require(report.table("The answers of each trial"))
    #expect(["1", "2", "3", "5"].map { each.cell($0, "valence") } == ["3", "5", "9", "1"])
    #expect(each.cell("4", "valence") == nil)
    let means = try #require(report.table("Mean answers by clip"))
    #expect(means.cell("chill_preview_4", "participants") == "2" && means.cell("chill_preview_4", "trials") == "3")
    // Of 3 and 5 in one and 9 in the other participant: (4 + 9) / 2, and SD over the two.
    #expect(means.cell("chill_preview_4", "mean") == "6.50" && means.cell("chill_preview_4", "SD") == "3.54")
    let plain = try ScratchFolder()
    _ = try await Story(rest: 5, music: 5).finish(in: plain.path)
    #expect(self.report(try Overview.read(ResultsFolder(plain.path))).table("The answers of each trial") == nil)
  }

  @Test("lists texts without means, the last one of a question that was asked again")
  func texts() async throws {
    let scratch = try ScratchFolder()
    _ = try await Story(number: 1, rest: 5, music: 5, remarks: ["first", "<b>\u{202E}last</b>"]).finish(
      in: scratch.path)
    var report = report(try Overview.read(ResultsFolder(scratch.path)))
    #expect(report.table("The answers of each trial")?.cell("1", "you, remark") == "<b>\u{202E}last</b>")
    #expect(report.table("Mean answers by clip") == nil)
    _ = try await Story(number: 2, rest: 5, music: 5, rating: 4, remarks: ["more"]).finish(in: scratch.path)
    report = self.report(try Overview.read(ResultsFolder(scratch.path)))
    #expect(report.table("Mean answers by clip")?.cell("chill_preview_4", "mean") == "4.00")
  }

  @Test("tells which bundle a row is of, and by which protocol, where there are several")
  func protocols() async throws {
    let scratch = try ScratchFolder()
    for (number, title) in ["one", "one", "other"].enumerated() {
      _ = try await Story(number: number + 1, protocolTitle: title, rest: 5, music: 5).finish(in: scratch.path)
    }
    let overview = try Overview.read(ResultsFolder(scratch.path))
    let report = report(overview)
    let table = try #require(report.table("The trials, oldest first"))
    for (number, trial) in overview.trials.enumerated() {
      #expect(table.cell("\(number + 1)", "trial") == trial.facts.trial)
      let digest = try #require(trial.usedProtocol.sha256)
      #expect(table.cell("\(number + 1)", "protocol") == "RestMusicRest 1.0 \(digest.prefix(8))")
    }
    let facts = report.sections.flatMap(\.facts).filter { $0.term == "protocol" }.map(\.words.text)
    #expect(facts.count == 2)
    for (title, number) in [("one", "2 trials"), ("other", "1 trial")] {
      #expect(facts.contains { $0.hasPrefix("RestMusicRest 1.0, “\(title)”, \(number), SHA-256 ") })
    }
    #expect(report.fact("stations") == "booth version 0.1.0")
  }

  @Test("counts the bundles whose files are what their manifests list, and names the others")
  func files() async throws {
    let scratch = try ScratchFolder()
    let path = try await Story(rest: 5, music: 5).finish(in: scratch.path)
    _ = try await Story(number: 2, rest: 5, music: 5).finish(in: scratch.path)
    func overview() throws -> Overview { try Overview.read(ResultsFolder(scratch.path)) }
    #expect(
      try report(overview()).fact("files")
        == "data/result.json and data/heart.json of all 2 bundles are what their manifests list, by SHA-256")
    let heart = "\(path)/data/heart.json"
    let text = String(decoding: try Data(contentsOf: URL(filePath: heart)), as: UTF8.self)
    try Data(text.replacing("\"contact\":true", with: "\"contact\":false").utf8).write(to: URL(filePath: heart))
    let changed = try overview()
    let page = report(changed)
    #expect(page.fact("files")?.contains("of 1 of 2 bundles are what the manifests list") == true)
    let table = try #require(page.table("Bundles whose files are not what their manifests list"))
    let name = try #require(path.split(separator: "/").last)
    #expect(table.cell(String(name), "files")?.hasPrefix("“data/heart.json” has changed") == true)
    #expect(changed.problems.contains { $0.contains("\(name)”: “data/heart.json” has changed") })
    #expect(changed.trials.map(\.fileProblems.count) == [1, 0])
    // Where the folder lies is nobody's business.
    #expect(!page.html().contains(scratch.path))
  }

  @Test("shows a session in its planned order, with what was done, its own steps, and answers by condition")
  func order() async throws {
    let scratch = try ScratchFolder()
    let report = try await Pages.designed(in: scratch["study"])
    let order = try #require(report.table("The planned order"))
    #expect((1...4).map { order.cell("\($0)", "condition") } == ["calm (practice)", "calm", "silence", "dark"])
    #expect((1...4).map { order.cell("\($0)", "position") } == ["1", "1", "2", "3"])
    #expect(order.cell("4", "verdict") == "not performed" && order.cell("2", "verdict") != "not performed")
    let steps = try #require(report.table("The session's own steps"))
    #expect(steps.cell("baseline", "lasted") == "20.0 s")
    // The trial that was performed again counts once; what lies around trials is none.
    let trials = try #require(report.table("The trials, oldest first"))
    #expect(trials.rowCount == 3)
    let answers = try #require(report.table("The answers of each trial"))
    #expect(answers.cell("–", "condition") == "around the trials" && answers.cell("–", "you, remark") == "slept well")
    let means = try #require(report.table("Mean answers by condition"))
    #expect(means.groups.first?.rows.map { $0.cells[0].text } == ["calm", "silence"])
    #expect(means.cell("calm", "mean") == "4.00")
    #expect(report.html().withoutSpans.contains("station show --replay sessions/"))
  }

  @Test("defines what it tells means of, beside them")
  func definitions() async throws {
    let scratch = try ScratchFolder()
    _ = try await Story().finish(in: scratch.path)
    let overview = try Overview.read(ResultsFolder(scratch.path))
    let report = report(overview)
    let groups = try #require(report.table("Means by clip")).groups.compactMap(\.title?.text)
    let measured = AnalysedRecording(
      try #require(ReportedTrial.read(try Bundles.Bundle(overview.trials[0].path)).recordings.first)
    ).measured(in: .stimulus, OverviewMeasures.measures).measurements
    for one in measured {
      #expect(groups.contains { $0.hasPrefix("\(one.measure.title), ") && $0.hasSuffix(": \(one.definition)") })
    }
    #expect(groups.contains { $0.contains("difference from preStimulus") && $0.contains("less that of preStimulus") })
    #expect(report.fact("preset") == "station" && report.fact("artefacts") == "lipponen-tarvainen")
    #expect(
      report.html().withoutSpans.contains(
        "station analyse . --by clip --measure timeWeightedHeartRate --baseline preStimulus"))
  }

  @Test("gives the spread over the trials of a single participant, and says so")
  func single() async throws {
    let scratch = try ScratchFolder()
    for number in 1...3 {
      var story = Story(number: number)
      story.effect = Double(number)
      _ = try await story.finish(in: scratch.path)
    }
    let report = report(try Overview.read(ResultsFolder(scratch.path)))
    let row = try #require(report.table("Means by clip")).groups.first?.rows.first?.cells.map(\.text) ?? []
    #expect(row.prefix(3).suffix(2) == ["1", "3"])
    #expect(row.count == 6 && Double(row[4]) != nil && row[5].contains(" to "), "\(row)")
    #expect(report.html().contains("over the trials of the one participant"))
    #expect(report.html().contains("All trials are of one participant"))
  }

  @Test("says what is missing where one trial has no spread")
  func lone() async throws {
    let scratch = try ScratchFolder()
    _ = try await Story().finish(in: scratch.path)
    let report = report(try Overview.read(ResultsFolder(scratch.path)))
    #expect(report.html().contains("SD and CI need two trials; a group of one trial has dashes."))
  }

  @Test("keeps the verdict in sight beside names without a place to break at, and options of commands whole")
  func wide() async throws {
    let scratch = try ScratchFolder()
    var story = Story()
    story.clipName = "a_rather_long_clip_name_preview_4"
    _ = try await story.finish(in: scratch.path)
    let page = report(try Overview.read(ResultsFolder(scratch.path))).html()
    #expect(page.contains(#"<table class="many graded">"#))
    #expect(page.contains(#"<bdi class="long">a_rather_long_clip_name_preview_4</bdi>"#))
    #expect(page.contains("<span>--definitions</span>"))
  }

  @Test(
    "measures the window that is asked for, compared as it is asked for",
    arguments: [
      (ReportSettings(window: .seconds(0...20)), ["before", "0 to 20 s", "change"]),
      (ReportSettings(window: .seconds(0...20), baseline: nil), ["0 to 20 s"]),
      (
        ReportSettings(baseline: .seconds(-5...0), change: .percent),
        ["-5 to 0 s", "before", "stimulus", "after", "change, %"]
      ),
      (ReportSettings(window: .preStimulus), ["before"]),
      (ReportSettings(baseline: nil), ["before", "stimulus", "after"]),
    ])
  func windows(settings: ReportSettings, columns: [String]) async throws {
    let scratch = try ScratchFolder()
    _ = try await Story(effect: 10).finish(in: scratch.path)
    let overview = try Overview.read(ResultsFolder(scratch.path), .init(), settings)
    let table = try #require(report(overview).table("What was measured in each trial"))
    let titles = table.columns.map { $0.title.text.replacing("−", with: "-") }
    #expect(
      titles == ["no.", "participant", "clip"] + columns + ["RMSSD, ms", "intervals", "artefacts, %", "verdict"])
    let analysed = AnalysedRecording(
      try #require(ReportedTrial.read(try Bundles.Bundle(overview.trials[0].path)).recordings.first))
    let window = settings.window ?? .stimulus
    let rmssd = try #require(analysed.measured(in: window).value(.rmssd))
    #expect(table.cell("1", "RMSSD, ms") == rmssd.decimals(1))
    let rate = try #require(analysed.measured(in: window).value(.timeWeightedHeartRate))
    #expect(table.cell("1", OverviewMeasures.name(of: window)) == rate.decimals(1))
    guard let baseline = overview.measures.baseline else { return }
    let before = try #require(analysed.measured(in: baseline).value(.timeWeightedHeartRate))
    let isPercent = settings.change == .percent
    let change = isPercent ? 100 * (rate - before) / before : rate - before
    #expect(table.cell("1", isPercent ? "change, %" : "change") == change.change(1))
  }

  @Test("draws so many trials of a session at most, on one axis, and says how to draw the others")
  func courses() async throws {
    let scratch = try ScratchFolder()
    // Made in another order than that of time.
    let numbers = (1...Overview.maxDrawn + 3).reversed()
    for number in numbers {
      _ = try await Story(number: number, rest: 4, music: 6, effect: Double(2 * number)).finish(in: scratch.path)
    }
    let overview = try Overview.read(ResultsFolder(scratch.path), TrialSelection(participant: "p01"))
    let report = report(overview)
    let charts = report.pictures.compactMap { $0.chart as? LineChart }
    #expect(charts.count == Overview.maxDrawn)
    #expect(overview.trials.count == Overview.maxDrawn + 3)
    #expect(overview.trials.prefix(Overview.maxDrawn).allSatisfy { !$0.charts.isEmpty })
    let range = try #require(charts[0].vertical.range)
    #expect(charts.allSatisfy { $0.vertical.range == range })
    let rates = charts.flatMap(\.plots).flatMap(\.points).map(\.y).filter(\.isFinite)
    #expect(rates.allSatisfy(range.contains))
    let page = report.html()
    #expect(page.contains("The oldest 20 are drawn, and 3 trials more not."))
    let next = overview.trials[Overview.maxDrawn].facts.trial
    #expect(page.withoutSpans.contains("station chart heartRate bundles/\(next)"))
    #expect(try Overview.read(ResultsFolder(scratch.path)).trials.allSatisfy(\.charts.isEmpty))
  }

  @Test("goes by group where participants have groups, and names the step of those without a sound")
  func groups() async throws {
    let scratch = try ScratchFolder()
    for number in 1...4 {
      var story = Story(number: number, participant: "p0\(number)", rest: 20, music: 30)
      story.group = number < 3 ? "music" : "silence"
      if number > 2 { (story.clip, story.hasSound) = (nil, false) }
      _ = try await story.finish(in: scratch.path)
    }
    let report = report(try Overview.read(ResultsFolder(scratch.path)))
    let means = try #require(report.table("Means by group"))
    #expect(means.groups.first?.rows.map { $0.cells[0].text }.contains("music") == true)
    #expect(report.html().withoutSpans.contains("analyse . --by group"))
    #expect(report.html().withoutSpans.contains("--event stimulus,step:"))
  }

  @Test(
    "puts conditions before groups, and groups before clips",
    arguments: [
      (true, true, [TrialGrouping.condition, .group, .clip, .mood]), (false, true, [.group, .clip, .condition, .mood]),
      (true, false, [.condition, .clip, .mood]), (false, false, [.clip, .condition, .mood]),
    ])
  func order(hasDesign: Bool, hasGroups: Bool, groupings: [TrialGrouping]) {
    #expect(
      OverviewMeasures(ReportSettings(), hasDesign: hasDesign, hasGroups: hasGroups).groupings == groupings)
  }
}
