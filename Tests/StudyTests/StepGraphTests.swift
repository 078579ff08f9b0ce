import Basics
import Testing

@testable import Study

@Suite("The graph of steps")
struct StepGraphTests {
  @Test(
    "Two nodes are in one cycle if and only if each is reached from the other, by Warshall's closure", arguments: 0..<20
  )
  func cycles(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let count = 1 + Int(random.next() % 8)
      let successors = (0..<count).map { _ in
        (0..<Int(random.next() % 3)).map { _ in Int(random.next() % UInt64(count)) }
      }
      var leads = (0..<count).map { from in (0..<count).map { successors[from].contains($0) } }
      for middle in 0..<count {
        for from in 0..<count where leads[from][middle] {
          for to in 0..<count where leads[middle][to] { leads[from][to] = true }
        }
      }
      let graph = StepGraph(successors)
      let cycles = graph.cycles
      for one in 0..<count {
        #expect((cycles[one] != nil) == leads[one][one])
        for other in 0..<count where cycles[one] != nil {
          #expect((cycles[one] == cycles[other]) == (leads[one][other] && leads[other][one]))
        }
        let reached = graph.reachable(from: [one])
        let reaching = graph.reversed.reachable(from: [one])
        for other in 0..<count where other != one {
          #expect(reached[other] == leads[one][other] && reaching[other] == leads[other][one])
        }
      }
    }
  }
}
