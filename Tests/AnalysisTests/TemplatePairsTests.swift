import Basics
import Testing

@testable import Analysis

@Suite("Pairs of templates")
struct TemplatePairsTests {
  @Test(
    "are as many as comparing every pair finds, with ties, and with distances exactly at the tolerance",
    arguments: 1...4, [true, false])
  func count(dimension: Int, isClosed: Bool) {
    var random = SplitMix64(seed: UInt64(dimension))
    for (length, step) in [(1, 1.0), (2, 1), (40, 1), (200, 1), (200, 0.125), (200, 1e-9)] {
      var walk = 0.0
      let values = (0..<length + dimension).map { _ in
        walk = 0.9 * walk + 3 * random.normal()
        return ((walk + random.normal()) / step).rounded() * step
      }
      let starts = Array(0..<length)
      for tolerance in [0.0, 1, 2.5, 100] {
        var expected = 0
        for first in starts {
          for second in (first + 1)..<max(first + 1, length) {
            var distance = 0.0
            for place in 0..<dimension {
              distance = max(distance, abs(values[first + place] - values[second + place]))
            }
            if isClosed ? distance <= tolerance : distance < tolerance { expected += 1 }
          }
        }
        let pairs = TemplatePairs(
          of: values, starts: starts, dimension: dimension, tolerance: tolerance, isClosed: isClosed)
        #expect(pairs.count == expected, "\(length) templates in steps of \(step), tolerance \(tolerance)")
      }
    }
  }
}
