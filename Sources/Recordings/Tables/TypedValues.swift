import Basics
import Quantities

/// Interprets a table's values by their type and unit.
package struct TypedValues: Sendable {
  private var units = WrittenUnits()

  /// Creates an interpreter.
  package init() {}

  /// The heart rate or interval that a row gives, or the quantity and unit of another value; otherwise why it is none.
  package mutating func value(_ number: Double, _ type: String, _ symbol: String?) -> HeartValue {
    guard let known = QuantityType(channel: type) else {
      return .none("the type “\(type.prefix(40).visible)” is not known")
    }
    guard let symbol else { return .none("a value without a unit") }
    do throws(QuantityError) {
      let unit = try units.unit(symbol, of: known)
      guard unit.isCompatible(with: known.canonicalUnit) else { return .none("“\(symbol)” is not a unit of \(known)") }
      switch known {
      case .heartRate: return .rate(unit.convert(number, to: .countPerMinute))
      case .rrInterval: return .interval(unit.convert(number, to: .millisecond))
      default: return .other(known, unit)
      }
    } catch {
      return .none("\(error)")
    }
  }
}
