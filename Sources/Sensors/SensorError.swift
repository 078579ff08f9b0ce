/// Why a sensor cannot be used.
package struct SensorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried: `use the sensor`, `replay`.
  package let action: String

  /// The sensor or file, as the operator wrote it.
  package let subject: String

  /// Why it failed.
  package let reason: String

  /// What to do instead, if known.
  package let advice: String?

  /// Creates an error.
  package init(_ action: String, _ subject: String, _ reason: String, advice: String? = nil) {
    self.action = action
    self.subject = subject
    self.reason = reason
    self.advice = advice
  }

  /// The message for the operator: `cannot use the sensor “simlated”: there is no such kind; did you mean
  /// “simulated”?`.
  package var description: String {
    "cannot \(action) “\(subject)”: \(reason)\(advice.map { "; \($0)" } ?? "")"
  }
}
