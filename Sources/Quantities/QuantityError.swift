package import Basics

/// Why a unit, a quantity or a sample is refused.
///
/// Where HealthKit raises an exception for the same reason its text comes first, then what was wrong and what to do.
package enum QuantityError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A text that is not a unit.
  case notAUnit(String, reason: String)
  /// A conversion between units that do not measure the same.
  case incompatible(from: Unit, to: Unit)
  /// A unit in which a quantity type is not measured.
  case wrongUnit(QuantityType, Unit, measured: String)
  /// A value that is no number, or that is too large to be written in the unit asked for.
  case notFinite(Double, of: String)
  /// A value below zero of a type that cannot be.
  case negative(Double, QuantityType)
  /// A sample that ends before it starts.
  case endsBeforeStart(start: WallTime, end: WallTime)
  /// A sample whose time is one of those that stand for “never”.
  case noTime(String, WallTime)
  /// A beat that does not come after the one before it.
  case beatOutOfOrder(index: Int, reason: String)
  /// A member of the metadata that contradicts another, or itself.
  case metadata(key: String, reason: String)
  /// A user-defined quantity type that cannot be.
  case quantityType(String, reason: String)
  /// Characteristics of a person that are not known.
  case missing([String], for: String)
  /// Characteristics of a person that cannot be.
  case implausible(String)

  /// What was refused, why, and what to do.
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
      "\(purpose) needs the \(Self.list(names)), which "
        + (names.count == 1 ? "is not known: set it in the profile" : "are not known: set them in the profile")
    case .implausible(let reason): reason
    case .quantityType(let name, let reason): "Invalid HKQuantityType identifier \(name): \(reason)"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
  }

  private static func name(of time: WallTime) -> String {
    time < WallTime(milliseconds: 0) ? "NSDate.distantPast" : "NSDate.distantFuture"
  }
}
