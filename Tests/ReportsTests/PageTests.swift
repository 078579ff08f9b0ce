import Bundles
import Foundation
import TestSupport
import Testing

@testable import Reports

@Suite("A report's page")
struct PageTests {
  @Test("is what a browser and a screen reader take, for every kind of trial", arguments: Pages.names)
  func validity(name: String) async throws {
    let report = try await Pages.trial(try #require(Pages.stories[name]))
    try Pages.keep(report, as: name.replacing(" ", with: "-"))
    try Self.check(report)
  }

  @Test(
    "is so for a session and for all results, empty and broken ones too",
    arguments: ["all", "session", "empty", "broken"])
  func overviews(name: String) async throws {
    let scratch = try ScratchFolder()
    let selection = name == "session" ? TrialSelection(participant: "p02", session: "1") : TrialSelection()
    let report =
      name == "empty"
      ? Report(try Overview.read(.init(scratch.path)), local: Pages.local, station: "0.1.0")
      : try await Pages.results(in: scratch.path, selection, broken: name == "broken")
    try Pages.keep(report, as: "results-\(name)")
    try Self.check(report)
  }

  /// Runs the checks that need no browser.
  private static func check(_ report: Report) throws {
    let scratch = try ScratchFolder()
    try Data(report.html().utf8).write(to: URL(filePath: scratch["page.html"]))
    let (status, output, error) = try Program.run(
      Repository.python, ["\(Repository.root)/Scripts/check-report", "--without-browser", scratch["page.html"]])
    #expect(status == 0, "\(output)\(error)")
  }
}
