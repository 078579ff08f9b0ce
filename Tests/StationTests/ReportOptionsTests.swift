import Basics
import Foundation
import TestSupport
import Testing

@Suite("station report of a results folder, with the options of station analyse")
struct ReportOptionsTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// Four trials of two participants, who hear two clips each.
  private func study() async throws {
    for (number, (participant, clip, more)) in [
      ("p1", "calm", 4.0), ("p1", "wild", 16), ("p2", "calm", 7), ("p2", "wild", 11),
    ].enumerated() {
      _ = try await RecordedTrial.bundle(
        in: bench.scratch["results"], participant: participant, clip: clip, more: more, at: Int64(1000 * number))
    }
  }

  /// The rows of a page's table under a heading of rows that begins with some words, by their first cell.
  private static func rows(of page: String, under heading: String) throws -> [String: [String]] {
    let tables = page.components(separatedBy: "<tbody>").filter { $0.contains("scope=\"rowgroup\"") }
    let table = try #require(tables.first { text(of: $0).hasPrefix(heading) }, "there is no “\(heading)”")
    let body = table.components(separatedBy: "</tbody>")[0]
    var rows: [String: [String]] = [:]
    for row in body.components(separatedBy: "<tr>").dropFirst(2) {
      let cells = row.components(separatedBy: "<td").dropFirst().map { text(of: "<td" + $0) }
      rows[text(of: row.components(separatedBy: "<td")[0])] = cells
    }
    return rows
  }

  private static func text(of html: String) -> String {
    html.replacing(#/<[^>]*>/#, with: "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func number(_ text: String) -> Double? {
    Double(text.replacing("−", with: "-").replacing("+", with: ""))
  }

  @Test(
    "has the means that analyse tells with the same options",
    arguments: [
      ([], "timeWeightedHeartRate", "mean HR, time-weighted, /min"), ([], "rmssd", "RMSSD, ms"),
      (["--window", "0:20"], "timeWeightedHeartRate", "mean HR, time-weighted, /min"),
      (["--window", "0:20", "--artefacts", "none"], "rmssd", "RMSSD, ms"),
      (["--window", "preStimulus", "--preset", "pyHRV"], "rmssd", "RMSSD, ms"),
      (["--event", "step:music", "--verdict", "suspect"], "timeWeightedHeartRate", "mean HR, time-weighted, /min"),
      (["--baseline", "preStimulus"], "timeWeightedHeartRate", "mean HR, time-weighted, difference from preStimulus"),
      (
        ["--baseline", "-20:0", "--change", "percent", "--window", "0:20"], "timeWeightedHeartRate",
        "mean HR, time-weighted, percent change from -20:0"
      ),
      (["--baseline", "step:music"], "timeWeightedHeartRate", "mean HR, time-weighted, difference from step:music"),
      (["--participant", "p2", "--sensor", "strap"], "rmssd", "RMSSD, ms"),
      (["--recorder", "hr", "--artefacts", "range"], "timeWeightedHeartRate", "mean HR, time-weighted, /min"),
    ] as [([String], String, String)])
  func means(options: [String], measure: String, heading: String) async throws {
    try await study()
    let (status, page, complaints) = try await bench.run(["report", "results", "--output", "-"] + options)
    #expect(status == 0, "\(complaints)")
    let rows = try Self.rows(of: page, under: heading)
    let analysed = try await bench.run(
      ["analyse", "results", "--by", "clip", "--measure", measure, "--json"] + options)
    #expect(analysed.status == 0, "\(analysed.complaints)")
    let summary = try #require(try JSONReader.read(Array(analysed.output.utf8)).value["summaries"]?.array?.first)
    let groups = try #require(summary["groups"]?.array)
    #expect(groups.count == 2)
    for group in groups {
      let name = try #require(group["name"]?.string)
      let cells = try #require(rows[name])
      let mean = try #require(group["mean"]?.number)
      #expect(cells[0] == "\(group["participants"]?.integer ?? -1)" && cells[1] == "\(group["trials"]?.integer ?? -1)")
      #expect((try #require(Self.number(cells[2])) - mean).magnitude <= 0.0501, "\(cells) and \(mean)")
      guard let lower = group["interval"]?["lower"]?.number else { continue }
      let written = try #require(cells[4].components(separatedBy: " to ").first.flatMap(Self.number))
      #expect((written - lower).magnitude <= 0.0501)
    }
  }

  @Test("draws the response that was asked for")
  func response() async throws {
    try await study()
    let (status, page, complaints) = try await bench.run([
      "report", "results", "--output", "-", "--response", "-6:12", "--bin", "2", "--baseline", "none",
    ])
    #expect(status == 0, "\(complaints)")
    #expect(page.contains("The heart rate of each 2 s around the onset, of 4 of 4 trials."))
    #expect(page.contains("bins of 2 s"))
    #expect(!page.contains("change</th>"))
  }

  @Test("says what windows are locked to where that is not the sound")
  func event() async throws {
    try await study()
    let (status, page, complaints) = try await bench.run([
      "report", "results", "--output", "-", "--event", "step:music",
    ])
    #expect(status == 0, "\(complaints)")
    #expect(page.contains("Of the time of the event step:music") && !page.contains("while the clip sounded"))
    #expect(
      page.withoutSpans.contains("station analyse . --by clip --measure timeWeightedHeartRate,rmssd --event step:music")
    )
  }

  @Test("tells of the trials that lack the sensor that was asked for, and ends with 1, as analyse does")
  func lackingSensor() async throws {
    try await study()
    let options = ["--sensor", "ring"]
    let (status, page, complaints) = try await bench.run(["report", "results", "--output", "-"] + options)
    #expect(status == 1)
    #expect(page.contains("4 trials of 2 participants"))
    let analysed = try await bench.run(["analyse", "results", "--by", "clip"] + options)
    #expect(analysed.status == 1)
    #expect(complaints == analysed.complaints && complaints.contains("has no sensor “ring”"))
  }
}
