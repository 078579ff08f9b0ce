import Quantities

/// Why one record is not read.
struct Refusal: Error, Hashable {
  let reason: String
}

extension QuantitySample {
  /// The sample, where a store keeps it.
  func kept() throws(Refusal) -> QuantitySample {
    let reason =
      Storable.complaint(about: type, from: start, to: end) ?? Storable.complaint(about: sourceRevision)
      ?? Storable.complaint(about: device) ?? Storable.complaint(about: metadata)
    if let reason { throw Refusal(reason: reason) }
    return self
  }
}
