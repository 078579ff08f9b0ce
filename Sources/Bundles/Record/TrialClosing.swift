import Basics

/// How a trial ended.
package struct TrialClosing: Hashable, Sendable, FlatInJSON {
  /// The outcome.
  package var outcome: Outcome
  /// Why, for an outcome that needs a reason.
  package var reason: String?
  /// The calendar at the end, for the drift between both clocks; `nil` for a trial whose end was not observed.
  package var calendar: CalendarReading?

  private enum CodingKeys: String, CodingKey {
    case outcome, reason
    case calendar = "end"
  }

  /// An end.
  package init(outcome: Outcome, reason: String?, calendar: CalendarReading?) {
    self.outcome = outcome
    self.reason = reason
    self.calendar = calendar
  }
}
