package import Basics

/// An error in a unit, a quantity or a sample.
///
/// If HealthKit raises an exception for the same reason, its text comes first, followed by the problem and the remedy.
package enum QuantityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is not a unit.
  case notAUnit(String, reason: String)
  /// The units have different dimensions.
  case incompatible(from: Unit, to: Unit)
  /// The quantity type is not measured in this unit.
  case wrongUnit(QuantityType, Unit, measured: String)
  /// The value is not finite, or overflows in the requested unit.
  case notFinite(Double, of: String)
  /// The value is negative, which the type does not allow.
  case negative(Double, QuantityType)
  /// The sample ends before it starts.
  case endsBeforeStart(start: WallTime, end: WallTime)
  /// The sample has a time that HealthKit uses for “never”.
  case noTime(String, WallTime)
  /// The beat does not follow the preceding one.
  case beatOutOfOrder(index: Int, reason: String)
  /// A metadata value is invalid, or contradicts another.
  case metadata(key: String, reason: String)
  /// The user-defined quantity type is invalid.
  case quantityType(String, reason: String)
  /// Required characteristics of the person are missing.
  case missing([String], for: String)
  /// Characteristics of the person are implausible.
  case implausible(String)

  /// The error, its reason and the remedy.
  package var description: String {
    switch self {
    case .notAUnit(let text, let reason): "Unable to parse factorization string \(text): \(reason)"
    case .incompatible(let from, let to): "Attempt to convert incompatible units: \(from), \(to)"
    case .wrongUnit(let type, let unit, let measured):
      "\(measured) \(type.healthKitIdentifier) requires unit of type \(type.canonicalUnit.dimension). "
        + "Incompatible unit: \(unit)"
    case .notFinite(let value, let what): "\(what) is \(value), which is not a number that can be kept"
    case .negative(let value, let type): "\(type) is \(value), which is below zero"
    case .endsBeforeStart(let start, let end):
      "startDate (\(start.precise)) must not be later than endDate (\(end.precise)): exchange them, or correct one"
    case .noTime(let key, let time):
      "Type HKSample can not have \(key) of \(Self.name(of: time)): it is \(time.precise)"
    case .beatOutOfOrder(let index, let reason): "beat \(index + 1) of a heartbeat series \(reason)"
    case .metadata(_, let reason): reason
    case .missing(let names, let purpose):
      "\(purpose) needs the \(names.inWords), which "
        + (names.count == 1 ? "is not known: set it in the profile" : "are not known: set them in the profile")
    case .implausible(let reason): reason
    case .quantityType(let name, let reason): "Invalid HKQuantityType identifier \(name): \(reason)"
    }
  }

  private static func name(of time: WallTime) -> String {
    time < WallTime(milliseconds: 0) ? "NSDate.distantPast" : "NSDate.distantFuture"
  }
}
