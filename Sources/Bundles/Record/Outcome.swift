/// How a trial can end.
package enum Outcome: String, Sendable, CaseIterable, Codable {
  /// Every step was done.
  case completed
  /// The participant did not consent.
  case declined
  /// It was stopped by hand.
  case stopped
  /// The operator went on with the next trial of the session.
  case skipped
  /// The operator had it performed again.
  case repeated
  /// Something broke.
  case failed
  /// The program died, and the journal was all that was left.
  case recovered
}
