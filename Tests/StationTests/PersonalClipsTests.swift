import Basics
import Foundation
import TestSupport
import Testing

@Suite("Clips of each participant's own")
struct PersonalClipsTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    for (folder, name) in [("noise", "pink"), ("p01/own", "alpha"), ("p02/own", "beta")] {
      try FileManager.default.createDirectory(
        atPath: bench.scratch["clips/\(folder)"], withIntermediateDirectories: true)
      try bench.clip("\(folder)/\(name)")
    }
    let article = try String(
      contentsOfFile: "\(Repository.root)/Sources/station/Station.docc/DesigningAStudy.md", encoding: .utf8)
    let examples = article.components(separatedBy: "```json\n").map { $0.components(separatedBy: "```")[0] }
    let own = try #require(examples.first { $0.contains("{participant}") })
      .replacing(#""folder": "Songs""#, with: #""folder": "clips""#)
      .replacing(#""stepDuration": 180"#, with: #""stepDuration": 0.4"#)
    try bench.write(own, to: "own.json")
    try bench.write(
      own.replacing(#""folder": "clips""#, with: #""folder": "clips/{participant}""#)
        .replacing("{participant}/own", with: "own").replacing(#"{ "folder": "noise" }"#, with: #"{ "folder": "own" }"#)
        .replacing(#""order": "#, with: #""clipReuse": "always", "order": "#),
      to: "apart.json")
  }

  private func run(_ words: [String]) async throws -> (status: Int32, output: String, complaints: String) {
    try await bench.run(words)
  }

  @Test("Validation and plan see the clips of the participant who is named, and say whose are missing")
  func checked() async throws {
    for file in ["own.json", "apart.json"] {
      let everyone = try await run(["validate", file])
      #expect(everyone.status == 0 && everyone.output.contains("--participant"), "\(everyone)")
      let one = try await run(["validate", file, "--participant", "p01"])
      #expect(one.status == 0 && !one.output.contains("--participant"), "\(one)")
      for (code, text) in [("p03", "p03"), ("P01", "capitals"), ("p/1", "p/1")] {
        let refused = try await run(["validate", file, "--participant", code])
        #expect(refused.status != 0 && refused.complaints.contains(text), "\(refused)")
      }
      #expect(try await run(["plan", file]).status == 2)
      let plan = try await run(["plan", file, "--participant", "p02"])
      #expect(plan.status == 0 && plan.output.contains("beta") && !plan.output.contains("alpha"), "\(plan)")
    }
    let shared = try await run(["validate", "own.json", "--participant", "noise"])
    #expect(shared.status == 3, "\(shared)")
    try FileManager.default.moveItem(
      atPath: bench.scratch["clips/p02/own/beta.mp3"], toPath: bench.scratch["clips/p02/own/beta.m4a"])
    let other = try await run(["validate", "own.json", "--participant", "p02"])
    #expect(other.status == 3 && other.complaints.contains("beta.m4a"), "\(other)")
  }

  @Test("A participant hears the own clips, and those of no one else by a slip")
  func played() async throws {
    let more = ["--speaker", "silent", "--unattended", "--sensor", "heartRate=\(Bench.steady)"]
    for participant in ["p01", "p02"] {
      let run = try await Turns.trials.take {
        try await bench.run(["run", "own.json", "--participant", participant] + more)
      }
      #expect([0, 4].contains(run.status), "\(run.complaints)")
    }
    for result in try bench.bundles().map({ try bench.result($0) }) where result["design"]?["condition"] == "own" {
      #expect(result["clip"]?["name"]?.string == (result["participant"] == "p01" ? "alpha" : "beta"))
    }
    for (file, clips) in [("own.json", "clips/p02"), ("apart.json", "clips/p02"), ("own.json", "clips/p02/own")] {
      let slip = try await run(["run", file, "--participant", "p05", "--clips", clips] + more)
      #expect(slip.status == 3 && bench.bundles().count == 8, "\(slip)")
    }
    let elsewhere = try await run([
      "validate", "apart.json", "--participant", "p01", "--clips", "./clips/{participant}",
    ])
    #expect(elsewhere.status == 0 && elsewhere.complaints.isEmpty, "\(elsewhere)")
    let replayed = try await run(["show", "--replay", "results"])
    #expect(replayed.status == 0, "\(replayed.output)\(replayed.complaints)")
  }

  @Test("Simulated participants play the clips of those who have some, in turn", arguments: ["own.json", "apart.json"])
  func simulated(file: String) async throws {
    let words = ["simulate", file, "--participants", "3", "--results", "rehearsal"]
    let run = try await run(words)
    #expect(run.status == 0 && run.output.contains("“p01”, “p02”"), "\(run)")
    var played: [String: Set<String>] = [:]
    for result in try bench.bundles(in: "rehearsal").map({ try bench.result($0) }) {
      guard result["design"]?["condition"] == "own", let name = result["clip"]?["name"]?.string else { continue }
      played[result["participant"]?.string ?? "", default: []].insert(name)
    }
    #expect(played == ["sim1": ["alpha"], "sim2": ["beta"], "sim3": ["alpha"]])
    let replayed = try await self.run(["show", "--replay", "rehearsal"])
    #expect(replayed.status == 0, "\(replayed.output)\(replayed.complaints)")
    try FileManager.default.removeItem(atPath: bench.scratch["clips/p01"])
    try FileManager.default.removeItem(atPath: bench.scratch["clips/p02"])
    #expect(try await self.run(["simulate", file]).status == 3)
  }
}
