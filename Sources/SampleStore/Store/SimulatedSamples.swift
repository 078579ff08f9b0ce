import Basics
import Quantities

/// How many samples of simulated sensors there are among those that numbers are asked of.
package struct SimulatedSamples: Hashable, Sendable {
  /// How many there are.
  package var count: Int
  /// Whether the numbers include them.
  package let areIncluded: Bool

  /// Creates a count.
  package init(_ count: Int, areIncluded: Bool) { (self.count, self.areIncluded) = (count, areIncluded) }

  /// How many the numbers include.
  package var included: Int { areIncluded ? count : 0 }

  /// The mark of numbers that include some; `nil` for others.
  package var mark: String? {
    guard included > 0 else { return nil }
    return "\(Source.simulationMark): \(words) \(count == 1 ? "is" : "are") included"
  }

  /// The message that some were left out; `nil` if none were.
  package var leftOut: String? {
    guard !areIncluded, count > 0 else { return nil }
    return "left out \(words); --include simulated takes \(count == 1 ? "it" : "them") in"
  }

  private var words: String { "\(count.counted("sample")) of simulated sensors" }
}

extension SampleStore {
  /// Counts the samples of simulated sensors among the matching ones, whether the predicate includes them or not.
  package func countSimulated(_ type: SampleType, matching predicate: SamplePredicate) async throws -> Int {
    var simulated = predicate
    simulated.includesSimulated = true
    simulated.sources = try await sources(of: type).filter {
      $0.isSimulated && predicate.sources?.contains($0) ?? true
    }
    return simulated.sources?.isEmpty ?? true ? 0 : try await count(type, matching: simulated)
  }

  /// Counts those of several types.
  func countSimulated(_ types: [(type: QuantityType, predicate: SamplePredicate)]) async throws -> SimulatedSamples {
    var samples = SimulatedSamples(0, areIncluded: types.allSatisfy(\.predicate.includesSimulated))
    for (type, predicate) in types { samples.count += try await countSimulated(.quantity(type), matching: predicate) }
    return samples
  }
}
