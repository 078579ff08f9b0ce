import Basics
import Bundles
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Analysis
@testable import Reports

@Suite("What a report tells")
struct ContentTests {
  private func page(_ name: String) async throws -> String {
    try await Pages.trial(try #require(Pages.stories[name])).html()
  }

  @Test("are the clip, the timing, the verdict, the measures and where everything comes from")
  func trial() async throws {
    let page = try await page("good")
    for text in [
      "Baseline, music, recovery", "p01", "Slow tide", "CC0-1.0", "chill_preview_4", "Verdict: good",
      "The first frame of the clip left the sink 62.100 s after the trial's zero",
      "0.020 ms after its schedule", "known to within 0.040 ms", "to the frame", "62.100020 s ± 0.040 ms",
      "from 44100 to 48000 Hz", "The volume of the sink was 80 %.", "2025-11-20T11:18:31.250Z",
      "2025-11-20 12:18:31 +01:00", "RMSSD", "root of the mean of squared successive differences", "xoshiro256**",
      "<code>2018136018923003</code>",
      "missed beat", "extra beat", "data/heart.json", "station verify ", "station show --replay", "manifest-sha256.txt",
      ">before</th>", ">stimulus</th>", ">after</th>", "Poincaré", "five minutes is the short-term standard",
    ] {
      #expect(page.withoutSpans.contains(text), "“\(text)” is missing")
    }
  }

  @Test(
    "is said in words where something is missing",
    arguments: [
      ("suspect", "7.5 ms after its schedule"), ("suspect", "1 buffer underrun."), ("suspect", "Verdict: suspect"),
      ("bad", "Verdict: bad"), ("bad", "The sound was muted once."),
      ("rates only", "The sensor reported heart rates but no intervals between beats"),
      ("rates only", "Heart rate by phase"), ("rates only", "mean of the sensor's heart rates"),
      ("rates only", "at most 2 s"), ("rates only", ">before</th>"), ("no samples", "No samples were recorded"),
      ("no clip", "without a clip"), ("no clip", ">everything recorded</th>"),
      ("never sounded", "The onset was not measured: the clip never sounded."),
      ("stopped", "It was stopped before its end: <bdi>somebody pressed Ctrl-C</bdi>."),
      ("two sensors", "Heart, by the sensor “<bdi>strap</bdi>”"),
      ("two sensors", "Heart, by the sensor “<bdi>ring</bdi>”"),
      ("only the clip", "too little is known before it to compute a change"),
    ])
  func edges(name: String, text: String) async throws {
    #expect(try await page(name).contains(text))
  }

  @Test("of a bundle that has changed says so, whatever its verdict")
  func changed() async throws {
    let scratch = try ScratchFolder()
    let path = try await Story().finish(in: scratch.path)
    let heart = "\(path)/data/heart.json"
    let text = String(decoding: try Data(contentsOf: URL(filePath: heart)), as: UTF8.self)
    try Data(text.replacing("\"contact\":true", with: "\"contact\":false").utf8).write(to: URL(filePath: heart))
    let trial = ReportedTrial.read(try Bundles.Bundle(path))
    #expect(trial.problems.contains { $0.hasPrefix("“data/heart.json” has changed") })
    let page = Report(trial, local: Pages.local, station: "0.1.0").html()
    #expect(page.contains("Verdict: good by the bundle, which has problems"))
    #expect(page.contains("class=\"verdict suspect\""))
    #expect(!page.contains("No problem was found in this trial."))
    #expect(!page.contains("are those that the manifest lists"))
    let brief = ReportedTrial.read(trial.bundle, isBrief: true)
    #expect(brief.problems.contains { $0.hasPrefix("“data/heart.json” has changed") })
  }

  @Test(
    "of heart data that cannot be read does not say that none were recorded", arguments: ["{\"items\":[", "", "{}"])
  func unreadable(heart: String) async throws {
    let scratch = try ScratchFolder()
    let path = try await Story().finish(in: scratch.path)
    try Data(heart.utf8).write(to: URL(filePath: "\(path)/data/heart.json"))
    let page = Report(ReportedTrial.read(try Bundles.Bundle(path)), local: Pages.local, station: "0.1.0").html()
    #expect(page.contains("The heart data could not be read"))
    #expect(!page.contains("No samples were recorded"))
  }

  @Test("of the clock is both ends of the trial")
  func clock() async throws {
    let bundle = try Bundles.Bundle("\(Repository.root)/Tests/BundlesTests/Fixtures/bundle")
    let report = Report(ReportedTrial.read(bundle), local: Pages.local, station: "0.1.0")
    #expect(report.fact("calendar at zero") == "read within 0.2 µs, synchronised with a time server")
    #expect(report.fact("calendar at the end") == "read within 0.3 µs, not synchronised with a time server")
  }

  @Test("of a plain file is its measures, where they come from, and how to make them again")
  func file() async throws {
    let scratch = try ScratchFolder()
    let intervals = (0..<400).map { 800 + 2 * ($0 % 7) }
    try Data(intervals.map { "\($0)" }.joined(separator: "\n").utf8).write(to: URL(filePath: scratch["my rr.txt"]))
    let report = Report(try ReportedFile.read(scratch["my rr.txt"]), station: "0.1.0")
    let page = report.html().withoutSpans
    for text in [
      "Recording report", "<bdi>my rr.txt</bdi>", "400 intervals between beats",
      "station analyse 'my rr.txt' --definitions",
    ] {
      #expect(page.contains(text), "“\(text)” is missing")
    }
    for text in ["Verdict", "Timing of the sound", "onset", "Trial report"] { #expect(!page.contains(text), "\(text)") }
    let mean = intervals.reduce(0, +)
    #expect(
      report.table("Measures")?.cell("mean NN", "everything recorded") == String(format: "%.1f", Double(mean) / 400))
    let known = try Program.run("/usr/bin/sha256sum", [scratch["my rr.txt"]]).output.prefix(64)
    #expect(report.fact("SHA-256").map { $0 == known } == true)
    try await Pages.keep(report, as: "file")
  }

  @Test("keeps what stands for a character that turns the direction in its own order")
  func escapesInRightToLeft() async throws {
    let page = try await page("right to left")
    #expect(page.contains(#"<bdi>שלום <bdi dir="ltr">\u{202E}</bdi>evil</bdi>"#))
  }

  @Test("cannot run or break out of its place, whatever a file says")
  func escaping() async throws {
    let page = try await page("hostile")
    for text in ["<script", "<img", "<b>1", "<h1 onclick", "\u{202e}", "\u{0}", "\u{1b}", "</title></style>"] {
      #expect(!page.contains(text), "“\(text)” is in the page")
    }
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(page.contains("مرحبا 音楽"))
    #expect(page.contains(#"\u{202E}"#))
    #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'"))
  }

  @Test("is the same bytes from the same bundle", arguments: ["good", "rates only", "no samples"])
  func determinism(name: String) async throws {
    let scratch = try ScratchFolder()
    let bundle = try Bundles.Bundle(try await #require(Pages.stories[name]).finish(in: scratch.path))
    func report() -> Report { Report(ReportedTrial.read(bundle), local: Pages.local, station: "0.1.0") }
    #expect(report().html() == report().html())
  }

  @Test("of all results is their trials, means with intervals, and what is suspect")
  func results() async throws {
    let scratch = try ScratchFolder()
    let page = try await Pages.results(in: scratch.path, broken: true).html()
    for text in [
      "9 trials of 3 participants", "7 good, 1 suspect, 1 bad", "Means by clip", "Means by mood", "Response by clip",
      "Response by mood", "Trials that are not good", "The sound was muted once.", "What could not be read",
      "it has no “data/result.json”",
    ] {
      #expect(page.contains(text), "“\(text)” is missing")
    }
  }

  @Test("of all results is the same as the numbers of its trials, put together by hand")
  func means() async throws {
    let scratch = try ScratchFolder()
    _ = try await Pages.results(in: scratch.path)
    let overview = try Overview.read(ResultsFolder(scratch.path))
    let usable = overview.trials.filter { $0.facts.verdict != .bad }
    let together = try #require(overview.means.first { $0.grouping == .clip }).values
    #expect(together.counts.bad == 1 && together.counts.trials == overview.trials.count)
    let summary = try #require(together.summaries().first { $0.measure == .timeWeightedHeartRate })
    for group in summary.groups {
      var byParticipant: [String: [Double]] = [:]
      for trial in usable where trial.facts.clip == group.name {
        if let rate = trial.hearts[0].rates[1] { byParticipant[trial.facts.participant, default: []].append(rate) }
      }
      let means = byParticipant.values.map { $0.reduce(0, +) / Double($0.count) }
      #expect(group.summary.participants == means.count && group.summary.over == .participants)
      #expect(group.summary.trials == byParticipant.values.reduce(0) { $0 + $1.count })
      #expect((try #require(group.summary.mean) - means.reduce(0, +) / Double(means.count)).magnitude < 1e-9)
    }
    let starts = overview.trials.compactMap(\.facts.start)
    #expect(starts == starts.sorted())
  }

  @Test("counts a copied bundle once, and says so")
  func copies() async throws {
    let scratch = try ScratchFolder()
    _ = try await Pages.results(in: scratch.path)
    let folder = ResultsFolder(scratch.path)
    let name = try #require(folder.trials().first)
    try FileManager.default.copyItem(
      atPath: folder.bundlePath(named: name), toPath: folder.bundlePath(named: "copy"))
    let overview = try Overview.read(folder)
    #expect(overview.trials.count == 9 && overview.repeated.count == 1 && overview.problems.isEmpty)
    let page = Report(overview, local: Pages.local, station: "1").html()
    #expect(page.contains("What is in the folder more than once") && page.contains("counts once"))
  }

  @Test("of a session is its trials alone, each with its course")
  func session() async throws {
    let scratch = try ScratchFolder()
    let page = try await Pages.results(in: scratch.path, TrialSelection(participant: "p02", session: "1")).html()
    #expect(page.contains("2 trials of 1 participant."))
    #expect(page.contains("One by one"))
    #expect(!page.contains("p01") && !page.contains("p03"))
  }

  @Test("of nobody names those who are there")
  func nobody() async throws {
    let scratch = try ScratchFolder()
    _ = try await Pages.results(in: scratch.path)
    let overview = try Overview.read(ResultsFolder(scratch.path), TrialSelection(participant: "p09"))
    #expect(overview.trials.isEmpty)
    #expect(overview.missing(in: "results").contains("p01 (1, 2); p02 (1, 2); p03 (1, 2)"))
  }

  @Test(
    "has as many digits as it is worth",
    arguments: [
      (0.05, 1, "0.1"), (-0.04, 1, "0.0"), (-2.25, 1, "−2.3"), (1e300, 1, "1e+300"), (.nan, 2, "–"), (12, 0, "12"),
      (1.005, 3, "1.005"),
    ])
  func digits(number: Double, digits: Int, text: String) {
    #expect(number.decimals(digits) == text)
  }

  @Test(
    "quotes paths for a shell",
    arguments: [("results/a", "results/a"), ("my results", "'my results'"), ("it's", #"'it'\''s'"#), ("", "''")])
  func quoting(path: String, word: String) { #expect(path.shellQuoted == word) }
}
