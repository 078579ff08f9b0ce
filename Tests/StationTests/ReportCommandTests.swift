import Foundation
import TestSupport
import Testing

@Suite("station report")
struct ReportCommandTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// A bundle of the repository, in a results folder of the bench.
  private func bundle(_ name: String = "019a9c2e-5d42-7cc3-98c4-dc0c0c07398f") throws -> String {
    let folder = "\(bench.scratch["results"])/bundles"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(Repository.root)/Tests/BundlesTests/Fixtures/bundle", toPath: "\(folder)/\(name)")
    return "results/bundles/\(name)"
  }

  /// What a shell says of a call of the command.
  private func shell(_ words: String, before: String = "true") throws -> Int {
    try Program.run("sh", ["-c", "cd '\(bench.path)'; \(before); '\(Bench.station)' \(words)"]).status
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: bench.scratch[name])), as: UTF8.self)
  }

  @Test("makes a page of a bundle, the same every time, and leaves the bundle whole")
  func page() async throws {
    let bundle = try bundle()
    let (status, output, complaints) = try await bench.run(["report", bundle])
    #expect(status == 0)
    #expect(complaints.isEmpty)
    #expect(output == "report: report-019a9c2e-5d42-7cc3-98c4-dc0c0c07398f.html\n")
    let page = try text("report-019a9c2e-5d42-7cc3-98c4-dc0c0c07398f.html")
    #expect(page.contains("chill_preview_4"))
    let (_, again, _) = try await bench.run(["report", bundle, "--output", "-"])
    #expect(again == page)
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }

  @Test("shows times in the zone that is asked for")
  func zone() async throws {
    let (status, output, _) = try await bench.run(
      ["report", try bundle(), "--output", "-", "--time-zone", "Asia/Tokyo"])
    #expect(status == 0)
    #expect(output.contains("2025-11-20 20:08:31 +09:00 (Asia/Tokyo)"))
  }

  @Test("overwrites nothing, and says what to do")
  func overwriting() async throws {
    let bundle = try bundle()
    for (option, file) in [("--output", "page.html"), ("--pdf", "page.pdf")] {
      try bench.write("mine", to: file)
      let (status, _, complaints) = try await bench.run(["report", bundle, option, file])
      #expect(status == 1)
      #expect(complaints.contains("“\(file)” already exists and is not overwritten"))
      #expect(try text(file) == "mine")
    }
  }

  @Test(
    "adds nothing to a bundle, and makes no folders",
    arguments: [
      ("results/bundles/019a9c2e-5d42-7cc3-98c4-dc0c0c07398f/page.html", "no file may be added to"),
      ("results/bundles/019a9c2e-5d42-7cc3-98c4-dc0c0c07398f/data/page.html", "no file may be added to"),
      ("results/bundles/019a9c2e-5d42-7cc3-98c4-dc0c0c07398f/data/a/b/c/d/page.html", "no file may be added to"),
      ("results/bundles/page.html", "no file may be added to"), ("link/page.html", "no file may be added to"),
      ("nowhere/page.html", "there is no folder “nowhere”"), ("nowhere/", "name a file in it"),
      ("clips.html", "it is a folder"),
    ])
  func places(path: String, reason: String) async throws {
    let bundle = try bundle()
    try FileManager.default.createDirectory(
      atPath: bench.scratch["\(bundle)/data/a/b/c/d"], withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: bench.scratch["clips.html"], withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: bench.scratch["link"], withDestinationPath: bench.scratch["\(bundle)/data"])
    let (status, _, complaints) = try await bench.run(["report", bundle, "--output", path])
    #expect(status == 1)
    #expect(complaints.contains(reason))
  }

  @Test("prints sheets where they are sent on, and leaves no half of a page")
  func sheets() async throws {
    let bundle = try bundle()
    // Not text, so that it is looked at in a file.
    let status = try shell("report \(bundle) --pdf - > printed")
    #expect(status == 0)
    #expect(try Data(contentsOf: URL(filePath: bench.scratch["printed"])).starts(with: Data("%PDF-1.".utf8)))
    #expect(!FileManager.default.fileExists(atPath: bench.scratch["-"]))
    // The system ends the command as soon as a file has more than 20 kB.
    #expect(try shell("report \(bundle) --output k.html", before: "ulimit -f 20") != 0)
    #expect(!FileManager.default.fileExists(atPath: bench.scratch["k.html"]))
  }

  @Test("tells of a file of heart data, as analyse measures it")
  func file() async throws {
    try bench.write((0..<120).map { "\(0.8 + Double($0 % 5) / 100)" }.joined(separator: "\n"), to: "rr.txt")
    let (status, output, complaints) = try await bench.run(
      ["report", "rr.txt", "--interval-unit", "s", "--artefacts", "none", "--output", "-"])
    #expect(status == 0, "\(complaints)")
    #expect(output.contains("Recording report"))
    #expect(output.withoutSpans.contains("station analyse rr.txt --artefacts none --interval-unit s --definitions"))
    let analysed = try await bench.run([
      "analyse", "rr.txt", "--artefacts", "none", "--interval-unit", "s", "--definitions",
    ])
    #expect(analysed.status == 0)
    #expect(analysed.output.contains("mean NN"))
    #expect(try await bench.run(["report", "rr.txt", "--interval-unit", "s"]).output == "report: report-rr-txt.html\n")
  }

  @Test("tells the digest of what a pipe gave, as of a file", arguments: ["<(cat %)", "/dev/stdin < %"])
  func pipe(source: String) throws {
    let series = "\(Repository.root)/Tests/AnalysisTests/Series/nsrdb-short.txt"
    let command = "'\(Bench.station)' report " + source.replacing("%", with: "'\(series)'") + " --output -"
    let (status, output, error) = try Program.run("bash", ["-c", command])
    #expect(status == 0, "\(error)")
    let digest = try Program.run("sha256sum", [series]).output.prefix(64)
    #expect(digest.count == 64 && output.contains(digest))
  }

  @Test(
    "ends with a command that “station analyse” takes, whatever was asked for",
    arguments: [
      ["rr.txt", "--bin", "2", "--change", "percent", "--baseline", "-10:0"],
      ["rr.txt", "--event", "20:40", "--response", "-5:5", "--bin", "2"],
      ["trial", "--window", "preStimulus", "--baseline", "preStimulus"],
      ["trial", "--window", "-5:0", "--baseline", "-5:0", "--artefacts", "range:400-1800,20%"],
    ])
  func repeated(words: [String]) async throws {
    try bench.write((0..<120).map { "\(800 + Double($0 % 5) * 10)" }.joined(separator: "\n"), to: "rr.txt")
    try MadeTrial().write(to: bench.scratch["trial"])
    // The made trial has no manifest, which is told with 1.
    let (status, page, complaints) = try await bench.run(["report"] + words + ["--output", "-"])
    #expect(status == (words[0] == "trial" ? 1 : 0), "\(complaints)")
    let command = try #require(page.withoutSpans.firstMatch(of: /station (analyse [^<]+)</)).1
      .replacing("&#39;", with: "").replacing("'", with: "")
    let again = try await bench.run(command.split(separator: " ").map(String.init))
    #expect(again.status == 0, "\(command): \(again.complaints)")
  }

  @Test("prints on A4 without making a page")
  func pdf() async throws {
    let (status, output, complaints) = try await bench.run(["report", try bundle(), "--pdf", "report.pdf"])
    #expect(status == 0, "\(complaints)")
    #expect(output == "report: report.pdf\n")
    let facts = try Program.run("pdfinfo", [bench.scratch["report.pdf"]])
    #expect(facts.output.contains("(A4)") && facts.output.contains("Trial report"), "\(facts)")
    let words = try Program.run("pdftotext", [bench.scratch["report.pdf"], "-"])
    #expect(words.output.contains("chill_preview_4") && words.output.contains("page 1 of "), "\(words)")
    #expect(bench.names(in: bench.path).filter { $0.hasSuffix(".html") }.isEmpty)
  }

  @Test("tells of a results folder, and ends with 1 where a bundle of it cannot be read")
  func results() async throws {
    _ = try bundle()
    #expect(try await bench.run(["report", "results"]).output == "report: report-results.html\n")
    let session = try await bench.run(["report", "results", "--participant", "P01", "--session", "1"])
    #expect(session.output == "report: report-P01-1.html\n")
    let again = try await bench.run(["report", "results", "--output", "-"])
    #expect(try text("report-results.html") == again.output)
    #expect(try text("report-P01-1.html").contains("Session report"))
    try FileManager.default.createDirectory(
      atPath: bench.scratch["results/bundles/broken"], withIntermediateDirectories: false)
    let (status, output, complaints) = try await bench.run(["report", "results", "--output", "-"])
    #expect(status == 1)
    #expect(output.contains("1 trial of 1 participant."))
    #expect(complaints.contains("cannot read the bundle “results/bundles/broken”"))
  }

  @Test("makes a page of a folder without a trial")
  func empty() async throws {
    try FileManager.default.createDirectory(
      atPath: bench.scratch["results/bundles"], withIntermediateDirectories: true)
    let (status, output, _) = try await bench.run(["report", "results", "--output", "-"])
    #expect(status == 0)
    #expect(output.contains("There is no trial to report."))
  }

  @Test("makes a page of a bundle whose heart data are torn, and says so")
  func torn() async throws {
    let bundle = try bundle()
    try bench.write("{\"items\":[", to: "\(bundle)/data/heart.json")
    let (status, output, complaints) = try await bench.run(["report", bundle, "--output", "-"])
    #expect(status == 1)
    #expect(output.contains("The heart data could not be read"))
    #expect(complaints.contains("cannot be read"))
  }

  @Test(
    "refuses what it cannot tell of, and says why",
    arguments: [
      (["report"], 2, "missing BUNDLE|SESSION|RESULTS|FILE"),
      (["report", "nothing"], 1, "there is no bundle, results folder or file “nothing”"),
      (["report", "clips"], 1, "“clips” is neither a bundle nor a results folder"),
      (["report", "results", "--participant", "p9"], 1, "has no trial of participant “p9”"),
      (["report", "results/bundles/019a9c2e-5d42-7cc3-98c4-dc0c0c07398f", "--session", "1"], 2, "is a bundle"),
      (["report", "results", "--output", "x.html", "--pdf", "x.html"], 2, "expected a name that ends with .pdf"),
      (["report", "results", "--output", "x.txt"], 2, "expected a name that ends with .html"),
      (["report", "results", "--output", "-", "--pdf", "-"], 2, "--output - and --pdf - cannot be combined"),
      (["report", "results", "--interval-unit", "s"], 2, "applies only to files of intervals"),
      (
        ["report", "results/bundles/019a9c2e-5d42-7cc3-98c4-dc0c0c07398f", "--time-unit", "ms"], 2,
        "applies only to files of intervals"
      ),
      (["report", "results", "--baseline", "stimulus"], 2, "unless --window is given; choose another baseline"),
      (
        ["report", "results", "--baseline", "0:20", "--window", "0:20"], 2,
        "is the measured window; choose another baseline"
      ),
      (
        ["report", "results/bundles/019a9c2e-5d42-7cc3-98c4-dc0c0c07398f", "--baseline", "step:rest"], 2,
        "the baseline of a response must be none, preStimulus or FROM:TO"
      ),
      (["report", "results/bundles"], 1, "name “results”"),
      (["report", "results/bundles/019a9c2e-5d42-7cc3-98c4-dc0c0c07398f", "--sensor", "no"], 1, "has no sensor “no”"),
      (["report", "results", "--time-zone", "Nowhere/City"], 2, "Nowhere/City"),
    ] as [([String], Int32, String)])
  func refusals(words: [String], status: Int32, reason: String) async throws {
    _ = try bundle()
    let (ended, output, complaints) = try await bench.run(words)
    #expect(ended == status)
    #expect(output.isEmpty)
    #expect(complaints.contains(reason))
  }
}
