/// How a trial can end.
package enum Outcome: String, Sendable, CaseIterable, Codable {
  /// Every step was done.
  case completed
  /// Somebody stopped it.
  case stopped
  /// Something broke.
  case failed
  /// The program died, and the journal was all that was left.
  case recovered
}
