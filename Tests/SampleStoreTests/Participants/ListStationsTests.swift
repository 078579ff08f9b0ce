import Dispatch
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Laboratory
@testable import SampleStore
@testable import Study

@Suite("A participants' list that several stations use")
struct ListStationsTests {
  private static let groups = StudyGroups(
    .list, [.init("a", cap: 70), .init("b", cap: 70), .init("c", cap: 60)])

  /// Enrols participants as a station does: with a seed of its own, unless the study has one.
  static func enrol(_ codes: [String], at location: String, proposing seed: UInt64) async throws {
    let list = try await ParticipantList.open(location)
    for code in codes { try await enrol(code, in: list, proposing: seed) }
    await list.close()
  }

  @discardableResult
  static func enrol(
    _ code: String, in list: ParticipantList, proposing proposal: UInt64
  ) async throws -> ListedParticipant {
    let seed = try await list.seed(of: "Calm", proposing: proposal)
    return try await list.enrol(code, in: "Calm", at: "2026-11-21T12:00:00.000Z") { index, counts in
      try groups.assign(index: index, participant: code, counts: counts, seed: seed).name
    }
  }

  /// Codes of one station, and some that the other one enrols too.
  static func codes(_ station: String) -> [String] {
    (1...90).flatMap { number in
      number % 9 == 0 ? ["\(station)\(number)", "both\(number)", "both\(number + 1)"] : ["\(station)\(number)"]
    }
  }

  @Test(
    "Two stations that enrol 200 participants at once exceed no cap and leave no index out",
    arguments: TestedList.allCases)
  func together(engine: TestedList) async throws {
    let place = try await engine.make()
    let location = place.location
    async let first = #expect(processExitsWith: .success) { [location = location as String] in
      try await Self.enrol(Self.codes("first"), at: location, proposing: 1)
    }
    async let second = #expect(processExitsWith: .success) { [location = location as String] in
      try await Self.enrol(Self.codes("second"), at: location, proposing: 2)
    }
    _ = await (first, second)
    let list = try await place.open()
    let all = try await list.participants(of: "Calm")
    #expect(all.map(\.index) == Array(1...200))
    #expect(Set(all.compactMap(\.code)) == Set(Self.codes("first") + Self.codes("second")))
    let sizes = Dictionary(grouping: all, by: \.group).mapValues(\.count)
    #expect(sizes == ["a": 70, "b": 70, "c": 60])
    // Both stations drew with one seed, each from the counts that the other one had left.
    let seed = try #require(try await list.studies().first?.seed)
    #expect([1, 2].contains(seed))
    for participant in all {
      let found = try Self.groups.assign(
        index: participant.index, participant: participant.name, counts: participant.groupCounts, seed: seed)
      #expect(found.name == participant.group)
    }
    await #expect(throws: GroupsFull.self) { try await Self.enrol("late", in: list, proposing: 3) }
    #expect(try await list.participants(of: "Calm") == all)
  }

  /// Enrols participants and starts their sessions until it is killed, and notes each one who was enrolled.
  static func work(_ location: String, notes: String) async throws {
    let list = try await ParticipantList.open(location)
    for number in 1...Int.max {
      let participant = try await list.enrol("p\(number)", in: "Calm", at: "2026-11-21T12:00:00.000Z") { index, _ in
        "g\(index % 2)"
      }
      _ = try await list.beginSession(
        "run\(number)", of: "p\(number)", in: "Calm", trials: 8, at: "2026-11-21T12:00:00.000Z", on: "desk")
      let file = try FileHandle(forWritingTo: URL(filePath: notes))
      try file.seekToEnd()
      try file.write(contentsOf: Data("\(participant.index)\n".utf8))
      try file.close()
    }
  }

  @Test(
    "A station that is killed leaves nobody half enrolled, and everybody whom it was told of",
    arguments: TestedList.allCases)
  func killed(engine: TestedList) async throws {
    var generator = SeededGenerator(seed: 20_261_123)
    for kill in 0..<4 {
      let (place, folder) = (try await engine.make(), try ScratchFolder())
      let (location, notes) = (place.location, folder["notes"])
      try Data().write(to: URL(filePath: notes))
      let delay = Int.random(in: 20...400, using: &generator)
      await #expect(processExitsWith: .signal(SIGKILL), "kill \(kill)") {
        [location = location as String, notes = notes as String, delay = delay as Int] in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { Glibc.kill(getpid(), SIGKILL) }
        try await Self.work(location, notes: notes)
      }
      let list = try await place.open()
      // A write of ours comes after whatever a server still does for the dead one.
      _ = try await list.seed(of: "Calm", proposing: 1)
      let all = try await list.participants(of: "Calm")
      let noted = try String(contentsOfFile: notes, encoding: .utf8).split(separator: "\n").count
      #expect((noted...(noted + 1)).contains(all.count), "kill \(kill)")
      for (participant, number) in zip(all, 1...) {
        #expect(participant.index == number && participant.code == "p\(number)")
        #expect(participant.group == "g\(number % 2)" && participant.enrolled != nil)
        #expect(participant.sessions.map(\.run) == ["run\(number)"] || number > noted, "kill \(kill)")
      }
      #expect(try await list.enrol("next", in: "Calm").index == all.count + 1)
    }
  }
}
