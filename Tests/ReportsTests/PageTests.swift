import Analysis
import Bundles
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Reports

@Suite("A report's page")
struct PageTests {
  @Test("is what a browser and a screen reader take, for every kind of trial", arguments: Pages.names)
  func validity(name: String) async throws {
    let report = try await Pages.trial(try #require(Pages.stories[name]))
    try await Pages.keep(report, as: name.replacing(" ", with: "-"))
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
    try await Pages.keep(report, as: "results-\(name)")
    try Self.check(report)
  }

  @Test(
    "is found out by the checks where something is wrong with it",
    arguments: [
      ("<html lang=\"en\">", "<html>", "does not say its language"),
      ("<meta name=\"viewport\"", "<meta name=\"view\"", "has no viewport"),
      ("<main id=\"report\">", "<main id=\"part-1\">", "two elements have the identifier “part-1”"),
      ("<h2 id=\"part-2\">Heart</h2>", "<h4 id=\"part-2\">Heart</h4>", "jumps from level 2 to 4"),
      ("scope=\"col\"", "", "does not say of what"),
      ("<p class=\"lead\">", "<p class=\"lead\"><b>", "line "),
      ("<p class=\"lead\">", "<p class=\"lead\"><script>alert(1)</script>", "there is an element “script”"),
      ("<p class=\"lead\">", "<p class=\"lead\" onclick=\"x\">", "an attribute “onclick” would run"),
      ("href=\"#part-1\"", "href=\"https://example.org\"", "is loaded from outside"),
      ("<caption", "<caption hidden></caption><!--", "line "),
      ("default-src 'none'", "default-src *", "does not forbid"),
      ("role=\"img\" aria-labelledby", "role=\"img\" aria-label", "a picture has no name"),
      ("*{box-sizing", "@import 'x.css';*{box-sizing", "a style sheet loads something"),
    ])
  func mistakes(text: String, wrong: String, problem: String) async throws {
    let page = try await Pages.trial(Story(rest: 0, music: 5)).html()
    #expect(page.contains(text))
    let (status, output) = try Self.problems(of: page.replacing(text, with: wrong))
    #expect(status == 1)
    #expect(output.contains(problem), "\(output)")
  }

  private static func check(_ report: Report) throws {
    let (status, output) = try problems(of: report.html())
    #expect(status == 0, "\(output)")
  }

  /// Runs the checks that need no browser.
  private static func problems(of page: String) throws -> (status: Int, output: String) {
    let scratch = try ScratchFolder()
    try Data(page.utf8).write(to: URL(filePath: scratch["page.html"]))
    let (status, output, error) = try Program.run(
      Repository.python, ["\(Repository.root)/Scripts/parts/check-report", "--without-browser", scratch["page.html"]])
    return (status, output + error)
  }
}
