import Basics
import TestSupport
import Testing

@testable import Study

@Suite("Draws")
struct DrawTests {
  private static let clips = ["light", "dark", "happy", "chill_4", "chill_3", "été"]

  @Test("The same arguments give the same draw, in whatever order the candidates come")
  func determinism() {
    for seed in UInt64(0)..<200 {
      let draw = Draw.make(purpose: "music", candidates: Self.clips, seed: seed)
      #expect(draw == Draw.make(purpose: "music", candidates: Self.clips.reversed(), seed: seed))
      #expect(draw.candidates == ["chill_3", "chill_4", "dark", "happy", "light", "été"])
      #expect(draw.drawn == draw.candidates[draw.index])
      #expect(draw.seed == seed && draw.purpose == "music" && draw.generator == "station.xoshiro256starstar/1")
      #expect(draw.holds && draw.repeated() == draw)
    }
  }

  /// These stand for all releases: should they ever change, the generator must get another name.
  @Test(
    "Draws never change", arguments: [(0, 3), (1, 4), (2, 2), (42, 2), (9_007_199_254_740_991, 3)] as [(UInt64, Int)])
  func forEver(seed: UInt64, index: Int) {
    #expect(Draw.make(purpose: "music", candidates: Self.clips, seed: seed).index == index)
  }

  @Test("The Python of the documentation draws the same")
  func python() throws {
    let source = try File.contents(of: "\(Repository.root)/Sources/Study/Clips/Draw.swift")
    let lines = String(decoding: source, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "  /// ```python"))
    let code = lines[(start + 1)...].prefix { $0 != "  /// ```" }.map { $0.dropFirst(6) }.joined(separator: "\n")
    let cases: [JSONValue] = (0..<2000).map { number in
      let seed = number < 1000 ? UInt64(number) : Draw.maxSeed - UInt64(number)
      let purpose = ["music", "", "étude", "step.\(number)"][number % 4]
      let names = number % 3 == 0 ? Self.clips : (0...(number % 17)).map { "clip\($0)😀" } + ["Z", "a\u{E000}", "a😀"]
      let draw = Draw.make(purpose: purpose, candidates: names, seed: seed)
      return [
        .string(purpose), .array(names.map(JSONValue.string)), .integer(seed), .integer(draw.index),
        .string(draw.drawn ?? ""),
      ]
    }
    let check = """
      import json, sys
      cases = json.load(sys.stdin)
      for purpose, names, seed, index, name in cases:
          assert draw(purpose, names, seed) == (index, name), (purpose, names, seed)
      print(len(cases))
      """
    let run = try Program.run("python3", ["-c", code + "\n" + check], input: JSONValue.array(cases).text())
    #expect(run.status == 0 && run.output == "2000\n", "\(run.error)")
    #expect(code.split(separator: "\n").count <= 18)
  }

  /// Pearson's chi-square over seeds in a row; the limits are the quantiles at 0.1 % and 99.9 % for the degrees of freedom.
  @Test(
    "Every candidate is drawn as often as any other",
    arguments: [(2, 0.0...10.83), (6, 0.21...20.52), (7, 0.38...22.46), (16, 3.48...37.70)]
      as [(Int, ClosedRange<Double>)])
  func uniformity(count: Int, limits: ClosedRange<Double>) {
    let names = (0..<count).map { "clip\($0)" }
    for purpose in ["music", "order"] {
      var counts = [Int](repeating: 0, count: count)
      for seed in UInt64(0)..<20_000 { counts[Draw.make(purpose: purpose, candidates: names, seed: seed).index] += 1 }
      let expected = 20_000 / Double(count)
      let chiSquare = counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
      #expect(limits.contains(chiSquare), "\(purpose): \(chiSquare)")
    }
  }

  /// Twenty-five degrees of freedom for a table of six by six; 52.62 is the quantile at 99.9 %.
  @Test("Draws for two purposes, and of two seeds in a row, are independent")
  func independence() {
    let names = (0..<6).map { "clip\($0)" }
    func chiSquare(_ pair: (UInt64) -> (Draw, Draw)) -> Double {
      var counts = [Int](repeating: 0, count: 36)
      for seed in UInt64(0)..<20_000 {
        let (first, second) = pair(seed)
        counts[first.index * 6 + second.index] += 1
      }
      let rows = (0..<6).map { row in Double(counts[(row * 6)..<(row * 6 + 6)].reduce(0, +)) }
      let columns = (0..<6).map { column in Double((0..<6).reduce(0) { $0 + counts[$1 * 6 + column] }) }
      return (0..<36).reduce(0) { sum, cell in
        let expected = rows[cell / 6] * columns[cell % 6] / 20_000
        return sum + (Double(counts[cell]) - expected) * (Double(counts[cell]) - expected) / expected
      }
    }
    func draw(_ purpose: String, _ seed: UInt64) -> Draw { Draw.make(purpose: purpose, candidates: names, seed: seed) }
    #expect(chiSquare { (draw("music", $0), draw("music2", $0)) } < 52.62)
    #expect(chiSquare { (draw("music", $0), draw("music", $0 + 1)) } < 52.62)
  }

  @Test("A record that was changed does not hold, and none makes a fault")
  func changedRecords() {
    let draw = Draw.make(purpose: "music", candidates: Self.clips, seed: 7)
    func changed(_ change: (inout Draw) -> Void) -> Draw {
      var draw = draw
      change(&draw)
      return draw
    }
    let records = [
      changed { $0.index = ($0.index + 1) % 6 }, changed { $0.index = -1 }, changed { $0.index = 6 },
      changed { $0.candidates.swapAt(0, 1) }, changed { $0.candidates = [] }, changed { $0.seed = .max },
      changed { $0.seed = Draw.maxSeed + 1 }, changed { $0.generator = "station.xoshiro256starstar/2" },
    ]
    for record in records { #expect(!record.holds) }
    #expect(records[1].drawn == nil && records[2].drawn == nil && records[4].repeated() == nil)
    #expect(records[7].repeated() == nil)
  }
}
