import Basics
import Foundation
import Quantities
import Study
import TestSupport
import Testing

@testable import Bundles
@testable import Session

@Suite("A simulated study")
struct SimulationTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static let station = StationFacts(identifier: "test", version: "1", system: "Linux", timeZone: nil)

  /// The example protocols of the repository.
  static let examples = ((try? FileManager.default.contentsOfDirectory(atPath: "\(Repository.root)/protocols")) ?? [])
    .filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }.sorted()

  private static func example(_ name: String) throws -> LoadedStudy {
    try LoadedStudy("\(Repository.root)/protocols/\(name)", clipsFolder: nil)
  }

  private func simulation(
    of study: LoadedStudy, participants: Int, seed: UInt64 = 1, to folder: String? = nil, jobs: Int = 1
  ) -> Simulation {
    Simulation(
      of: study, participants: participants, seed: seed, results: folder.map { scratch[$0] }, station: Self.station,
      jobs: jobs)
  }

  /// A study of these steps.
  private func study(_ steps: String, more: String = "") throws -> LoadedStudy {
    let text = """
      { "format": "station.protocol/1", "identifier": "Made", "version": "1", \(more) "steps": [ \(steps) ] }
      """
    try Data(text.utf8).write(to: URL(filePath: scratch["made.json"]))
    return try LoadedStudy(scratch["made.json"], clipsFolder: nil)
  }

  /// A form with one question.
  private static func form(_ question: String, more: String = "") -> String {
    #"{ "kind": "form", "identifier": "form", \#(more) "question": \#(question) }"#
  }

  /// Two trials of silence around a question.
  private static let trials = #"""
    { "kind": "trials", "identifier": "trials",
      "design": { "conditions": [ { "name": "a", "clips": "silence" }, { "name": "b", "clips": "silence" } ], "order": "fixed" },
      "steps": [ { "kind": "rest", "identifier": "rest", "stepDuration": 5, "shouldStartTimerAutomatically": true } ] }
    """#

  private func bundles(in folder: String) throws -> [Bundles.Bundle] {
    let results = ResultsFolder(scratch[folder])
    return try results.trials().map { try Bundle(results.bundlePath(named: $0)) }
  }

  // MARK: Whole studies

  @Test("Each planned trial of an example has exactly one bundle, valid and good", arguments: examples)
  func example(name: String) async throws {
    let study = try Self.example(name)
    let simulation = simulation(of: study, participants: 3, to: "results")
    let tally = try await simulation.run()
    #expect(tally.problems.isEmpty && tally.verdicts.keys.allSatisfy { $0 == .good })
    let bundles = try bundles(in: "results")
    var planned: [[Int]] = []
    var cells: [SimulationTally.Cell: Int] = [:]
    for index in 1...3 {
      let code = simulation.code(of: index)
      let own = bundles.map(\.record).filter { $0.participant == code && $0.place?.trial != nil }
      let seed = try #require(own.first).seed
      let place = PlanPlace(index: index, group: own[0].group)
      let plan = try Plan.make(for: study.studyProtocol, clips: study.clips, seed: seed, place: place)
      planned.append(plan.trials.map(\.number))
      #expect(own.compactMap { $0.place?.trial } == plan.trials.map(\.number))
      #expect(own.map { $0.clip?.clip.name } == plan.trials.map { $0.stimulus?.clip.name })
      for trial in plan.trials {
        let condition = trial.placement?.condition ?? study.studyProtocol.identifier
        let cell = SimulationTally.Cell(
          condition: .init(name: condition, isPractice: trial.placement?.isPractice ?? false),
          clip: trial.stimulus?.clip.name, position: trial.placement?.position ?? 1)
        cells[cell, default: 0] += 1
      }
    }
    #expect(tally.cells == cells && tally.trials == planned.joined().count && tally.sessions == 3)
    #expect(bundles.count == tally.trials + (study.studyProtocol.hasTrials ? 3 : 0))
    for bundle in bundles {
      #expect(bundle.record.simulation == .everything && bundle.record.informativeCaveats.contains(.simulated))
      #expect(bundle.verify().isEmpty && bundle.replayedDraw.problem == nil)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch["results/open"]).allSatisfy { $0 == ".lock" })
  }

  @Test("The same seed gives the same bytes, however many take part at once; another one gives others")
  func same() async throws {
    let study = try Self.example("music-and-silence.json")
    _ = try await simulation(of: study, participants: 3, to: "one").run()
    _ = try await simulation(of: study, participants: 3, to: "two", jobs: 3).run()
    _ = try await simulation(of: study, participants: 3, seed: 2, to: "three").run()
    func files(_ folder: String) throws -> [String: Data] {
      let all = FileManager.default.enumerator(atPath: scratch[folder])?.compactMap { $0 as? String } ?? []
      let chosen = all.filter { $0.hasPrefix("bundles/") || $0.hasPrefix("sessions/") }
      return try chosen.filter { URL(filePath: $0).pathExtension != "" }.reduce(into: [:]) { files, name in
        files[name] = try Data(contentsOf: URL(filePath: scratch["\(folder)/\(name)"]))
      }
    }
    let one = try files("one")
    let two = try files("two")
    #expect(one.count > 3 * 6 * 5 && one == two)
    let hearts = Set(one.filter { $0.key.hasSuffix("heart.json") }.values)
    #expect(hearts.count == 18)
    #expect(hearts.isDisjoint(with: try files("three").filter { $0.key.hasSuffix("heart.json") }.values))
  }

  @Test("Without a results folder the same is counted", arguments: examples)
  func memory(name: String) async throws {
    let study = try Self.example(name)
    let kept = try await simulation(of: study, participants: 2, to: "results").run()
    #expect(try await simulation(of: study, participants: 2).run() == kept)
  }

  @Test("Every session of every participant is performed, a week after the one before")
  func sessions() async throws {
    let study = try study(Self.trials, more: #""sessions": 3,"#)
    let tally = try await simulation(of: study, participants: 2, to: "results").run()
    #expect(tally.sessions == 6 && tally.trials == 12 && tally.problems.isEmpty)
    let records = try bundles(in: "results").map(\.record).filter { $0.place?.trial == 1 && $0.participant == "sim2" }
    #expect(records.map(\.session) == ["1", "2", "3"])
    #expect(records.map { $0.startDate.description.prefix(10) } == ["2026-01-02", "2026-01-09", "2026-01-16"])
  }

  @Test("Groups keep their caps, and a participant too many is a problem")
  func groups() async throws {
    let groups =
      #""groups": { "assignment": "list", "groups": [ { "name": "x", "cap": 2 }, { "name": "y", "cap": 3 } ] },"#
    let tally = try await simulation(of: try study(Self.trials, more: groups), participants: 6).run()
    #expect(tally.groups.mapValues(\.count) == ["x": 2, "y": 3])
    #expect(tally.problems.map(\.participant) == ["sim6"] && tally.sessions == 5)
  }

  // MARK: People

  @Test("Questions of every kind are answered within their limits; optional ones are missed at times")
  func answers() async throws {
    let kinds = [
      #""kind": "text", "maximumLength": 20"#, #""kind": "integer", "minimum": 18, "maximum": 99"#,
      #""kind": "decimal", "minimum": 0.5, "maximum": 2.5"#, #""kind": "boolean""#,
      #""kind": "choice", "choices": ["left", "right"]"#, #""kind": "choices", "choices": ["radio", "phone", "tv"]"#,
      #""kind": "date", "latest": "2008-12-31""#, #""kind": "time""#, #""kind": "scale", "minimum": 1, "maximum": 9"#,
      #""kind": "visualAnalogue", "anchors": { "0": "no", "100": "yes" }"#,
    ]
    let questions = kinds.enumerated().flatMap { number, kind in
      [
        #"{ "identifier": "required\#(number)", "prompt": "?", \#(kind) }"#,
        #"{ "identifier": "optional\#(number)", "prompt": "?", "required": false, \#(kind) }"#,
      ]
    }
    let form = #"{ "kind": "form", "identifier": "form", "questions": [ \#(questions.joined(separator: ", ")) ] }"#
    let tally = try await simulation(of: try study(form), participants: 40).run()
    #expect(tally.problems.isEmpty && tally.questions.count == 20)
    for (asked, answers) in tally.questions {
      #expect(answers.asked == 40 && answers.given.keys.allSatisfy { asked.question.format.problem(with: $0) == nil })
      if asked.question.isRequired { #expect(answers.missing == 0, "\(asked.question.identifier)") }
    }
    // 400 optional questions, of which a tenth is missed: 40 ± 6.
    let missing = tally.questions.values.reduce(0) { $0 + $1.missing }
    #expect((20...60).contains(missing))
  }

  @Test("Optional steps are skipped at times")
  func skipped() async throws {
    let rests = (1...10).map {
      #"{ "kind": "rest", "identifier": "rest\#($0)", "optional": true, "stepDuration": 10 }"#
    }
    _ = try await simulation(of: try study(rests.joined(separator: ", ")), participants: 40, to: "results").run()
    let ends = try bundles(in: "results").flatMap { $0.record.steps.map(\.end) }
    // 400 steps, of which a twentieth is skipped: 20 ± 4.4.
    #expect(ends.count == 400 && (5...40).contains(ends.count { $0 == .skipped }))
  }

  @Test("A form that cannot be answered is reported with its step and question, and the others go on")
  func unanswerable() async throws {
    let form = Self.form(#"{ "kind": "decimal", "minimum": 1e-20, "maximum": 2e-20 }"#)
    let tally = try await simulation(of: try study(form), participants: 2).run()
    let questions = tally.problems.compactMap { problem -> String? in
      if case .unanswerable(let asked) = problem.reason { "\(problem.participant) \(asked.step)" } else { nil }
    }
    #expect(questions == ["sim1 form", "sim2 form"])
  }

  @Test("A trial whose rules lead in circles is reported")
  func circles() async throws {
    let form = Self.form(
      #"{ "kind": "scale", "minimum": 1, "maximum": 9 }"#,
      more: #""navigation": [ { "when": { "answer": "form", "above": 0 }, "goTo": "form" } ],"#)
    let study = try study(form + #", { "kind": "completion", "identifier": "end" }"#)
    let tally = try await simulation(of: study, participants: 1).run()
    #expect(
      tally.problems.contains { problem in
        if case .endless = problem.reason { problem.trial == 1 } else { false }
      })
  }

  // MARK: Folders

  @Test("A folder with a trial that was not simulated is refused")
  func real() async throws {
    let study = try study(#"{ "kind": "rest", "identifier": "rest", "stepDuration": 1 }"#)
    let results = ResultsFolder(scratch["results"])
    let identifier = TrialIdentifier(time: WallTime(milliseconds: 1_700_000_000_000))
    let open = try results.openTrial(identifier: identifier, protocolBytes: Array("{}".utf8))
    let opening = TrialOpening(
      head: TrialHead(
        trial: "\(identifier)", studyProtocol: ProtocolReference(identifier: "Real", version: "1", sha256: ""),
        participant: "p01", session: "1", seed: 1,
        zero: CalendarReading(HandClock().wallReading(), since: HandClock().now), station: Self.station, speaker: nil,
        isUnattended: true), recorders: [])
    open.journal.append(time: .zero, event: .trialOpened(opening))
    await #expect(throws: SimulationRefusal.mayBeReal(folder: results.path)) {
      try await simulation(of: study, participants: 1, to: "results").run()
    }
    open.journal.append(
      time: .seconds(1), event: .trialClosed(TrialClosing(outcome: .completed, reason: nil, calendar: nil)))
    _ = try await open.finish()
    await #expect(throws: SimulationRefusal.realTrial(folder: results.path, trial: "\(identifier)")) {
      try await simulation(of: study, participants: 1, to: "results").run()
    }
    #expect(try bundles(in: "results").count == 1)
  }

  @Test("A study is simulated into a folder once, and another study may follow")
  func again() async throws {
    let rest = try study(#"{ "kind": "rest", "identifier": "rest", "stepDuration": 1 }"#)
    _ = try await simulation(of: rest, participants: 2, to: "results").run()
    await #expect(throws: SimulationRefusal.simulatedBefore(folder: scratch["results"], study: "Made")) {
      try await simulation(of: rest, participants: 2, to: "results").run()
    }
    _ = try await simulation(of: try Self.example("silent-control.json"), participants: 2, to: "results").run()
    #expect(try bundles(in: "results").count == 4)
  }

  @Test("A participant's heart beats otherwise in each session, at the same rate at rest")
  func heartOfSessions() {
    let hearts = (1...3).map { SimulatedRandomness(1, "p01", session: $0).heart }
    #expect(Set(hearts.map(\.seed)).count == 3 && Set(hearts.map(\.rate)).count == 1)
  }

  @Test("The question whether a refusal is meant, which results do not answer, is not counted")
  func refusals() async throws {
    let consent =
      #"{ "kind": "consent", "identifier": "consent", "version": "1", "sections": [ { "text": "Listen." } ] }"#
    let tally = try await simulation(of: study(consent), participants: 100).run()
    let names = Set(tally.questions.keys.map(\.question.identifier))
    #expect(names == [ConsentStep.agreementQuestion, ConsentStep.signatureQuestion])
  }
}
