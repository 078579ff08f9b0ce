package import Basics

/// What else is known about a sample: values under HealthKit's keys, and under any other.
package struct Metadata: Hashable, Sendable {
  /// A value of one of the kinds that HealthKit takes.
  package enum Value: Hashable, Sendable {
    /// A text.
    case string(String)
    /// A finite number.
    case number(Double)
    /// Yes or no.
    case bool(Bool)
    /// A time of the calendar.
    case date(WallTime)
    /// A value with its unit.
    case quantity(Quantity)
  }

  /// The values by their keys.
  package let values: [String: Value]

  /// Metadata with nothing in it.
  package init() { values = [:] }

  /// Metadata with these values.
  ///
  /// - Throws: when a number is not finite or a time outside of the years 1 to 9999, when a sync identifier or version comes without the other, and when a key
  ///   that HealthKit defines holds another kind of value than HealthKit's.
  package init(_ values: [String: Value]) throws(QuantityError) {
    for key in values.keys.sorted() {
      guard let value = values[key] else { continue }
      if case .number(let number) = value, !number.isFinite { throw .notFinite(number, of: "“\(key)” in the metadata") }
      if case .date(let time) = value, !(WallTime.earliest...WallTime.latest).contains(time) {
        throw .metadata(key: key, reason: "“\(key)” in the metadata is \(time.precise), outside of the years 1 to 9999")
      }
      if let complaint = Self.complaint(about: value, under: key) { throw .metadata(key: key, reason: complaint) }
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

  /// Whether nothing is known.
  package var isEmpty: Bool { values.isEmpty }
}
