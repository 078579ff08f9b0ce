import Basics
import Quantities
import Recordings
import TestSupport
import Testing

@testable import Analysis
@testable import Bundles

@Suite("The order of trials")
struct TrialChronologyTests {
  /// A trial that began so many seconds after the first.
  private func entry(
    _ name: String, _ seconds: Int64, participant: String = "p01", session: String = "1", clip: String? = nil,
    verdict: Verdict = .good, simulation: TrialSimulation = .none
  ) -> TrialChronology.Entry {
    TrialChronology.Entry(
      path: "results/bundles/\(name)",
      TrialHeading(
        trial: name, participant: participant, session: session,
        startDate: WallTime(milliseconds: 1_763_636_911_250 + seconds * 1000), study: "Task", clip: clip ?? name,
        verdict: verdict, simulation: simulation))
  }

  private func name(_ seconds: Int64) -> String {
    TrialIdentifier(time: WallTime(milliseconds: 1_763_636_911_250 + seconds * 1000)).description
  }

  @Test("is that of time: periods within a participant, predecessors within a session")
  func periods() {
    let order = TrialChronology([
      entry("c", 86_400, session: "2"), entry("a", 0), entry("x", 5, participant: "p02"), entry("b", 100),
      entry("d", 86_500, session: "2"),
    ])
    #expect(order.places.map(\.period) == [3, 1, 1, 2, 4])
    #expect(order.places.map(\.trialInSession) == [1, 1, 1, 2, 2])
    #expect(order.places.map(\.previousClip) == [nil, nil, nil, "a", "c"])
    #expect(order.places.map(\.previousCondition) == [nil, nil, nil, "Task", "Task"])
    #expect(order.sessions == ["p01": ["1", "2"], "p02": ["1"]])
  }

  @Test("counts the trials beside those that were asked for")
  func neighbours() {
    let order = TrialChronology([entry("a", 0), entry("c", 200)], besides: [entry("b", 100), entry("d", 300)])
    #expect(order.places.map(\.period) == [1, 3])
    #expect(order.places.map(\.previousClip) == [nil, "b"])
  }

  @Test("is not known after what cannot be read, which may be anybody's, and is reported")
  func unreadable() {
    let torn = TrialChronology.Entry(path: "results/bundles/\(name(150))", problem: "torn")
    let order = TrialChronology([entry("a", 0), entry("b", 100), torn, entry("c", 200), entry("d", 300)])
    #expect(order.places.map(\.period) == [1, 2, nil, nil])
    #expect(order.places.map(\.trialInSession) == [1, 2, nil, nil])
    // Between c and d nothing can have been.
    #expect(order.places.map(\.previousClip) == [nil, "a", nil, "c"])
    #expect(order.problems == ["torn"])
    #expect(order.unknownPeriods?.contains("the period of 2 trials is not known") == true)
    // A folder whose name says no time may stand anywhere.
    let nameless = TrialChronology(
      [entry("a", 0), entry("b", 100)], besides: [TrialChronology.Entry(path: "results/bundles/old", problem: "torn")])
    #expect(nameless.places.map(\.period) == [nil, nil] && nameless.places.map(\.previousClip) == [nil, nil])
    #expect(nameless.problems.isEmpty)
  }

  @Test("has a trial once, however often it is given or copied, and says so")
  func copies() throws {
    let first = entry("a", 0)
    let copy = TrialChronology.Entry(path: "backup/a", try #require(first.trial))
    let order = TrialChronology([first, copy, first], besides: [copy])
    #expect(order.places.map(\.path) == ["results/bundles/a"])
    #expect(order.places[0].period == 1 && order.places[0].previousClip == nil)
    #expect(
      order.repeated == [
        "“backup/a” is the same trial as “results/bundles/a”, and counts once with it",
        "“results/bundles/a” is given twice, and counts once",
      ])
  }

  @Test(
    "keeps the periods of those chosen",
    arguments: [
      (TrialSelection(), ["a", "b", "c", "d"], 0), (TrialSelection(participant: "p01"), ["a", "b", "c"], 1),
      (TrialSelection(session: "2"), ["c"], 3), (TrialSelection(verdict: .good), ["a", "d"], 2),
      (TrialSelection(verdict: .suspect), ["a", "b", "d"], 1),
    ])
  func selection(selection: TrialSelection, names: [String], notChosen: Int) {
    let order = TrialChronology(
      [
        entry("a", 0), entry("b", 1, verdict: .suspect), entry("c", 2, session: "2", verdict: .bad),
        entry("d", 3, participant: "p02"),
      ], selection: selection)
    #expect(order.places.map { String($0.path.suffix(1)) } == names && order.notChosen == notChosen)
    for place in order.places { #expect(place.period == ["a": 1, "b": 2, "c": 3, "d": 1][place.path.suffix(1)]) }
  }

  @Test("says whose trials there are where none is chosen")
  func nobody() {
    let all = (0..<12).map { entry("t\($0)", $0, participant: "p\(100 + $0)") }
    let one = TrialChronology(all, selection: TrialSelection(participant: "p100", session: "2", verdict: .suspect))
    #expect(
      one.noneChosen?.hasPrefix(
        "there is no trial of participant “p100”, session “2” with the verdict good or suspect; there are those of p100 (1); "
          + "p101 (1); ") == true)
    #expect(one.noneChosen?.hasSuffix("p109 (1); and 2 more") == true)
    #expect(TrialChronology(all, selection: TrialSelection(participant: "p100")).noneChosen == nil)
    #expect(TrialChronology([]).noneChosen == nil)
    let file = TrialChronology([TrialChronology.Entry(reading: "beats.txt")], selection: TrialSelection(session: "1"))
    #expect(file.noneChosen == "there is no trial of any participant, session “1”; there are none of anybody")
  }

  @Test("What is left of a bundle is one wherever it is met, and leaves periods unknown")
  func torn() throws {
    let scratch = try ScratchFolder()
    for name in ["a", "b"] { try MadeTrial().write(to: scratch["results/bundles/\(name)"]) }
    let (torn, other) = (scratch["results/bundles/a"], scratch["results/bundles/b"])
    try File.create("\(torn)/bagit.txt", [])
    try Folder.removeFile("\(torn)/data/result.json")
    for path in [scratch["results"], scratch["results/bundles"]] {
      #expect(try TrialPaths.expand(path) == [torn, other])
    }
    #expect(try TrialPaths.expand(torn) == [torn] && !TrialPaths.isMany(torn))
    #expect(TrialPaths.neighbours(of: [other]) == [torn])
    let order = TrialChronology(
      [TrialChronology.Entry(reading: other)], besides: TrialPaths.neighbours(of: [other]).map { .init(reading: $0) })
    #expect(order.places.map(\.period) == [nil] && order.unknownPeriods != nil)
  }

  @Test("A path names a bundle, all of a results folder, or a folder of bundles; and its neighbours are known")
  func paths() throws {
    let scratch = try ScratchFolder()
    for name in ["a", "b"] { try MadeTrial().write(to: scratch["results/bundles/\(name)"]) }
    try MadeTrial().write(to: scratch["plain/c"])
    let (one, other) = (scratch["results/bundles/a"], scratch["results/bundles/b"])
    #expect(try TrialPaths.expand(scratch["results"]) == [one, other])
    #expect(try TrialPaths.expand(scratch["plain"]) == [scratch["plain/c"]])
    #expect(try TrialPaths.expand(one) == [one] && TrialPaths.isMany(scratch["results"]) && !TrialPaths.isMany(one))
    #expect(TrialPaths.neighbours(of: [other]) == [one])
    #expect(TrialPaths.neighbours(of: [one, other]).isEmpty)
    #expect(throws: RecordingError.noTrials(path: scratch.path)) { try TrialPaths.expand(scratch.path) }
  }

  private static let rehearsed = TrialSimulation.sensors(["simulated"])

  @Test(
    "leaves simulated trials out, unless all were made by a simulation or they are asked for",
    arguments: [
      ([TrialSimulation.none, .none], false, 2, 0, 0), ([.everything, .everything], false, 2, 2, 0),
      ([.none, .everything], false, 1, 0, 1), ([.none, rehearsed], false, 1, 0, 1),
      ([rehearsed, rehearsed], false, 0, 0, 2), ([.everything, rehearsed], false, 0, 0, 2),
      ([.none, .everything], true, 2, 1, 0), ([rehearsed, rehearsed], true, 2, 2, 0),
    ] as [([TrialSimulation], Bool, Int, Int, Int)])
  func simulated(kinds: [TrialSimulation], isIncluded: Bool, chosen: Int, simulated: Int, leftOut: Int) {
    let entries = kinds.enumerated().map { entry("t\($0)", Int64($0), simulation: $1) }
    let order = TrialChronology(entries, selection: TrialSelection(includesSimulated: isIncluded))
    #expect(order.places.count == chosen && order.simulated == simulated && order.simulatedLeftOut == leftOut)
    #expect((order.noneChosen == nil) == (chosen > 0))
  }

  @Test("numbers a person's trials as if simulated ones beside them were not there")
  func numbering() {
    let order = TrialChronology([entry("a", 0, simulation: Self.rehearsed), entry("b", 100)])
    #expect(order.places.map(\.period) == [1] && order.places.map(\.previousClip) == [nil])
  }

  @Test("counts trials only, and not what lies around them", arguments: [false, true])
  func around(isIncluded: Bool) throws {
    func entry(_ name: String, trial: Int?) throws -> TrialChronology.Entry {
      var members = MadeTrial().result(name)
      guard case .object(var result) = members else { throw CancellationError() }
      result["simulated"] = true
      result["simulatedSensors"] = ["simulated"]
      result["session"] = "1"
      result["place"] = .object(["run": "r"].merging(trial.map { ["trial": .integer($0)] } ?? [:]) { $1 })
      members = .object(result)
      return TrialChronology.Entry(path: name, try members.decoded(as: TrialHeading.self))
    }
    let order = TrialChronology(
      [try entry("a", trial: nil), try entry("b", trial: 1), try entry("c", trial: 2)],
      selection: TrialSelection(includesSimulated: isIncluded))
    #expect(order.simulatedLeftOut == (isIncluded ? 0 : 2))
    #expect((order.noneChosen == nil) == isIncluded)
  }
}
