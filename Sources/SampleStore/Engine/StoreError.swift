/// An error of a store, with HealthKit's code and, if HealthKit has one, its text.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The codes of HealthKit (`HKError.Code`) that a store uses.
  package enum Code: Int, Hashable, Sendable {
    case invalidArgument = 3
    /// The operator has denied the client access to this type.
    case authorizationDenied = 4
    /// The operator has not decided about this client and type.
    case authorizationNotDetermined = 5
    /// The file or the server cannot be used.
    case databaseInaccessible = 6
    /// No sample matches.
    case noData = 11
  }

  /// HealthKit's code.
  package let code: Code

  /// The problem and, if possible, what to do.
  package let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  static let denied = StoreError(.authorizationDenied, "Not authorized")
  static let notDetermined = StoreError(.authorizationNotDetermined, "Authorization not determined")
  static let noData = StoreError(.noData, "No data available for the specified predicate.")

  static func unusable(_ error: any EngineError, advice: String? = nil) -> StoreError {
    StoreError(.databaseInaccessible, "\(error); \(advice ?? error.advice)")
  }

  /// Translates an engine's error for the caller; other errors remain as they are.
  package static func translate(_ error: any Error) -> any Error {
    guard let error = error as? any EngineError else { return error }
    return error.isInterruption && Task.isCancelled ? CancellationError() : unusable(error)
  }
}

/// An error of an engine's database.
protocol EngineError: Error, CustomStringConvertible {
  /// The consequence for the samples, or what to do.
  var advice: String { get }

  /// Whether the operation was interrupted, as by the cancellation of its task.
  var isInterruption: Bool { get }
}
