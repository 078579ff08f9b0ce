import Basics
import Foundation
import TestSupport
import Testing

@Suite("The tutorial")
struct TutorialTests {
  @Test("“Your first study” leads from a protocol to a table and a figure in R, whose means are the station's own")
  func firstStudy() async throws {
    let bench = try Bench()
    let file = "\(Repository.root)/Sources/station/Station.docc/YourFirstStudy.md"
    let (status, said) = try await ArticleTests.read(file, ["--keep", bench.scratch["kept"]], in: bench)
    try #require(status == 0, "\(said)")
    func made(_ name: String) -> String { bench.scratch["kept/first-study/\(name)"] }
    let figure = try Data(contentsOf: URL(filePath: made("figure.svg")))
    #expect(String(decoding: figure, as: UTF8.self).contains("</svg>"))
    let table = try String(contentsOfFile: made("means.csv"), encoding: .utf8)
    let rows = table.split(separator: "\n").dropFirst().map { $0.replacing("\"", with: "").split(separator: ",") }
    let means = Dictionary(uniqueKeysWithValues: rows.map { (String($0[0]), Double($0[1])) })
    #expect(rows.allSatisfy { $0.last == "3" })
    let run = try await bench.run(
      [
        "analyse", made("rehearsal"), "--by", "condition", "--measure", "meanHeartRate", "--baseline", "-60:0",
        "--json",
      ])
    let groups = try JSONReader.read(Array(run.output.utf8)).value["summaries"]?.array?.first?["groups"]?.array ?? []
    #expect(groups.count == 5 && means.count == 5)
    for group in groups {
      let name = try #require(group["name"]?.string)
      let (ours, theirs) = try (#require(group["mean"]?.number), #require(means[name] ?? nil))
      #expect(abs(ours - theirs) < 1e-9, "\(name)")
    }
  }
}
