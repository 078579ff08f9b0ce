import Basics
import Foundation
import TestSupport
import Testing

@Suite("Charts on the command line")
struct ChartCommandTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let kinds = ["heartRate", "range", "tachogram", "poincare", "spectrum", "response", "pie"]

  private func bundle(participant: String = "p1", clip: String = "calm", more: Double = 6, at start: Int64 = 0)
    async throws -> String
  {
    try await RecordedTrial.bundle(
      in: bench.scratch["results"], participant: participant, clip: clip, more: more, at: start)
  }

  @Test("Each kind is SVG that an XML reader takes, PNG and PDF of the size asked for", arguments: kinds)
  func pictures(kind: String) async throws {
    let bundle = try await bundle()
    for name in ["x.svg", "x.png", "x.pdf"] {
      let scale = name.hasSuffix("png") ? ["--scale", "1.5"] : []
      let (status, output, complaints) = try await bench.run(
        ["chart", kind, bundle, "--output", name, "--size", "600x400", "--title", "A & B <c>"] + scale)
      #expect(status == 0, "\(complaints)")
      #expect(output == "chart: \(name)\n")
    }
    let read = try Program.run(
      "python3",
      [
        "-c",
        """
        import struct, sys, xml.etree.ElementTree as tree
        folder = sys.argv[1]
        root = tree.parse(folder + '/x.svg').getroot()
        texts = [''.join(element.itertext()) for element in root.iter()]
        print(root.tag.endswith('svg'), root.get('viewBox'), root.get('role'), 'A & B <c>' in texts)
        png = open(folder + '/x.png', 'rb').read()
        print(png[:8] == b'\\x89PNG\\r\\n\\x1a\\n', *struct.unpack('>II', png[16:24]))
        pdf = open(folder + '/x.pdf', 'rb').read()
        print(pdf[:5], b'%%EOF' in pdf[-16:])
        """, bench.path,
      ])
    #expect(read.output == "True 0 0 600 400 img True\nTrue 900 600\nb'%PDF-' True\n", "\(read.error)")
    #expect(bench.names(in: ".").filter { $0.contains("part") }.isEmpty)
  }

  @Test("Without a file a chart is printed, as wide and high as asked for, in a pipe 80 by 20", arguments: kinds)
  func printed(kind: String) async throws {
    let bundle = try await bundle()
    for (words, columns, rows) in [([], 80, 20), (["--columns", "50", "--rows", "30"], 50, 30)] {
      let (status, output, complaints) = try await bench.run(["chart", kind, bundle] + words)
      #expect(status == 0, "\(complaints)")
      let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.count == rows)
      #expect(lines.allSatisfy { $0.displayWidth <= columns })
      #expect(output.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
      #expect(!output.contains("\u{1B}"))
    }
  }

  @Test("On a terminal a printed chart fills it and leaves a row for the prompt")
  func terminal() async throws {
    let bundle = try await bundle()
    let child = try bench.start(["chart", "heartRate", bundle], input: .terminal)
    #expect(await child.end() == 0)
    // A terminal that does not know its size is taken for 80 by 20.
    #expect(child.output.text.replacing("\r\n", with: "\n").split(separator: "\n").count == 20)
  }

  @Test("A file that is there is not overwritten, and the remedy is reported", arguments: ["x.svg", "x.png", "x.pdf"])
  func taken(name: String) async throws {
    let bundle = try await bundle()
    try bench.write("mine", to: name)
    let (status, _, complaints) = try await bench.run(["chart", "heartRate", bundle, "--output", name])
    #expect(status == 1)
    #expect(
      complaints
        == "station: “\(name)” already exists and is not overwritten; remove it, or name another file\n")
    #expect(try String(contentsOf: URL(filePath: bench.scratch[name]), encoding: .utf8) == "mine")
  }

  @Test("The response is averaged over all bundles of a results folder, by what trials have in common")
  func response() async throws {
    for (index, clip) in ["calm", "wild", "calm"].enumerated() {
      _ = try await bundle(clip: clip, more: 3 * Double(index + 1), at: Int64(index) * 100)
    }
    let words = ["chart", "response", "results", "--by", "clip", "--response", "-10:20", "--bin", "2"]
    let (status, _, complaints) = try await bench.run(words + ["--output", "x.svg"])
    #expect(status == 0, "\(complaints)")
    let svg = try String(contentsOf: URL(filePath: bench.scratch["x.svg"]), encoding: .utf8)
    for text in ["calm (2 trials, ", "wild (1 trial, ", "3 trials, bins of 2 s", "Change of heart rate (count/min)"] {
      #expect(svg.contains(text))
    }
    let pie = try await bench.run(["chart", "pie", "results", "--by", "clip"])
    #expect(
      pie.output.contains("67 % (2)") && pie.output.contains("33 % (1)") && pie.output.contains("Clips of 3 trials"))
    let ranges = try await bench.run(["chart", "range", "results"])
    #expect(ranges.output.contains("3 trials by clip, lowest to highest of the whole of each"))
  }

  @Test("A trial that cannot be averaged is left out by name")
  func leftOut() async throws {
    let good = try await bundle()
    let silent = "\(Repository.root)/Tests/BundlesTests/Fixtures/bundle"
    let (status, output, complaints) = try await bench.run(["chart", "response", good, silent])
    #expect(status == 0)
    #expect(complaints.hasPrefix("station: “\(silent)” is left out: The heart rate is known for "))
    #expect(output.contains("1 trial, bins of 1 s"))
    let none = try await bench.run(["chart", "response", silent])
    #expect(none.status == 1)
    #expect(none.output.contains("No trial has a response"))
  }

  @Test("A heart file, a table and a text of intervals are drawn as a bundle is")
  func files() async throws {
    let bundle = try await bundle()
    let drawn = try await bench.run(["chart", "tachogram", bundle])
    let heart = try await bench.run(["chart", "tachogram", "\(bundle)/data/heart.json"])
    #expect(heart.status == 0, "\(heart.complaints)")
    #expect(drawn.output.contains("intervals") && heart.output.contains("intervals"))
    let intervals = (0..<60).map { 0.9 + Double($0 % 5) / 50 }
    try bench.write(intervals.map { "\($0)\n" }.joined(), to: "rr.txt")
    try bench.write("time_ms,hr\n" + (0..<60).map { "\($0 * 1000),\(60 + $0 % 7)\n" }.joined(), to: "rates.csv")
    for kind in ["heartRate", "tachogram", "poincare", "range"] {
      let text = try await bench.run(["chart", kind, "rr.txt", "--interval-unit", "s", "--output", "\(kind).svg"])
      #expect(text.status == 0, "\(text.complaints)")
    }
    let tachogram = try String(contentsOf: URL(filePath: bench.scratch["tachogram.svg"]), encoding: .utf8)
    #expect(tachogram.contains("60 intervals"))
    let rates = try await bench.run(["chart", "heartRate", "rates.csv"])
    #expect(rates.output.contains("as the sensor said"), "\(rates.complaints)")
    let unit = try await bench.run(["chart", "heartRate", "rr.txt"])
    #expect(unit.status == 1 && unit.complaints.contains("--interval-unit s"), "\(unit.complaints)")
    let step = try await bench.run(["chart", "heartRate", "rates.csv", "--window", "step:rest"])
    #expect(step.status == 1 && step.complaints.contains("A file from outside a trial has no steps."))
    let pie = try await bench.run(["chart", "pie", "rates.csv"])
    #expect(pie.status == 1 && pie.complaints.contains("“rates.csv” is not a bundle; “pie” counts trials"))
    let response = try await bench.run(["chart", "response", bundle, "rates.csv"])
    #expect(response.status == 0)
    #expect(response.complaints.contains("“rates.csv” is left out: A file from outside a trial has no stimulus;"))
  }

  @Test("A step alone is drawn, with its beats as they were recorded where that is asked for")
  func step() async throws {
    let bundle = try await bundle()
    let (status, output, _) = try await bench.run(
      ["chart", "heartRate", bundle, "--window", "step:music", "--artefacts", "none"])
    #expect(status == 0)
    #expect(output.contains("from beat to beat") && !output.contains("corrected"))
    let wrong = try await bench.run(["chart", "heartRate", bundle, "--window", "step:musci"])
    #expect(wrong.status == 1)
    #expect(
      wrong.complaints.contains(
        "has no window “step:musci”: The trial did not come to a step “musci”; it has “music”."))
    for (option, name, kept) in [("sensor", "belt", "strap"), ("recorder", "rh", "hr")] {
      let other = try await bench.run(["chart", "heartRate", bundle, "--\(option)", name])
      #expect(other.status == 1)
      #expect(other.complaints.contains("has no \(option) “\(name)”; "), "\(other.complaints)")
      #expect(other.complaints.contains("“\(kept)”"))
      let right = try await bench.run(["chart", "heartRate", bundle, "--\(option)", kept])
      #expect(right.status == 0, "\(right.complaints)")
    }
  }

  @Test(
    "Every chart of one recording draws a window of it alone",
    arguments: ["heartRate", "range", "tachogram", "poincare", "spectrum"],
    [
      "stimulus", "preStimulus", "postStimulus", "-20:40", "5:25", "whole",
    ])
  func windows(kind: String, window: String) async throws {
    let bundle = try await bundle()
    let (status, _, complaints) = try await bench.run(
      ["chart", kind, bundle, "--window", window, "--output", "x.svg", "--artefacts", "none"])
    #expect(status == 0 && complaints.isEmpty, "\(complaints)")
    let svg = try String(contentsOf: URL(filePath: bench.scratch["x.svg"]), encoding: .utf8)
    // The sound lasts from 31 to 61 s, within 90 s of about as many beats.
    let seconds = ["stimulus": 30, "preStimulus": 30, "postStimulus": 30, "-20:40": 60, "5:25": 20][window] ?? 90
    let count = svg.firstMatch(of: /(\d+) intervals/).flatMap { Double($0.1) }
    if kind != "range" { #expect((try #require(count) / Double(seconds) - 1.04).magnitude < 0.12) }
    guard kind == "heartRate" || kind == "tachogram" else { return }
    // What is outside of the window is not marked either.
    #expect(svg.contains(">onset<") == ["-20:40", "stimulus", "whole"].contains(window), "\(svg)")
    #expect(svg.contains(">offset<") == ["-20:40", "stimulus", "whole"].contains(window))
  }

  @Test("A window of a trial in which nothing sounded is reported; seconds count from its zero where that is asked for")
  func silentWindows() async throws {
    var trial = MadeTrial()
    (trial.clip, trial.sound) = (nil, nil)
    try trial.write(to: bench.scratch["silent"])
    let none = try await bench.run(["chart", "heartRate", "silent", "--window", "stimulus"])
    #expect(none.status == 1)
    #expect(none.complaints.contains("“silent” has no window “stimulus”: The trial plays no clip"))
    let zero = try await bench.run(["chart", "heartRate", "silent", "--window", "5:15"])
    #expect(zero.status == 1)
    #expect(zero.complaints.contains("--event 0 counts them from the trial's zero."))
    let given = try await bench.run(["chart", "heartRate", "silent", "--window", "5:15", "--event", "0"])
    #expect(given.status == 0 && given.complaints.isEmpty)
  }

  @Test(
    "A response is compared with any time around the onset, or with none, as “station analyse” does",
    arguments: [
      ([], 15.0, "Change of heart rate (count/min)", nil),
      (["--baseline", "preStimulus", "--change", "percent"], 25, "Change of heart rate (%)", nil),
      (["--baseline", "-8:-2"], 15, "Change of heart rate (count/min)", "baseline from -8 to -2 s"),
      (["--baseline", "5:15"], 0, "Change of heart rate (count/min)", "baseline from 5 to 15 s"),
      (["--baseline", "none"], 75, "Heart rate (count/min)", nil),
    ] as [([String], Double, String, String?)])
  func baselines(words: [String], last: Double, axis: String, caption: String?) async throws {
    try MadeTrial().write(to: bench.scratch["results/bundles/one"])
    let around = ["--response", "-10:15", "--bin", "5"] + words
    let chart = try await bench.run(["chart", "response", "results", "--output", "x.svg"] + around)
    #expect(chart.status == 0, "\(chart.complaints)")
    let svg = try String(contentsOf: URL(filePath: bench.scratch["x.svg"]), encoding: .utf8)
    #expect(svg.contains(axis))
    #expect(svg.contains("baseline from") == (caption != nil) && svg.contains(caption ?? axis), "\(svg)")
    let table = try await bench.run(["analyse", "results", "--csv"] + around)
    let row = try #require(table.output.split(separator: "\n").last).split(
      separator: ",", omittingEmptySubsequences: false)
    let column = try #require(
      table.output.split(separator: "\n").first?.split(separator: ",").firstIndex(of: "response"))
    #expect((try #require(Double(row[column])) - last).magnitude < 0.01, "\(table.output)")
    // The chart's words for those who do not see it have the same number.
    let shown = last == last.rounded() ? "\(Int(last))" : "\(last)"
    #expect(svg.contains(shown))
  }

  @Test("A response may begin after the onset or end before it", arguments: ["5:20", "-20:-5"])
  func oneSided(range: String) async throws {
    try MadeTrial().write(to: bench.scratch["trial"])
    let words = ["chart", "response", "trial", "--response", range, "--bin", "5", "--baseline", "-8:-2"]
    let (status, _, complaints) = try await bench.run(words + ["--output", "x.svg"])
    #expect(status == 0, "\(complaints)")
    let svg = try String(contentsOf: URL(filePath: bench.scratch["x.svg"]), encoding: .utf8)
    #expect(svg.contains("baseline from -8 to -2 s"))
    #expect(!svg.contains(">onset<"))
  }

  @Test("Several charts get one range and one line, and ranges marks instead of bars, where that is asked for")
  func axes() async throws {
    let bundle = try await bundle()
    for kind in Self.kinds where kind != "pie" {
      let words = ["chart", kind, bundle, "--range", "-20:1234", "--reference", "600=limit", "--reference", "700"]
      let (status, _, complaints) = try await bench.run(words + ["--output", "\(kind).svg"])
      #expect(status == 0, "\(complaints)")
      let svg = try String(contentsOf: URL(filePath: bench.scratch["\(kind).svg"]), encoding: .utf8)
      #expect(svg.contains(">limit</text>") && svg.contains(">1000</text>"), "\(kind)")
    }
    for (name, words) in [("bars.svg", []), ("marks.svg", ["--marks"])] {
      let drawn = try await bench.run(["chart", "range", bundle, "--every", "10", "--output", name] + words)
      #expect(drawn.status == 0)
    }
    func paths(_ name: String) throws -> Int {
      try String(contentsOf: URL(filePath: bench.scratch[name]), encoding: .utf8).count { $0 == "Z" }
    }
    // Two marks for each bar, or one where it is as low as a mark.
    #expect(try paths("marks.svg") > paths("bars.svg"))
  }

  @Test("Too many intervals, and a bin longer than the response, are refused")
  func tooMany() async throws {
    try bench.write("time,hr\n" + (0..<1500).map { "\($0 * 60),60\n" }.joined(), to: "day.csv")
    let many = try await bench.run(["chart", "range", "day.csv", "--every", "0.1"])
    #expect(many.status == 2)
    #expect(many.complaints.contains("and 2000 are the most that are drawn"))
    let bundle = try await bundle()
    let bin = try await bench.run(["chart", "response", bundle, "--bin", "3600"])
    #expect(bin.status == 2)
    #expect(bin.complaints.contains("a bin of 3600 s exceeds the time around the stimulus"))
  }

  @Test("Days come from the sample store")
  func daily() async throws {
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
    for (day, rate) in [(1, 60), (1, 80), (3, 70)] {
      let words = ["log", "heartRate", "\(rate)count/min", "--at", "2026-01-0\(day)T12:0\(rate / 10):00Z"]
      let logged = try await bench.run(words)
      #expect(logged.status == 0, "\(logged.complaints)")
    }
    let (status, _, complaints) = try await bench.run(["chart", "daily", "--time-zone", "UTC", "--output", "x.svg"])
    #expect(status == 0, "\(complaints)")
    let svg = try String(contentsOf: URL(filePath: bench.scratch["x.svg"]), encoding: .utf8)
    #expect(svg.contains("Heart rate by day"))
    #expect(svg.contains("2 days within 60 and 80"))
    #expect(svg.contains("1 Jan 2026") && svg.contains("3 Jan"))
    let sums = try await bench.run(["log", "food", "Apple", "--energy", "95kcal", "--at", "2026-01-02T12:00:00Z"])
    #expect(sums.status == 0)
    let energy = try await bench.run(["chart", "daily", "--type", "dietaryEnergyConsumed", "--time-zone", "UTC"])
    #expect(energy.output.contains("Dietary energy consumed by day") && energy.output.contains("sum of each day"))
    let none = try await bench.run(["chart", "daily", "--type", "stepCount"])
    #expect(none.output.contains("The store has no matching samples of stepCount"))
    #expect(none.status == 1)
    #expect(none.complaints == "station: the chart is empty: The store has no matching samples of stepCount\n")
  }

  @Test("What cannot be read of several is reported and the rest is drawn; what lacks the window is left out")
  func several() async throws {
    for (name, sound) in [("one", true), ("silent", false), ("torn", true), ("bad", true), ("other", true)] {
      var trial = MadeTrial()
      if !sound { (trial.clip, trial.sound) = (nil, nil) }
      if name == "bad" { trial.verdict = "bad" }
      try trial.write(to: bench.scratch["results/bundles/\(name)"])
    }
    try bench.write("{", to: "results/bundles/torn/data/heart.json")
    for (kind, words, drawn) in [
      ("range", ["--window", "stimulus"], "2 trials by clip, lowest to highest of the window “stimulus” of each"),
      ("response", ["--response", "-10:10"], "2 trials, "),
    ] {
      let chart = try await bench.run(["chart", kind, "results", "--output", "\(kind).svg"] + words)
      #expect(chart.status == 1)
      #expect(chart.complaints.contains("torn"))
      #expect(chart.complaints.contains("“results/bundles/bad” is left out: its verdict is bad"), "\(chart.complaints)")
      #expect(chart.complaints.contains("“results/bundles/silent” "), "\(chart.complaints)")
      let svg = try String(contentsOf: URL(filePath: bench.scratch["\(kind).svg"]), encoding: .utf8)
      #expect(svg.contains(drawn), "\(svg)")
    }
  }

  @Test("What a recording's numbers cannot be trusted for is reported beside its chart")
  func caveats() async throws {
    let bundle = try await bundle()
    let heart = URL(filePath: "\(bundle)/data/heart.json")
    try (String(contentsOf: heart, encoding: .utf8) + " ").write(to: heart, atomically: true, encoding: .utf8)
    let chart = try await bench.run(["chart", "tachogram", bundle])
    #expect(chart.status == 0)
    #expect(chart.complaints.contains("“\(bundle)”: "))
    #expect(chart.complaints.contains("manifest"), "\(chart.complaints)")
  }
}
