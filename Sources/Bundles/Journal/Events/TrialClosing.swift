/// How a trial ended.
public struct TrialClosing: Hashable, Sendable {
  /// The outcome.
  public var outcome: Outcome
  /// Why, for an outcome that needs a reason.
  public var reason: String?
  /// The calendar at the end, for the drift between both clocks; `nil` for a trial whose end nobody saw.
  public var calendar: CalendarReading?

  /// An end.
  public init(outcome: Outcome, reason: String?, calendar: CalendarReading?) {
    self.outcome = outcome
    self.reason = reason
    self.calendar = calendar
  }
}
