import Basics
import Foundation
import TestSupport
import Testing

@Suite("The tutorial")
struct TutorialTests {
  private static let folder = "\(Repository.root)/Sources/station/Station.docc/Tutorials"

  /// The files that the steps of the tutorial show, in its order.
  private static func files() throws -> [String] {
    let text = try String(contentsOfFile: "\(folder)/FirstStudy.tutorial", encoding: .utf8)
    return text.matches(of: /file: "([^"]+)"/).map { String($0.1) }
  }

  @Test("“Your first study” leads from a protocol to a table and a figure in R, whose means are the station's own")
  func firstStudy() async throws {
    let bench = try Bench()
    for name in ["protocols", "Clips"] {
      try FileManager.default.createSymbolicLink(
        atPath: bench.scratch[name], withDestinationPath: "\(Repository.root)/\(name)")
    }
    let bin = URL(filePath: Bench.station).deletingLastPathComponent().path
    let files = try Self.files()
    #expect(files.count > 5)
    for file in files {
      try FileManager.default.copyItem(atPath: "\(Self.folder)/\(file)", toPath: bench.scratch[file])
      guard file.hasSuffix(".sh") else { continue }
      let script = "export PATH='\(bin)':$PATH; cd '\(bench.path)' && bash -e \(file)"
      let run = try Program.run("bash", ["-c", script])
      #expect(run.status == 0, "\(file): \(run.error)")
    }
    let figure = try Data(contentsOf: URL(filePath: bench.scratch["figure.svg"]))
    #expect(String(decoding: figure, as: UTF8.self).contains("</svg>"))
    let table = try String(contentsOfFile: bench.scratch["means.csv"], encoding: .utf8)
    let rows = table.split(separator: "\n").dropFirst().map { $0.replacing("\"", with: "").split(separator: ",") }
    let means = Dictionary(uniqueKeysWithValues: rows.map { (String($0[0]), Double($0[1])) })
    #expect(rows.allSatisfy { $0.last == "3" })
    let run = try await bench.run(
      ["analyse", "first-study", "--by", "condition", "--measure", "meanHeartRate", "--baseline", "-60:0", "--json"])
    let groups = try JSONReader.read(Array(run.output.utf8)).value["summaries"]?.array?.first?["groups"]?.array ?? []
    #expect(groups.count == 5 && means.count == 5)
    for group in groups {
      let name = try #require(group["name"]?.string)
      let (ours, theirs) = try (#require(group["mean"]?.number), #require(means[name] ?? nil))
      #expect(abs(ours - theirs) < 1e-9, "\(name)")
    }
  }
}
