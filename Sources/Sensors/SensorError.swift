/// Why a sensor cannot be had.
package struct SensorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried: `use the sensor`, `replay`.
  package let action: String

  /// The thing it was tried with, as the operator wrote it.
  package let subject: String

  /// What is wrong with it.
  package let reason: String

  /// What to do instead, where that is known.
  package let advice: String?

  /// An error.
  package init(_ action: String, _ subject: String, _ reason: String, advice: String? = nil) {
    self.action = action
    self.subject = subject
    self.reason = reason
    self.advice = advice
  }

  /// `cannot use the sensor “simlated”: there is no such kind; did you mean “simulated”?`.
  package var description: String {
    "cannot \(action) “\(subject)”: \(reason)\(advice.map { "; \($0)" } ?? "")"
  }
}
