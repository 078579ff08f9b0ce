import Basics

/// How a trial ended.
package struct TrialClosing: Hashable, Sendable, FlatInJSON {
  package var outcome: Outcome
  /// Why, for an outcome that needs a reason.
  package var reason: String?
  /// The calendar at the end, for the drift between both clocks; `nil` for a trial whose end was not observed.
  package var calendar: CalendarReading?

  private enum CodingKeys: String, CodingKey {
    case outcome, reason
    case calendar = "end"
  }

  package init(outcome: Outcome, reason: String?, calendar: CalendarReading?) {
    self.outcome = outcome
    self.reason = reason
    self.calendar = calendar
  }
}

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

/// Why a step was left.
package enum StepEnd: String, Sendable, CaseIterable, Codable {
  case finished
  /// The participant skipped it.
  case skipped
  /// The trial was stopped in it.
  case stopped
  /// The trial failed in it.
  case failed
}

/// How far a trial can be trusted.
package enum Verdict: String, Sendable, CaseIterable, Comparable, Codable {
  /// No problem was found.
  case good
  /// A person should check it before it is analysed.
  case suspect
  /// It lacks usable data.
  case bad

  /// Better before worse.
  package static func < (left: Verdict, right: Verdict) -> Bool {
    let order = allCases
    return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}
