import Basics
import Foundation
import Glibc
import Laboratory
import TestSupport
import Testing

@Suite("Withdrawing a participant at the bench")
struct WithdrawCommandTests {
  let bench: Bench

  init() async throws {
    bench = try Bench()
    for number in 1...40 {
      var trial = MadeTrial()
      trial.participant = number <= 30 ? "p07" : "p08"
      trial.condition = number.isMultiple(of: 2) ? "Calm" : "Pilot"
      trial.recorders = ["heartRate"]
      try trial.write(to: bench.scratch["results/bundles/019aa230-0000-7000-8000-0000000000\(10 + number)"])
    }
    try FileManager.default.createDirectory(
      atPath: bench.scratch["results/open"], withIntermediateDirectories: false)
    let list = try await ParticipantList.open(bench.scratch["results/participants.sqlite"])
    for code in ["p07", "p08"] {
      for study in ["Calm", "Pilot"] {
        _ = try await list.enrol(code, in: study, at: "2026-11-21T12:00:00.000Z") { _, _ in nil }
      }
    }
    await list.close()
    #expect(try await bench.run(["store", "add"] + bench.bundles()).status == 0)
  }

  /// The files of the results folder in which a code is.
  private func files(with code: String) throws -> [String] {
    let results = bench.scratch["results"]
    return try FileManager.default.subpathsOfDirectory(atPath: results).filter { name in
      guard !Folder.isFolder("\(results)/\(name)") else { return false }
      return try Data(contentsOf: URL(filePath: "\(results)/\(name)")).range(of: Data(code.utf8)) != nil
    }
  }

  @Test("At a terminal the code has to be typed again; another one removes nothing")
  func confirmation() async throws {
    for (typed, status) in [("p08\n", Int32(1)), ("\n", 1), ("p07\n", 0)] {
      let child = try bench.start(["withdraw", "p07"], input: .terminal)
      try await child.output.wait(for: "type the code again") { child.type(typed) }
      #expect(await child.end() == status)
      #expect(bench.bundles().count == (status == 0 ? 10 : 40))
      #expect(child.output.text.contains("30 bundles") && child.output.text.contains("“Calm”, “Pilot”"))
    }
    #expect(try files(with: "p07") == [])
    let listed = try await bench.run(["participants", "--study", "Calm"])
    #expect(listed.output.contains("withdrawn-1") && listed.output.contains("p08"))
  }

  @Test("In a pipe it needs --yes, and programs get what was removed and what lies elsewhere")
  func pipe() async throws {
    let refused = try await bench.run(["withdraw", "p07"])
    #expect(refused.status == 2 && refused.complaints.contains("--yes"))
    try bench.write("old", to: "results/station.sqlite.1.damaged")
    let run = try await bench.run(["withdraw", "p07", "--yes", "--study", "Calm", "--json"])
    #expect(run.status == 0, "\(run.complaints)")
    let answer = try JSONReader.read(Array(run.output.utf8)).value
    try AnswersTests.check([("withdraw", answer)])
    #expect(answer["removed"]?.array?.map { $0["study"] } == ["Calm"])
    #expect(answer["removed"]?.array?.first?["bundles"] == 15)
    let codes = answer["elsewhere"]?.array?.compactMap { $0["code"]?.string }
    #expect(codes == ["oldStores", "otherStudies", "copies", "disk"])
    let nobody = try await bench.run(["withdraw", "p99", "--yes"])
    #expect(nobody.status == 1 && nobody.output.isEmpty)
    let nowhere = try await bench.run(["withdraw", "p07", "--yes", "--results", "nowhere"])
    #expect(nowhere.status == 1 && bench.names(in: "").allSatisfy { $0 != "nowhere" })
  }

  @Test("A withdrawal that is killed is completed when it is called again", arguments: [39, 30, 20, 11, 10])
  func killed(left: Int) async throws {
    let child = try bench.start(["withdraw", "p07", "--yes"])
    let end = ContinuousClock.now + .seconds(30)
    while bench.bundles().count > left, .now < end { await Task.yield() }
    child.send(SIGKILL)
    _ = await child.end()
    // The first one may have been quick enough.
    let isComplete = try files(with: "p07").isEmpty
    let again = try await bench.run(["withdraw", "p07", "--yes"])
    #expect(again.status == (isComplete ? 1 : 0), "\(again.complaints)")
    #expect(try files(with: "p07") == [])
    #expect(bench.bundles().count == 10)
    let lines = try String(contentsOfFile: bench.scratch["results/withdrawn.jsonl"], encoding: .utf8)
      .split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains(#""bundles":15"#) })
    #expect(try await bench.run(["store", "add"] + bench.bundles()).status == 0)
  }
}
