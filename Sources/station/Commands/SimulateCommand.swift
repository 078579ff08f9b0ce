import Basics
import Bundles
import Laboratory
import Session
import Study

/// `station simulate PROTOCOL`: performs a whole study with simulated people, sensors and time.
struct SimulateCommand: Command {
  static let syntax = CommandSyntax(
    "simulate", operands: "PROTOCOL", count: 1...1,
    "performs a whole study with simulated people, sensors and time",
    options: [
      .init("participants", value: "N", "the number of participants (default: 40)"),
      .init("seed", value: "N", "the study's seed, also of people and sensors (default: 0)"),
      .init("results", value: "FOLDER|none", "a new folder for bundles, or “none” to keep nothing (default: none)"),
      .init("jobs", value: "N", "the number of participants at a time (default: 1)"),
      LoadedStudy.clipsOption,
      .init("json", "print one JSON object"),
    ])

  let path: String
  let participants: Int
  let seed: UInt64
  let results: String?
  let jobs: Int
  let clipsFolder: String?
  let isJSON: Bool

  init(_ arguments: Arguments) throws {
    path = arguments.operands[0]
    participants = try arguments.wholeNumber("participants", 1...10_000) ?? 40
    seed = try arguments.wholeNumber("seed", 0...Draw.maxSeed) ?? 0
    results = arguments["results"].flatMap { $0 == "none" ? nil : $0 }
    jobs = try arguments.wholeNumber("jobs", 1...64) ?? 1
    clipsFolder = arguments["clips"]
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    let study = try LoadedStudy(path, clipsFolder: clipsFolder)
    let simulation = Simulation(
      of: study, participants: participants, seed: seed, results: results,
      station: .here(version: Version.current), jobs: jobs)
    let tally = try await simulation.run { done in
      Console.standard.show(status: "participant \(done) of \(participants)")
    }
    Console.standard.show(status: "")
    let groups = study.studyProtocol.groups?.groups.map(\.name) ?? []
    if isJSON {
      let head: [String: JSONValue] = [
        "protocol": .string(study.studyProtocol.identifier), "seed": .integer(seed),
        "participants": .integer(participants), "results": .text(results),
      ]
      let answer = head.merging(tally.json(groups: groups)) { head, _ in head }
      Console.standard.write(JSONValue.object(answer).encoded(pretty: true))
    } else {
      Console.standard.line(
        "\(study.studyProtocol.identifier.visible): \(participants.counted("participant")), seed \(seed)")
      if study.lacksParticipant {
        let persons = study.persons.prefix(participants)
        Console.standard.line("clips: those of \(Spelling.list(Array(persons))) in turn")
      }
      for line in tally.lines(groups: groups) { Console.standard.line(line) }
      if let forecast = study.studyProtocol.longestSession {
        Console.standard.line()
        Console.standard.line("a session with people: \(forecast)")
      }
    }
    for problem in tally.problems { Console.standard.report("\(problem)") }
    return tally.problems.isEmpty ? .done : .failed
  }
}
