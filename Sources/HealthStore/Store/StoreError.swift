/// Why a store refuses something, with HealthKit's code and, where HealthKit has one, its text.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// HealthKit's codes (`HKError.Code`), as far as a store meets them.
  package enum Code: Int, Hashable, Sendable {
    /// What was given makes no sense.
    case invalidArgument = 3
    /// The client was refused this type.
    case authorizationDenied = 4
    /// No decision about this client and type has been made.
    case authorizationNotDetermined = 5
    /// The file or the server cannot be used.
    case databaseInaccessible = 6
    /// Nothing matches.
    case noData = 11
  }

  /// HealthKit's code.
  package let code: Code

  /// What is wrong and, where there is something, what to do.
  package let description: String

  /// An error.
  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  static let denied = StoreError(.authorizationDenied, "Not authorized")
  static let notDetermined = StoreError(.authorizationNotDetermined, "Authorization not determined")
  static let noData = StoreError(.noData, "No data available for the specified predicate.")

  static let tooManyIntervals = StoreError(
    .invalidArgument,
    "there are more than \(StatisticsCollection.mostIntervals) intervals; choose longer ones or a shorter range")

  static func unusable(_ error: any EngineError, advice: String? = nil) -> StoreError {
    StoreError(.databaseInaccessible, "\(error); \(advice ?? error.advice)")
  }
}
