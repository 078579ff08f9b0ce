import Basics

/// The place of a trial in the session that it belongs to: its number, and its zero on the session's clock.
///
/// The clock of a session is CLOCK_MONOTONIC, which goes on as long as the computer runs: times of trials with the same
/// boot identifier, and of what lies between them, can be compared without the calendar.
package struct SessionPlace: Hashable, Sendable, Codable, CheckedInJSON {
  /// The identifier of this run of the session, a UUIDv7, which all its trials share.
  package var run: String
  /// The trial's number in the session's plan, from 1; `nil` for what lies around the trials.
  package var trial: Int?
  /// The number of trials in the plan.
  package var trials: Int
  /// The kernel's identifier of the computer's boot; `nil` if the kernel does not report one.
  package var boot: String?
  /// The trial's zero on the session's clock.
  package var zero: Duration

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? {
    guard let trial, trial < 1 || trial > trials else { return nil }
    return "the trial has number \(trial) of \(trials)"
  }

  /// Creates a place.
  package init(run: String, trial: Int?, trials: Int, boot: String?, zero: Duration) {
    self.run = run
    self.trial = trial
    self.trials = trials
    self.boot = boot
    self.zero = zero
  }
}
