import Basics

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
