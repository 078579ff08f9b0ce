/// Why a step was left.
package enum StepEnd: String, Sendable, CaseIterable, Codable {
  /// It was done.
  case finished
  /// The participant skipped it.
  case skipped
  /// The trial was stopped in it.
  case stopped
  /// The trial failed in it.
  case failed
}
