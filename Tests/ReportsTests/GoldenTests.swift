import Analysis
import Foundation
import Recordings
import TestSupport
import Testing

@testable import Reports

@Suite("A whole page of a report")
struct GoldenTests {
  @Test(
    "is what it was, with the charts' descriptions in the place of their drawings",
    arguments: ["good", "gaps", "rates only"])
  func page(name: String) async throws {
    try Self.compare(try await Pages.trial(try #require(Pages.stories[name])), with: name)
  }

  @Test("of several trials is what it was", arguments: ["results", "session"])
  func overview(name: String) async throws {
    let scratch = try ScratchFolder()
    let selection = name == "session" ? TrialSelection(participant: "p02", session: "1") : TrialSelection()
    try Self.compare(try await Pages.results(in: scratch["study"], selection), with: name)
  }

  @Test("of a session of a design is what it was")
  func designed() async throws {
    let scratch = try ScratchFolder()
    let report = try await Pages.designed(in: scratch["study"])
    try await Pages.keep(report, as: "designed")
    try Self.compare(report, with: "designed")
  }

  private static func compare(_ report: Report, with name: String) throws {
    let page = report.html()
    let words = try NSRegularExpression(
      pattern: "<svg[^>]*>.*?<title[^>]*>(.*?)</title>.*?<desc[^>]*>(.*?)</desc>.*?</svg>\\s*</div>",
      options: .dotMatchesLineSeparators
    ).stringByReplacingMatches(
      in: page, range: NSRange(location: 0, length: page.utf16.count), withTemplate: "[$1: $2]</div>")
    let start = try #require(words.range(of: "<body>")).lowerBound
    #expect(!words.contains("<svg"))
    try Golden.compare(
      String(words[start...]), with: "Tests/ReportsTests/Golden/\(name.replacing(" ", with: "-")).html")
  }
}
