import Basics
import Foundation
import TestSupport
import Testing

@Suite("Simulating a study from the command line")
struct SimulateCommandTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// A study of one form.
  private func form(_ question: String) throws {
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "Form", "version": "1",
        "steps": [ { "kind": "form", "identifier": "form", "question": \(question) } ] }
      """, to: "form.json")
  }

  @Test("Programs get every count as the schema says, the same each time, whoever keeps it")
  func programs() async throws {
    var answers: [JSONValue] = []
    for results in [["--results", "one"], ["--results", "two", "--jobs", "2"], []] {
      let call = ["simulate", "short.json", "--participants", "3", "--seed", "5", "--json"] + results
      let (status, output, complaints) = try await bench.run(call)
      #expect(status == 0 && complaints.isEmpty, "\(complaints)")
      let answer = try JSONReader.read(Array(output.utf8)).value
      #expect(answer["results"]?.string == results.dropFirst().first)
      answers.append(answer)
    }
    try AnswersTests.check(answers.map { ("simulate", $0) })
    #expect(Set(answers.map { $0["conditions"] }).count == 1 && answers[0]["conditions"]?.array?.isEmpty == false)
    #expect(answers[0]["trials"]?.integer == 3 && answers[0]["verdicts"]?["good"]?.integer == 3)
    let (status, output, _) = try await bench.run(["list", "one", "--json"])
    let bundles = try JSONReader.read(Array(output.utf8)).value.array
    #expect(status == 0 && bundles?.map { $0["simulated"]?.bool } == [true, true, true])
  }

  @Test("People get the counts as tables")
  func people() async throws {
    try form(#"{ "kind": "scale", "minimum": 1, "maximum": 2 }"#)
    let (status, output, complaints) = try await bench.run(["simulate", "form.json", "--participants", "6"])
    #expect(status == 0 && complaints.isEmpty)
    let lines = output.split(separator: "\n").map(String.init)
    #expect(lines.first == "Form: 6 participants, seed 0")
    #expect(lines.contains { $0.hasPrefix("6 sessions, 6 trials") && $0.hasSuffix("verdicts: 6 good") })
    #expect(lines.contains { $0.hasPrefix("form  form") })
  }

  @Test("A form that cannot be answered is a problem of each participant, and the status is 1")
  func problems() async throws {
    try form(#"{ "kind": "decimal", "minimum": 1e-20, "maximum": 2e-20 }"#)
    let (status, output, complaints) = try await bench.run(["simulate", "form.json", "--participants", "2", "--json"])
    let answer = try JSONReader.read(Array(output.utf8)).value
    try AnswersTests.check([("simulate", answer)])
    #expect(status == 1 && complaints.contains("sim2, session 1: "))
    #expect(Set((answer["problems"]?.array ?? []).map { $0["participant"]?.string }) == ["sim1", "sim2"])
  }

  @Test("A folder with real trials is left as it is")
  func real() async throws {
    try form(#"{ "kind": "boolean" }"#)
    let run = try await bench.run(["run", "form.json", "--participant", "p01", "--unattended"])
    // Nobody answers, which is suspect.
    #expect(run.status == 4, "\(run)")
    let (status, output, complaints) = try await bench.run(["simulate", "form.json", "--results", "results"])
    #expect(status == 1 && output.isEmpty && complaints.contains("was not simulated"))
    let bundles = try FileManager.default.contentsOfDirectory(atPath: bench.scratch["results/bundles"])
    #expect(bundles.count == 1)
  }

  @Test(
    "Wrong arguments are refused before anything is done",
    arguments: [
      [], ["short.json", "short.json"], ["short.json", "--participants", "0"], ["short.json", "--seed", "-1"],
      ["short.json", "--seed", "9007199254740992"], ["short.json", "--jobs", "0"],
      ["short.json", "--participant", "x"],
    ])
  func refused(words: [String]) async throws {
    let (status, output, complaints) = try await bench.run(["simulate"] + words)
    #expect(status == 2 && output.isEmpty && !complaints.isEmpty)
  }

  @Test("A protocol with a problem is not simulated")
  func invalid() async throws {
    try bench.write(Bench.music(seconds: 1, choice: #"{ "name": "hihg" }"#), to: "misspelt.json")
    let (status, _, complaints) = try await bench.run(["simulate", "misspelt.json"])
    #expect(status == 3 && complaints.contains("did you mean “high”"))
  }
}
