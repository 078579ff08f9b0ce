import Basics
import Quantities

/// Interprets a table's values by their type and unit.
package struct TypedValues: Sendable {
  private var units: [String: Unit] = [:]

  // A table with more units is only read more slowly.
  private static let most = 1000

  /// Creates an interpreter.
  package init() {}

  /// The heart rate or interval that a row gives; otherwise why it is neither.
  package mutating func value(_ number: Double, _ type: String, _ symbol: String?) -> HeartValue {
    guard let known = QuantityType(type) else { return .none("the type “\(type.prefix(40).visible)” is not known") }
    guard QuantityType.recordable.contains(known) else {
      return .none("\(known) is neither a heart rate nor an interval between beats")
    }
    guard let symbol else { return .none("a value without a unit") }
    do throws(QuantityError) {
      let unit = if let unit = units[symbol] { unit } else { try Unit(symbol) }
      if units.count < Self.most { units[symbol] = unit }
      let target: Unit = known == .heartRate ? .countPerMinute : .millisecond
      guard unit.isCompatible(with: target) else { return .none("“\(symbol)” is no unit of \(known)") }
      let converted = unit.convert(number, to: target)
      return known == .heartRate ? .rate(converted) : .interval(converted)
    } catch {
      return .none("\(error)")
    }
  }
}
