import Foundation
import Recordings
import TestSupport
import Testing

@testable import Analysis
@testable import Charts
@testable import Reports

@Suite("The numbers of a report")
struct NumbersTests {
  /// Numbers by hand, of the intervals that lie wholly in a window.
  private struct ByHand {
    let rate: Double
    let weighted: Double
    let rmssd: Double
    let sdnn: Double
    let count: Int

    init(_ beats: IntervalSeries, _ window: ClosedRange<Double>) {
      let intervals = zip(beats.intervals, beats.ends)
        .filter { $1 - $0 / 1000 >= window.lowerBound - 1e-9 && $1 <= window.upperBound + 1e-9 }.map(\.0)
      let mean = intervals.reduce(0, +) / Double(intervals.count)
      let squares = zip(intervals, intervals.dropFirst()).map { ($1 - $0) * ($1 - $0) }
      count = intervals.count
      rate = intervals.reduce(0) { $0 + 60_000 / $1 } / Double(count)
      weighted = 60_000 / mean
      rmssd = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
      sdnn = (intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count - 1)).squareRoot()
    }
  }

  private static func fixed(_ number: Double) -> String {
    String(format: "%.1f", number).replacingOccurrences(of: "-", with: "−")
  }

  private static func signed(_ number: Double) -> String { (number > 0 ? "+" : "") + fixed(number) }

  @Test("are those of each phase's own intervals, and their differences")
  func measures() async throws {
    let scratch = try ScratchFolder()
    // Without artefacts, so that what is measured is what was recorded.
    let trial = try await Pages.read(Story(effect: 12), in: scratch.path)
    let report = Report(
      trial, ReportSettings(analysis: AnalysisSettings(correction: .none)), local: Pages.local, station: "0.1.0")
    let beats = try #require(trial.recordings.first?.beats)
    let stimulus = try #require(trial.facts.event()?.window)
    let windows = [
      ("before", beats.start...stimulus.lowerBound), ("stimulus", stimulus), ("after", stimulus.upperBound...beats.end),
    ]
    let table = try #require(report.table("Measures by phase"))
    var byHand: [ByHand] = []
    for (name, window) in windows {
      let numbers = ByHand(beats, window)
      byHand.append(numbers)
      #expect(table.cell("mean HR", name) == Self.fixed(numbers.rate), "\(name)")
      #expect(table.cell("RMSSD", name) == Self.fixed(numbers.rmssd), "\(name)")
      #expect(table.cell("SDNN", name) == Self.fixed(numbers.sdnn), "\(name)")
      #expect(table.cell("intervals", name) == "\(numbers.count)", "\(name)")
    }
    #expect(table.cell("mean HR", "change") == Self.signed(byHand[1].rate - byHand[0].rate))
    #expect(table.cell("mean HR", "recovery") == Self.signed(byHand[2].rate - byHand[1].rate))
    #expect(table.cell("RMSSD", "change") == Self.signed(byHand[1].rmssd - byHand[0].rmssd))
    // The story's heart is quickened by twelve beats a minute.
    #expect(byHand[1].rate - byHand[0].rate > 8)
  }

  @Test("of charts are those of the table beside them")
  func charts() async throws {
    let report = try await Pages.trial(Story(extra: [40], missed: [70]))
    let table = try #require(report.table("Measures by phase"))
    let plot = try #require(report.pictures.lazy.compactMap { $0.chart as? PoincarePlot }.first)
    let ellipse = try #require(plot.ellipse)
    #expect(table.cell("SD1", "stimulus") == Self.fixed(ellipse.sd1))
    #expect(table.cell("SD2", "stimulus") == Self.fixed(ellipse.sd2))
    #expect(table.cell("mean NN", "stimulus") == Self.fixed(ellipse.mean))
    let spectrum = try #require(report.pictures.lazy.compactMap { $0.chart as? SpectrumChart }.first)
    let step = spectrum.points[1].x - spectrum.points[0].x
    let power = spectrum.points.filter { $0.x >= 0.15 && $0.x < 0.4 }.reduce(0) { $0 + $1.y * step }
    let written = try #require(table.cell("HF", "stimulus").flatMap(Double.init))
    #expect((power - written).magnitude <= 0.5)
  }

  @Test("of the response are the chart's, and the sound is as long as it was heard")
  func response() async throws {
    let scratch = try ScratchFolder()
    let trial = try await Pages.read(Story(), in: scratch.path)
    let report = Report(trial, local: Pages.local, station: "0.1.0")
    let chart = try #require(report.pictures.lazy.compactMap { $0.chart as? ResponseChart }.first)
    let table = try #require(report.table("The heart rate of each 1 s around the onset"))
    let bins = try #require(chart.plots.first).bins
    #expect(table.rowCount == 40 && bins.count == 40)
    for (row, bin) in zip(table.groups.flatMap(\.rows), bins) {
      #expect(row.cells[3].text == Self.signed(bin.mean) || bin.mean.magnitude < 0.05)
    }
    // By hand: every moment of the second counts alike.
    let beats = try #require(trial.recordings.first?.beats)
    let onset = try #require(trial.facts.sounds.first?.onset)
    let spans = zip(beats.intervals, beats.ends).map { (rate: 60_000 / $0, from: $1 - $0 / 1000, to: $1) }
    let parts = spans.map { (rate: $0.rate, time: max(0, min($0.to, onset + 6) - max($0.from, onset + 5))) }
    let rate = parts.reduce(0) { $0 + $1.rate * $1.time } / parts.reduce(0) { $0 + $1.time }
    let row = table.groups.flatMap(\.rows).first { $0.cells[0].text == "5" }
    #expect(row?.cells[2].text == Self.fixed(rate))
    // Not cut at the chart's end, where nothing ended.
    let sound = try #require(chart.annotations.stimuli.first)
    #expect(chart.annotations.stimuli.count == 1 && sound.onset == 0)
    #expect((try #require(sound.offset) - 40).magnitude < 1e-6)
  }

  @Test("before the onset stay where the offset was not measured")
  func withoutOffset() async throws {
    let report = try await Pages.trial(Story(hasOffset: false))
    let table = try #require(report.table("Measures by phase"))
    #expect(table.columns.map(\.title.text) == ["measure", "before", "from the onset on", "unit", "definition"])
    let before = table.cell("RMSSD", "before").flatMap(Double.init)
    #expect(before != nil)
  }

  @Test("are of the window that was asked for, by the preset that was asked for, and the page says how to repeat that")
  func choices() async throws {
    let settings = ReportSettings(
      analysis: AnalysisSettings(preset: .neuroKit2), window: .seconds(0...20),
      words: [ReportWord("preset", "neuroKit2"), ReportWord("window", "0:20")])
    let scratch = try ScratchFolder()
    let trial = try await Pages.read(Story(), in: scratch.path)
    let report = Report(trial, settings, local: Pages.local, station: "0.1.0")
    let table = try #require(report.table("Measures"))
    let measured = AnalysedRecording(trial.recordings[0], settings.analysis).measured(in: .seconds(0...20))
    let hf = try #require(measured.value(.hf))
    #expect(table.columns.count == 4)
    let written = try #require(table.cell("HF", table.columns[1].title.text).flatMap(Double.init))
    #expect((written - hf).magnitude < 0.006)
    let page = report.html().withoutSpans
    #expect(page.contains("by the preset “neuroKit2”"))
    #expect(page.contains("--preset neuroKit2 --window 0:20 --response -10:30 --definitions"))
  }

  @Test(
    "say what to know of them: unlike lengths, gaps, artefacts, pauses",
    arguments: [
      ("good", "and their changes, do not compare: "),
      ("many artefacts", "More than 5 % of the recorded intervals were corrected"),
      ("paused", "The sound was paused; the pause belongs to the window."),
      ("gaps", "Less than 90 % of the window is known."),
    ])
  func caveats(name: String, text: String) async throws {
    let page = try await Pages.trial(try #require(Pages.stories[name])).html()
    #expect(page.contains(text))
  }

  @Test("that a phase's own beats decide stand in its column")
  func ownParameters() async throws {
    let report = try await Pages.trial(Story())
    let table = try #require(report.table("Measures by phase"))
    let tolerances = ["before", "stimulus", "after"].map { table.cell("r in ms", $0).flatMap(Double.init) }
    let spreads = ["before", "stimulus", "after"].map { table.cell("SDNN", $0).flatMap(Double.init) }
    #expect(!tolerances.contains(nil) && !spreads.contains(nil))
    for (tolerance, spread) in zip(tolerances, spreads) {
      #expect(((tolerance ?? .nan) - 0.2 * (spread ?? .nan)).magnitude < 0.011)
    }
  }
}
