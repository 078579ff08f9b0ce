import Basics
import TestSupport
import Testing

@testable import Study

@Suite("Groups between participants")
struct GroupsTests {
  /// Groups called g1, g2, …, each with a cap or without.
  private static func groups(_ assignment: StudyGroups.Assignment, caps: [Int?]) -> StudyGroups {
    StudyGroups(assignment, caps.enumerated().map { StudyGroups.Group("g\($0 + 1)", cap: $1) })
  }

  /// Assigns participants one after the other, and returns their groups.
  private static func fill(_ groups: StudyGroups, _ participants: Int, seed: UInt64) throws -> [String] {
    var counts: [String: Int] = [:]
    return try (1...participants).map { index in
      let name = try groups.assign(index: index, participant: "p\(index)", counts: counts, seed: seed).name
      counts[name, default: 0] += 1
      return name
    }
  }

  @Test("By index the groups come in turn, whatever seed and counts are", arguments: 1...24)
  func byIndex(number: Int) throws {
    let groups = Self.groups(.index, caps: Array(repeating: nil, count: number))
    let names = groups.groups.map(\.name)
    let assigned = try Self.fill(groups, 3 * number, seed: UInt64(number))
    #expect(assigned == names + names + names)
  }

  @Test(
    "By hash the group of a code never changes",
    arguments: [("p01", 0, "g1"), ("p01", 42, "g3"), ("P+7", 42, "g2"), ("p02", 9_007_199_254_740_991, "g2")]
      as [(String, UInt64, String)])
  func byHash(participant: String, seed: UInt64, name: String) throws {
    let groups = Self.groups(.hash, caps: [nil, nil, nil])
    for index in 1...3 {
      let found = try groups.assign(index: index, participant: participant, counts: ["g1": index], seed: seed)
      #expect(found.name == name && found.draw == nil)
    }
  }

  @Test("The Python of the documentation finds the same groups by hash")
  func python() throws {
    let source = try File.contents(of: "\(Repository.root)/Sources/Study/Design/Groups.swift")
    let lines = String(decoding: source, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "  /// ```python"))
    let code = lines[(start + 1)...].prefix { $0 != "  /// ```" }.map { $0.dropFirst(6) }.joined(separator: "\n")
    let cases: [JSONValue] = try (0..<1000).map { number in
      let groups = Self.groups(.hash, caps: Array(repeating: nil, count: 1 + number % 100))
      let seed = number % 2 == 0 ? UInt64(number) : Draw.maxSeed - UInt64(number)
      let name = try groups.assign(index: 1, participant: "P\(number)+x", counts: [:], seed: seed).name
      return [
        .array(groups.groups.map { .string($0.name) }), .string("P\(number)+x"), .integer(seed), .string(name),
      ]
    }
    let check = """
      import hashlib, json, sys
      cases = json.load(sys.stdin)
      for groups, participant, seed, name in cases:
          assert group(groups, participant, seed) == name, (participant, seed)
      print(len(cases))
      """
    let run = try Program.run("python3", ["-c", code + "\n" + check], input: JSONValue.array(cases).text())
    #expect(run.status == 0 && run.output == "1000\n", "\(run.error)")
  }

  @Test("By list the groups without caps never differ by more than one participant", arguments: 1...24)
  func balance(number: Int) throws {
    let groups = Self.groups(.list, caps: Array(repeating: nil, count: number))
    let assigned = try Self.fill(groups, 4 * number, seed: UInt64(number))
    for end in assigned.indices {
      let counts = groups.groups.map { group in assigned[...end].count { $0 == group.name } }
      #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
    }
  }

  @Test(
    "By list every cap is reached exactly, and then no group takes a participant",
    arguments: [[1, 1], [20, 20], [10, 20, 30], [1, 1_000], [7, 3, 5, 11]])
  func caps(caps: [Int]) throws {
    let groups = Self.groups(.list, caps: caps)
    let total = caps.reduce(0, +)
    for seed in UInt64(0)..<5 {
      let assigned = try Self.fill(groups, total, seed: seed)
      var counts = [Int](repeating: 0, count: caps.count)
      for name in assigned {
        counts[try #require(groups.groups.firstIndex { $0.name == name })] += 1
        // No group is filled more than another one, but for its last participant.
        let isEven = caps.indices.allSatisfy { one in
          caps.indices.allSatisfy { (counts[one] - 1) * caps[$0] <= counts[$0] * caps[one] }
        }
        #expect(isEven)
      }
      #expect(counts == caps)
      let full = Dictionary(uniqueKeysWithValues: zip(groups.groups.map(\.name), caps))
      let error = #expect(throws: GroupsFull.self) {
        try groups.assign(index: total + 1, participant: "late", counts: full, seed: seed)
      }
      #expect(error?.participant == "late" && error?.groups == groups.groups)
    }
  }

  @Test("By list a full group is passed over, and a group without a cap takes any number")
  func mixed() throws {
    let groups = Self.groups(.list, caps: [2, nil])
    let assigned = try Self.fill(groups, 10, seed: 3)
    #expect(assigned.count { $0 == "g1" } == 2 && assigned.count { $0 == "g2" } == 8)
  }

  @Test("Equally filled groups are drawn from, by a draw that can be repeated; otherwise nothing is drawn")
  func ties() throws {
    let groups = Self.groups(.list, caps: [nil, nil, nil])
    func assign(_ counts: [String: Int]) throws -> (name: String, draw: Draw?) {
      try groups.assign(index: 12, participant: "p12", counts: counts, seed: 7)
    }
    let tied = try assign(["g1": 4, "g2": 3, "g3": 3])
    #expect(tied.draw == Draw.make(purpose: "groups/12", candidates: ["g2", "g3"], seed: 7))
    #expect(tied.draw?.drawn == tied.name)
    let alone = try assign(["g1": 4, "g2": 3, "g3": 4])
    #expect(alone.name == "g2" && alone.draw == nil)
  }

  /// Pearson's chi-square over seeds in a row; the limits are the quantiles at 0.1 % and 99.9 % for the degrees of freedom.
  @Test(
    "The first participant comes into each group as often as into any other",
    arguments: [(2, 0.0...10.83), (6, 0.21...20.52), (16, 3.48...37.70)] as [(Int, ClosedRange<Double>)])
  func uniformity(number: Int, limits: ClosedRange<Double>) throws {
    for assignment in [StudyGroups.Assignment.list, .hash] {
      let groups = Self.groups(assignment, caps: Array(repeating: nil, count: number))
      var counts: [String: Int] = [:]
      for seed in UInt64(0)..<20_000 {
        counts[try groups.assign(index: 1, participant: "p01", counts: [:], seed: seed).name, default: 0] += 1
      }
      let expected = 20_000 / Double(number)
      let chiSquare = groups.groups.reduce(0) { sum, group in
        let difference = Double(counts[group.name] ?? 0) - expected
        return sum + difference * difference / expected
      }
      #expect(limits.contains(chiSquare), "\(assignment): \(chiSquare)")
    }
  }

  @Test("Groups are read as they are written")
  func reading() throws {
    let text = try StudyProtocolReader.read(Corpus.good.bytes(of: "groups-by-list"), fileName: "p.json")
    let expected = StudyGroups(.list, [.init("music", cap: 20), .init("silence")])
    #expect(text.studyProtocol.groups == expected)
    let without = try StudyProtocolReader.read(Corpus.good.bytes(of: "smallest"), fileName: "p.json")
    #expect(without.studyProtocol.groups == nil)
  }
}
