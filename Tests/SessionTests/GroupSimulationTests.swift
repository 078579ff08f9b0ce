import Bundles
import Foundation
import Study
import TestSupport
import Testing

@testable import Session

@Suite("Groups in simulated studies, with and without trials")
struct GroupSimulationTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// A study of two groups of which each has a step of its own.
  private func study(hasTrials: Bool, sessions: Int, _ groups: String) throws -> LoadedStudy {
    let steps = ["x", "y"].map { group in
      """
      { "kind": "rest", "identifier": "of-\(group)", "groups": ["\(group)"], "stepDuration": 5,
        "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true }
      """
    }.joined(separator: ",")
    let trials = """
      { "kind": "trials", "identifier": "trials", "steps": [ \(steps) ],
        "design": { "conditions": [ { "name": "a", "clips": "silence" }, { "name": "b", "clips": "silence" } ],
          "order": "random" } }
      """
    let text = """
      { "format": "station.protocol/1", "identifier": "Made", "version": "1", "sessions": \(sessions),
        "groups": \(groups), "steps": [ \(hasTrials ? trials : steps) ] }
      """
    try Data(text.utf8).write(to: URL(filePath: scratch["made.json"]))
    return try LoadedStudy(scratch["made.json"], clipsFolder: nil)
  }

  private static let capped =
    #"{ "assignment": "list", "groups": [ { "name": "x", "cap": 2 }, { "name": "y", "cap": 4 } ] }"#
  private static let inTurn = #"{ "assignment": "index", "groups": [ { "name": "x" }, { "name": "y" } ] }"#
  private static let hashed = #"{ "assignment": "hash", "groups": [ { "name": "x" }, { "name": "y" } ] }"#

  @Test(
    "Everyone has one group, and performs the steps of that group only, in every session",
    arguments: [true, false], [(1, capped), (3, capped), (1, inTurn), (2, inTurn), (2, hashed)])
  func groups(hasTrials: Bool, sessions: (count: Int, groups: String)) async throws {
    let study = try study(hasTrials: hasTrials, sessions: sessions.count, sessions.groups)
    let simulation = Simulation(
      of: study, participants: 7, seed: 3, results: scratch["results"],
      station: StationFacts(identifier: "test", version: "1", system: "Linux", timeZone: nil))
    let tally = try await simulation.run()
    let isCapped = sessions.groups == Self.capped
    #expect(
      tally.problems.count == (isCapped ? 1 : 0)
        && tally.groups.values.map(\.count).reduce(0, +) == 7 - tally.problems.count)
    if isCapped { #expect(tally.groups.mapValues(\.count) == ["x": 2, "y": 4]) }
    let results = ResultsFolder(scratch["results"])
    let bundles = try results.trials().map { try Bundle(results.bundlePath(named: $0)).record }
    let trials = bundles.filter { $0.place?.trial != nil }
    #expect(trials.count == (7 - tally.problems.count) * sessions.count * (hasTrials ? 2 : 1))
    for trial in trials {
      let group = try #require(trial.group)
      #expect(trial.steps.map(\.identifier) == ["of-\(group)"])
      #expect(trials.allSatisfy { $0.participant != trial.participant || $0.group == group })
    }
    for (_, own) in Dictionary(grouping: trials, by: \.participant) {
      #expect(Set(own.map(\.session)) == Set((1...sessions.count).map { "\($0)" }))
    }
    for name in try ResultsFolder(scratch["results"]).sessionNames() {
      #expect(try SessionReplay(of: name, in: ResultsFolder(scratch["results"])).differences.isEmpty)
    }
  }
}
