import Basics

/// A value with its unit.
///
/// Quantities are equal if both value and unit are: 1 kcal is not *equal* to 4184 J, although ``compare(_:)`` returns
/// 0.
package struct Quantity: Hashable, Sendable, CustomStringConvertible {
  /// The value in terms of the unit.
  package let value: Double

  package let unit: Unit

  /// Creates a quantity; throws if the value is not finite.
  package init(_ value: Double, _ unit: Unit) throws(QuantityError) {
    guard value.isFinite else { throw .notFinite(value, of: "a quantity in \(unit)") }
    self.value = value
    self.unit = unit
  }

  // For values that have already been checked.
  init(checked value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  /// Whether the quantity can be converted to a unit.
  package func isCompatible(with unit: Unit) -> Bool { self.unit.isCompatible(with: unit) }

  /// The value in another unit of the same dimension.
  package func value(in unit: Unit) throws(QuantityError) -> Double {
    guard isCompatible(with: unit) else { throw .incompatible(from: self.unit, to: unit) }
    let converted = self.unit.convert(value, to: unit)
    guard converted.isFinite else { throw .notFinite(converted, of: "\(self) in \(unit)") }
    return converted
  }

  /// The value in another unit, free of conversion error if it was originally given in that unit.
  ///
  /// For example, 62 count/min are stored as 1.0333333333333334 count/s, which converts to 62.00000000000001. If a
  /// number with 15 digits converts to the same stored value, that number is returned.
  package func writtenValue(in unit: Unit) throws(QuantityError) -> Double {
    let converted = try value(in: unit)
    guard unit != self.unit, converted != converted.rounded(), let short = converted.rounded(toDigits: 15),
      unit.convert(short, to: self.unit) == value
    else { return converted }
    return short
  }

  /// The value in another unit as people write it: `98` for HealthKit's 0.98 %.
  package func plainValue(in unit: Unit) throws(QuantityError) -> Double {
    let value = try writtenValue(in: unit)
    return unit == .percent ? Self.shifted(value, by: 2) : value
  }

  /// Creates a quantity from a number as people write it: 98 % becomes HealthKit's 0.98 %.
  package init(plain value: Double, _ unit: Unit) throws(QuantityError) {
    try self.init(unit == .percent ? Self.shifted(value, by: -2) : value, unit)
  }

  /// The quantity as people write it: `72 count/min`, `98 %`.
  package var plainText: String {
    guard unit == .percent else { return description }
    return Quantity(checked: Self.shifted(value, by: 2), unit).description
  }

  // Shifts the decimal point in the text: multiplication would turn 0.57 into 56.99999999999999.
  private static func shifted(_ value: Double, by places: Int) -> Double {
    let text = "\(value)"
    guard value.isFinite, !text.contains("e") else { return value * (places > 0 ? 100 : 0.01) }
    return Double("\(text)e\(places)") ?? value
  }

  /// The quantity in another unit of the same dimension.
  func converted(to unit: Unit) throws(QuantityError) -> Quantity {
    try Quantity(value(in: unit), unit)
  }

  /// Negative, zero or positive if the quantity is less than, equal to or greater than another of the same dimension.
  package func compare(_ other: Quantity) throws(QuantityError) -> Int {
    let other = try other.value(in: unit)
    return value < other ? -1 : value > other ? 1 : 0
  }

  /// HealthKit's text form: `72 count/min`.
  package var description: String {
    let number = "\(value)"
    return "\(number.hasSuffix(".0") ? String(number.dropLast(2)) : number) \(unit)"
  }
}

extension Double {
  /// The number rounded to a count of significant digits; `nil` if its magnitude is too large or too small.
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

extension Quantity {
  /// Reads `250kcal` or `1.2 count/s`; a number without a unit is refused, and so is a unit that does not suit the type.
  package init(_ text: String, for type: QuantityType) throws(QuantityTextError) {
    let digits = text.prefix { "0123456789+-.eE".contains($0) }
    // An “e” may be the first letter of the unit.
    let numbers = digits.indices.reversed().map { String(text[...$0]) }
    guard let number = numbers.first(where: { Double($0) != nil }), let value = Double(number) else {
      throw .noNumber(text)
    }
    let symbol = String(text.dropFirst(number.count).drop { $0 == " " })
    guard !symbol.isEmpty else { throw .noUnit(text, type) }
    do {
      let unit = try Unit(symbol)
      guard unit.isCompatible(with: type.canonicalUnit) else { throw QuantityTextError.unit(type, unit) }
      self = try Quantity(plain: value, unit)
    } catch let error as QuantityTextError {
      throw error
    } catch {
      throw .invalid("\(error)")
    }
  }

  /// The range of plausible values in the quantity's unit, `20 to 300`; `nil` if it is plausible for the type.
  package func implausible(as type: QuantityType) throws -> String? {
    guard let range = type.plausible, !type.isPlausible(try value(in: type.canonicalUnit)) else { return nil }
    let ends = try [range.lowerBound, range.upperBound].map {
      try Quantity($0, type.canonicalUnit).plainValue(in: unit).brief
    }
    return ends.joined(separator: " to ")
  }
}

/// The error for text that is not a quantity of a type.
package enum QuantityTextError: Error, CustomStringConvertible {
  /// The text does not start with a number.
  case noNumber(String)
  /// The number has no unit.
  case noUnit(String, QuantityType)
  /// The type is not measured in the unit.
  case unit(QuantityType, Unit)
  /// The unit or the number is invalid; the reason.
  case invalid(String)

  /// The reason, and what to do.
  package var description: String {
    switch self {
    case .noNumber(let text): "“\(text)” does not start with a number; give a number with its unit"
    // 175 is no height in metres: the message shows only where the unit goes, and does not repeat the value with it.
    case .noUnit(let text, let type):
      "“\(text)” has no unit; add one after the number, such as \(type.defaultUnit)"
    case .unit(let type, let unit):
      "\(type) is not measured in \(unit); give a unit such as \(type.defaultUnit)"
    case .invalid(let reason): reason
    }
  }
}
