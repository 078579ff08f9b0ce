import TestSupport
import Testing

@testable import Laboratory
@testable import SampleStore
@testable import Study

@Suite("A participants' list")
struct ParticipantListTests {
  private static let noon = "2026-11-21T12:00:00.000Z"
  private static let later = "2026-11-21T13:00:00.000Z"

  // MARK: Seeds

  @Test("The first seed that is proposed is the study's for good", arguments: TestedList.allCases)
  func seed(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    #expect(try await list.seed(of: "Calm", proposing: 0) == 0)
    #expect(try await list.seed(of: "Calm", proposing: 7) == 0)
    #expect(try await list.seed(of: "Other", proposing: Draw.maxSeed) == Draw.maxSeed)
    let again = try await place.open()
    #expect(try await again.seed(of: "Calm", proposing: 8) == 0)
    try await again.enrol("p1", in: "Unseeded")
    #expect(
      try await again.studies() == [
        ListedStudy(identifier: "Calm", seed: 0), ListedStudy(identifier: "Other", seed: Draw.maxSeed),
        ListedStudy(identifier: "Unseeded", seed: nil),
      ])
  }

  @Test(
    "A chosen seed is taken if the study has none, and refused if it has another one", arguments: TestedList.allCases)
  func chosenSeed(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    try await list.setSeed(of: "Calm", to: 5)
    try await list.setSeed(of: "Calm", to: 5)
    await #expect(throws: ParticipantListError.otherSeed(study: "Calm", kept: 5, given: 6)) {
      try await list.setSeed(of: "Calm", to: 6)
    }
    #expect(try await list.seed(of: "Calm", proposing: 6) == 5)
  }

  // MARK: Enrolment

  @Test("Participants are numbered in the order of enrolment, each once in every study", arguments: TestedList.allCases)
  func enrolment(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    for number in 1...20 {
      let participant = try await list.enrol("p\(number)", in: "Calm", at: Self.noon) { index, _ in "g\(index % 3)" }
      #expect(participant.index == number && participant.group == "g\(number % 3)")
      #expect(participant.state == .enrolled && participant.enrolled == Self.noon && participant.sessions == [])
    }
    #expect(try await list.enrol("p1", in: "Other").index == 1)
    let again = try await place.open()
    let known = try await again.enrol("p7", in: "Calm", at: Self.later) { _, _ in
      Issue.record("the group of a participant is chosen once")
      return "other"
    }
    #expect(known.index == 7 && known.group == "g1" && known.enrolled == Self.noon)
    #expect(try await again.participants(of: "Calm").map(\.name) == (1...20).map { "p\($0)" })
    #expect(try await again.participants(of: "None") == [])
  }

  @Test(
    "The last enrolment is undone as long as no session came of it, and its index is given again",
    arguments: TestedList.allCases)
  func undone(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    _ = try await list.seed(of: "Calm", proposing: 5)
    for code in ["p1", "p2", "p3"] { _ = try await list.enrol(code, in: "Calm", at: Self.noon) { _, _ in "a" } }
    #expect(try await !list.undoEnrolment(of: "p2", in: "Calm", at: Self.noon), "another one came after it")
    #expect(try await !list.undoEnrolment(of: "p3", in: "Calm", at: Self.later), "it is an earlier one")
    #expect(try await !list.undoEnrolment(of: "p4", in: "Calm", at: Self.noon))
    #expect(try await list.undoEnrolment(of: "p3", in: "Calm", at: Self.noon))
    #expect(try await list.enrol("p4", in: "Calm", at: Self.later) { _, _ in "a" }.index == 3)
    _ = try await list.beginSession(
      "run", of: "p4", in: "Calm", number: 1, trials: 1, at: Self.later, on: "station")
    #expect(try await !list.undoEnrolment(of: "p4", in: "Calm", at: Self.later), "it has a session")
    _ = try await list.enrol("only", in: "Other", at: Self.noon) { _, _ in nil }
    #expect(try await list.undoEnrolment(of: "only", in: "Other", at: Self.noon))
    #expect(try await list.studies().map(\.identifier) == ["Calm"])
  }

  @Test("Codes that differ in capitals are different participants", arguments: TestedList.allCases)
  func capitals(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    #expect(try await ["p1", "P1", "p1"].asyncMap { try await list.enrol($0, in: "Calm").index } == [1, 2, 1])
  }

  @Test("Where no group can be chosen, nobody is enrolled and no index is lost", arguments: TestedList.allCases)
  func refusedGroup(engine: TestedList) async throws {
    struct Full: Error {}
    let place = try await engine.make()
    let list = try await place.open()
    try await list.enrol("p1", in: "Calm")
    await #expect(throws: Full.self) {
      try await list.enrol("p2", in: "Calm", at: Self.noon) { _, _ in throw Full() }
    }
    await #expect(throws: Full.self) {
      try await list.enrol("p1", in: "Empty", at: Self.noon) { _, _ in throw Full() }
    }
    #expect(try await list.enrol("p3", in: "Calm").index == 2)
    #expect(try await list.studies().map(\.identifier) == ["Calm"])
  }

  @Test("One to twenty-four groups by index are exact", arguments: TestedList.allCases)
  func groupsByIndex(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    for number in 1...24 {
      let groups = StudyGroups(.index, (1...number).map { StudyGroups.Group("g\($0)") })
      let study = "Groups\(number)"
      for participant in 1...(2 * number) {
        let code = "p\(participant)"
        _ = try await list.enrol(code, in: study, at: Self.noon) { index, counts in
          try groups.assign(index: index, participant: code, counts: counts, seed: 1).name
        }
      }
      let names = groups.groups.map(\.name)
      #expect(try await list.participants(of: study).compactMap(\.group) == names + names)
    }
  }

  @Test("The list keeps what is needed to repeat the draw of a group", arguments: TestedList.allCases)
  func repeatedDraws(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    let groups = StudyGroups(.list, ["a", "b", "c"].map { StudyGroups.Group($0, cap: 10) })
    for number in 1...30 {
      let code = "p\(number)"
      _ = try await list.enrol(code, in: "Calm", at: Self.noon) { index, counts in
        try groups.assign(index: index, participant: code, counts: counts, seed: 3).name
      }
      // Whoever leaves changes the counts of later participants, and not of earlier ones.
      if number % 7 == 0 { _ = try await list.withdraw("p\(number - 3)") }
    }
    let all = try await place.open().participants(of: "Calm")
    #expect(all.count == 30 && Set(all.compactMap(\.group)).count == 3)
    for participant in all {
      let found = try groups.assign(
        index: participant.index, participant: participant.name, counts: participant.groupCounts, seed: 3)
      #expect(found.name == participant.group)
    }
  }

  // MARK: Replacement

  @Test("Who replaces a participant has the same index and group", arguments: TestedList.allCases)
  func replacement(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    for code in ["p1", "p2", "p3"] {
      _ = try await list.enrol(code, in: "Calm", at: Self.noon) { index, _ in index == 2 ? "b" : "a" }
    }
    let new = try await list.replace("p2", by: "p9", in: "Calm", at: Self.later)
    #expect(new.index == 2 && new.group == "b" && new.replaces == "p2" && new.enrolled == Self.later)
    let all = try await place.open().participants(of: "Calm")
    #expect(all.map(\.name) == ["p1", "p2", "p9", "p3"] && all.map(\.index) == [1, 2, 2, 3])
    #expect(all.map(\.state) == [.enrolled, .replaced, .enrolled, .enrolled] && all[2] == new)
    // The next index is a new one, and each place counts once.
    let next = try await list.enrol("p4", in: "Calm", at: Self.noon) { index, counts in
      #expect(index == 4 && counts == ["a": 2, "b": 1])
      return "b"
    }
    #expect(next.index == 4)
    #expect(try await list.replace("p9", by: "p10", in: "Calm", at: Self.later).replaces == "p9")
  }

  @Test("Participants who are unknown, replaced or enrolled already are refused", arguments: TestedList.allCases)
  func refusedReplacement(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    for code in ["p1", "p2"] { try await list.enrol(code, in: "Calm") }
    _ = try await list.replace("p1", by: "p9", in: "Calm", at: Self.noon)
    let before = try await list.participants(of: "Calm")
    func refused(_ old: String, by new: String, in study: String = "Calm") async -> ParticipantListError? {
      await #expect(throws: ParticipantListError.self) { () async throws in
        _ = try await list.replace(old, by: new, in: study, at: Self.noon)
      }
    }
    let known = ["p1", "p9", "p2"]
    #expect(await refused("p3", by: "p10") == .unknown(participant: "p3", study: "Calm", known: known))
    #expect(await refused("p1", by: "p10") == .replaced(participant: "p1", study: "Calm", by: "p9"))
    #expect(await refused("p2", by: "p1") == .enrolled(participant: "p1", study: "Calm"))
    #expect(await refused("p2", by: "p2") == .enrolled(participant: "p2", study: "Calm"))
    #expect(await refused("p1", by: "p10", in: "None") == .unknown(participant: "p1", study: "None", known: []))
    #expect(try await list.participants(of: "Calm") == before)
    #expect(try await list.studies().map(\.identifier) == ["Calm"])
  }

  // MARK: Withdrawal

  @Test("Nothing but index, group and state is left of a participant who withdraws", arguments: TestedList.allCases)
  func withdrawal(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    for code in ["p1", "secretPerson42", "p3"] {
      _ = try await list.enrol(code, in: "Calm", at: Self.noon) { _, _ in "a" }
    }
    try await list.enrol("secretPerson42", in: "Other")
    _ = try await list.beginSession("run", of: "secretPerson42", in: "Calm", trials: 8, at: Self.noon, on: "desk")
    #expect(try await list.withdraw("secretPerson42") == ["Calm": "withdrawn-2", "Other": "withdrawn-1"])
    #expect(try await list.withdraw("secretPerson42") == [:])
    #expect(try await list.withdraw("") == [:])
    let all = try await list.participants(of: "Calm")
    #expect(all.map(\.name) == ["p1", "withdrawn-2", "p3"] && all.map(\.code) == ["p1", nil, "p3"])
    #expect(all[1].state == .withdrawn && all[1].group == "a" && all[1].index == 2)
    #expect(all[1].enrolled == nil && all[1].sessions == [])
    // The place in the group is free, the index is not, and the same person is another one from now on.
    let next = try await list.enrol("secretPerson42", in: "Calm", at: Self.noon) { index, counts in
      #expect(index == 4 && counts == ["a": 2])
      return "a"
    }
    #expect(next.index == 4 && next.sessions == [])
    #expect(try await list.withdraw("secretPerson42") == ["Calm": "withdrawn-4"])
    await list.close()
    if let folder = place.folder {
      for name in try OpeningTests.contents(folder) {
        #expect(name.value.firstRange(of: Array("secretPerson42".utf8)) == nil, "\(name.key)")
      }
    }
  }

  @Test("Who was replaced may withdraw, and so may who replaced them", arguments: TestedList.allCases)
  func withdrawalAfterReplacement(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    try await list.enrol("p1", in: "Calm")
    _ = try await list.replace("p1", by: "p2", in: "Calm", at: Self.noon)
    #expect(try await list.withdraw("p1") == ["Calm": "withdrawn-1"])
    #expect(try await list.participants(of: "Calm").map(\.replaces) == [nil, "withdrawn-1"])
    #expect(try await list.withdraw("p2") == ["Calm": "withdrawn-1-2"])
    #expect(try await list.participants(of: "Calm").map(\.state) == [.withdrawn, .withdrawn])
    #expect(try await list.enrol("p3", in: "Calm").index == 2)
  }

  // MARK: Sessions

  @Test("Sessions are counted, and one that has not ended is found", arguments: TestedList.allCases)
  func sessions(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    try await list.enrol("p1", in: "Calm")
    func begin(_ run: String, number: Int? = nil) async throws -> ListedSession {
      try await list.beginSession(run, of: "p1", in: "Calm", number: number, trials: 8, at: Self.noon, on: "desk")
    }
    func end(_ run: String, isCompleted: Bool, trials: Int) async throws {
      try await list.endSession(run, in: "Calm", isCompleted: isCompleted, trialsDone: trials, at: Self.later)
    }
    func unfinished() async throws -> String? { try await list.unfinishedSession(of: "p1", in: "Calm")?.run }
    #expect(try await unfinished() == nil)
    let first = try await begin("run1")
    #expect(first.number == 1 && first.state == .started && first.trialsPlanned == 8 && first.trialsDone == 0)
    #expect(first.started == Self.noon && first.ended == nil && first.host == "desk")
    #expect(try await unfinished() == "run1")
    #expect(try await begin("run1") == first, "a run is started once")
    // An interrupted one has not ended: its number comes again.
    #expect(try await begin("run2").number == 1)
    try await end("run2", isCompleted: false, trials: 3)
    #expect(try await unfinished() == nil)
    #expect(try await begin("run3").number == 2)
    try await end("run3", isCompleted: true, trials: 8)
    #expect(try await begin("run4", number: 7).number == 7)
    try await end("run4", isCompleted: false, trials: 2)
    try await end("run4", isCompleted: true, trials: 8)
    #expect(try await begin("run5").number == 8)
    let participant = try #require(try await place.open().participants(of: "Calm").first)
    #expect(participant.sessions.map(\.run) == (1...5).map { "run\($0)" })
    #expect(participant.sessions.map(\.state) == [.started, .endedEarly, .completed, .completed, .started])
    #expect(participant.sessions.map(\.ended) == [nil, Self.later, Self.later, Self.later, nil])
    #expect(participant.sessionsDone == 2 && participant.trialsDone == 19)
    #expect(try await unfinished() == "run5")
  }

  @Test("Sessions are of participants who take part, and end if they were started", arguments: TestedList.allCases)
  func refusedSessions(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    try await list.enrol("p1", in: "Calm")
    _ = try await list.replace("p1", by: "p2", in: "Calm", at: Self.noon)
    func refused(_ participant: String) async -> ParticipantListError? {
      await #expect(throws: ParticipantListError.self) { () async throws in
        _ = try await list.beginSession("run", of: participant, in: "Calm", trials: 1, at: Self.noon, on: "desk")
      }
    }
    #expect(await refused("p1") == .replaced(participant: "p1", study: "Calm", by: "p2"))
    #expect(await refused("p3") == .unknown(participant: "p3", study: "Calm", known: ["p1", "p2"]))
    await #expect(throws: ParticipantListError.noSession(run: "run", study: "Calm")) {
      try await list.endSession("run", in: "Calm", isCompleted: true, trialsDone: 1, at: Self.later)
    }
  }
}

extension Array {
  /// The results of a function, one after the other.
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
