import Quantities

/// Why one record is not read.
struct Refusal: Error, Hashable {
  let reason: String
}

extension QuantitySample {
  /// The sample, where a store keeps it.
  func kept() throws(Refusal) -> QuantitySample {
    let reason =
      Storable.problem(with: type, from: start, to: end) ?? Storable.problem(with: sourceRevision)
      ?? Storable.problem(with: device) ?? Storable.problem(with: metadata)
    if let reason { throw Refusal(reason: reason) }
    return self
  }
}
