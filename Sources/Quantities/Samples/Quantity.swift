/// A value with its unit.
///
/// Two are equal when value and unit are: 1 kcal is not *equal* to 4184 J, though ``compare(_:)`` finds them the same.
package struct Quantity: Hashable, Sendable, CustomStringConvertible {
  /// How many of the unit.
  package let value: Double

  /// The unit.
  package let unit: Unit

  /// A quantity; refused when the value is no finite number.
  package init(_ value: Double, _ unit: Unit) throws(QuantityError) {
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
  package func isCompatible(with unit: Unit) -> Bool { self.unit.isCompatible(with: unit) }

  /// Its value in another unit that measures the same.
  package func value(in unit: Unit) throws(QuantityError) -> Double {
    guard isCompatible(with: unit) else { throw .incompatible(from: self.unit, to: unit) }
    let converted = self.unit.convert(value, to: unit)
    guard converted.isFinite else { throw .notFinite(converted, of: "\(self) in \(unit)") }
    return converted
  }

  /// Its value in another unit, with the digits that were written in that unit, where it was.
  ///
  /// 62 beats a minute are 1.0333333333333334 a second, which are 62.00000000000001 a minute: of the numbers that are kept
  /// as this quantity, the one with 15 digits is what was written.
  package func writtenValue(in unit: Unit) throws(QuantityError) -> Double {
    let converted = try value(in: unit)
    guard unit != self.unit, converted != converted.rounded(), let short = converted.rounded(toDigits: 15),
      unit.convert(short, to: self.unit) == value
    else { return converted }
    return short
  }

  /// Its value in another unit as people write it in texts and tables: `98` where HealthKit has 0.98 of its percent.
  package func plainValue(in unit: Unit) throws(QuantityError) -> Double {
    let value = try writtenValue(in: unit)
    return unit == .percent ? Self.shifted(value, by: 2) : value
  }

  /// The quantity that people mean by a number and a unit: 98 % are 0.98 of HealthKit's percent.
  package init(plain value: Double, _ unit: Unit) throws(QuantityError) {
    try self.init(unit == .percent ? Self.shifted(value, by: -2) : value, unit)
  }

  /// What people read: `72 count/min`, `98 %`.
  package var plainText: String {
    guard unit == .percent else { return description }
    return Quantity(checked: Self.shifted(value, by: 2), unit).description
  }

  // The number with its decimal point elsewhere: multiplied, 0.57 would become 56.99999999999999.
  private static func shifted(_ value: Double, by places: Int) -> Double {
    let text = "\(value)"
    guard value.isFinite, !text.contains("e") else { return value * (places > 0 ? 100 : 0.01) }
    return Double("\(text)e\(places)") ?? value
  }

  /// It in another unit that measures the same.
  package func converted(to unit: Unit) throws(QuantityError) -> Quantity {
    try Quantity(value(in: unit), unit)
  }

  /// Below zero, zero or above zero as it is less than, the same as or more than another that measures the same.
  package func compare(_ other: Quantity) throws(QuantityError) -> Int {
    let other = try other.value(in: unit)
    return value < other ? -1 : value > other ? 1 : 0
  }

  /// HealthKit's way of writing it: `72 count/min`.
  package var description: String {
    let number = "\(value)"
    return "\(number.hasSuffix(".0") ? String(number.dropLast(2)) : number) \(unit)"
  }
}

extension Double {
  /// The number with so many digits that count; `nil` where it is too large or too small for that.
  fileprivate func rounded(toDigits count: Int) -> Double? {
    guard isFinite, magnitude > 1e-6, magnitude < 1e15 else { return nil }
    var scale = 1.0
    let limit = Self.powers[count - 1]
    // Powers of ten up to 22 are exact.
    var place = 0
    while magnitude * scale < limit, place < 22 {
      place += 1
      scale = Self.powers[place]
    }
    return (self * scale).rounded() / scale
  }

  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}
