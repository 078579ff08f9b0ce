/// A value with its unit.
///
/// Two are equal when value and unit are: 1 kcal is not *equal* to 4184 J, though ``compare(_:)`` finds them the same.
public struct Quantity: Hashable, Sendable, CustomStringConvertible {
  /// How many of the unit.
  public let value: Double

  /// The unit.
  public let unit: Unit

  /// A quantity; refused when the value is no finite number.
  public init(_ value: Double, _ unit: Unit) throws(QuantityError) {
    guard value.isFinite else { throw .notFinite(value, of: "a quantity in \(unit)") }
    self.value = value
    self.unit = unit
  }

  // For a value that was checked before.
  init(checked value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  /// Whether it measures what the unit measures.
  public func isCompatible(with unit: Unit) -> Bool { self.unit.isCompatible(with: unit) }

  /// Its value in another unit that measures the same.
  public func value(in unit: Unit) throws(QuantityError) -> Double {
    guard isCompatible(with: unit) else { throw .incompatible(from: self.unit, to: unit) }
    let converted = self.unit.convert(value, to: unit)
    guard converted.isFinite else { throw .notFinite(converted, of: "\(self) in \(unit)") }
    return converted
  }

  /// It in another unit that measures the same.
  public func converted(to unit: Unit) throws(QuantityError) -> Quantity {
    try Quantity(value(in: unit), unit)
  }

  /// Below zero, zero or above zero as it is less than, the same as or more than another that measures the same.
  public func compare(_ other: Quantity) throws(QuantityError) -> Int {
    let other = try other.value(in: unit)
    return value < other ? -1 : value > other ? 1 : 0
  }

  /// HealthKit's way of writing it: `72 count/min`.
  public var description: String {
    let number = "\(value)"
    return "\(number.hasSuffix(".0") ? String(number.dropLast(2)) : number) \(unit)"
  }
}
