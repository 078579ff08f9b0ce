import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Sessions of several trials, from the command line to their bundles")
struct RepeatTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.write(Bench.music(seconds: 0.3), to: "short.json")
    try bench.write(Bench.music(seconds: 60, more: Bench.looped), to: "long.json")
  }

  private func session(_ more: [String], of protocolName: String = "short.json") -> [String] {
    bench.trial(["--speaker", "silent", "--unattended"] + more, of: protocolName)
  }

  @Test("Each clip is played once, every bundle verifies, and the store has all of them")
  func repeated() async throws {
    try bench.clip("third")
    let (run, lateness) = try await Lateness.during {
      try await Turns.trials.take { try await bench.run(session(["--repeat", "3", "--seed", "7"])) }
    }
    #expect(run.output.split(separator: "\n").filter { $0.hasPrefix("trial ") } == (1...3).map { "trial \($0) of 3" })
    let results = try bench.bundles().map { try bench.result($0) }
    #expect(Set(results.compactMap { $0["clip"]?["name"]?.string }) == ["high", "low", "third"])
    #expect(results.compactMap { $0["place"]?["trial"]?.integer } == [1, 2, 3])
    #expect(Set(results.compactMap { $0["place"]?["run"]?.string }).count == 1)
    for (index, bundle) in bench.bundles().enumerated() {
      #expect(try await bench.run(["verify", bundle]).status == 0)
      #expect(try await bench.run(["show", bundle, "--replay"]).status == 0)
      try lateness.judge(results[index]) {
        #expect(results[index]["verdict"]?.string == "good")
      }
    }
    #expect(run.status == 0, "\(run.output)\(run.complaints)")
    let report = try await bench.run(["report", bench.bundles()[1], "--output", "page.html"])
    #expect(report.status == 0, "\(report.complaints)")
    #expect(try String(contentsOfFile: bench.scratch["page.html"], encoding: .utf8).contains("trial 2 of 3"))
    // All are in the store, so that nothing is left to add.
    let added = try await bench.run(["store", "add", "--json"])
    #expect(added.status == 0, "\(added.complaints)")
    let trials = try await bench.run(["query", "heartRate", "--json"])
    for result in results { #expect(trials.output.contains(try #require(result["trial"]?.string))) }
  }

  @Test("A session that cannot be drawn without replacement is refused before anything is recorded")
  func tooFewClips() async throws {
    let run = try await bench.run(session(["--repeat", "3"]))
    #expect(run.status == 2)
    #expect(run.complaints.contains("--replacement") && bench.bundles().isEmpty)
    #expect(bench.names(in: "results/open").isEmpty)
  }

  @Test("With replacement there are more trials than clips")
  func replacement() async throws {
    let run = try await Turns.trials.take {
      try await bench.run(session(["--repeat", "3", "--replacement", "--seed", "1"]))
    }
    #expect([0, 4].contains(run.status), "\(run.complaints)")
    #expect(bench.bundles().count == 3)
  }

  @Test(
    "Wrong numbers of trials are wrong usage",
    arguments: [["--repeat", "0"], ["--repeat", "x"], ["--repeat", "10001"], ["--replacement"]])
  func wrong(words: [String]) async throws {
    #expect(try await bench.run(session(words)).status == 2)
  }

  @Test(
    "An interrupt ends the trial and the session; what was finished before stays as it was",
    arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) async throws {
    let child = try await Turns.trials.take {
      let child = try bench.start(session(["--repeat", "2", "--replacement"], of: "long.json"))
      try await child.output.wait(for: "the clip sounds") { child.send(signal) }
      #expect(await child.end() == 4)
      return child
    }
    #expect(bench.bundles().count == 1)
    #expect(child.output.text.contains("the session ended early: 1 of 2 trials have a bundle"))
    #expect(try bench.result(#require(bench.bundles().first))["outcome"]?.string == "stopped")
  }

  @Test("After kill -9 in a later trial the earlier bundles are untouched, and that trial is recovered")
  func killed() async throws {
    let child = try await Turns.trials.take {
      let child = try bench.start(session(["--repeat", "200", "--replacement"]))
      try await child.output.wait(for: "trial 3 of 200") { child.send(SIGKILL) }
      _ = await child.end()
      return child
    }
    let before = try bench.bundles().map { try Data(contentsOf: URL(filePath: "\($0)/tagmanifest-sha256.txt")) }
    #expect(before.count >= 2, "\(child.output.text)")
    #expect(try await bench.run(["recover"]).status == 0)
    let bundles = bench.bundles()
    #expect((before.count...before.count + 1).contains(bundles.count))
    for (index, bundle) in bundles.enumerated() {
      #expect(try await bench.run(["verify", bundle]).status == 0)
      guard index < before.count else { continue }
      #expect(try Data(contentsOf: URL(filePath: "\(bundle)/tagmanifest-sha256.txt")) == before[index])
    }
  }
}
