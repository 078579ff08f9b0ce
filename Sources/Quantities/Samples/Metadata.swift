package import Basics

/// Additional information about a sample: values under HealthKit's keys or any others.
package struct Metadata: Hashable, Sendable {
  /// A value of one of the kinds that HealthKit supports.
  package enum Value: Hashable, Sendable {
    /// A text.
    case string(String)
    /// A finite number.
    case number(Double)
    /// A Boolean.
    case bool(Bool)
    /// A wall-clock time.
    case date(WallTime)
    /// A quantity with its unit.
    case quantity(Quantity)
  }

  /// The values by key.
  package let values: [String: Value]

  /// Creates empty metadata.
  package init() { values = [:] }

  /// Creates metadata with values.
  ///
  /// - Throws: an error if a number is not finite, if a time lies outside the years 1 to 9999, if a sync identifier or
  ///   version comes without the other, and if a key that HealthKit defines has a value of another kind.
  package init(_ values: [String: Value]) throws(QuantityError) {
    for key in values.keys.sorted() {
      guard let value = values[key] else { continue }
      if case .number(let number) = value, !number.isFinite { throw .notFinite(number, of: "“\(key)” in the metadata") }
      if case .date(let time) = value, !(WallTime.earliest...WallTime.latest).contains(time) {
        throw .metadata(key: key, reason: "“\(key)” in the metadata is \(time.precise), outside of the years 1 to 9999")
      }
      if let problem = Self.problem(with: value, under: key) { throw .metadata(key: key, reason: problem) }
    }
    let pair = [Key.syncIdentifier, Key.syncVersion]
    for (key, other) in [(pair[0], pair[1]), (pair[1], pair[0])] where values[key] != nil && values[other] == nil {
      throw .metadata(
        key: key,
        reason: "\(Self.constant(key)) may not be provided if \(Self.constant(other)) is not provided in the metadata")
    }
    self.values = values
  }

  /// The value under a key.
  package subscript(key: String) -> Value? { values[key] }

  /// Whether there are no values.
  package var isEmpty: Bool { values.isEmpty }
}
