public import Bundles

/// Which trials of several are taken.
public struct TrialSelection: Hashable, Sendable {
  /// The participant's code; `nil` for all.
  public var participant: String?
  /// The session's number or name; `nil` for all.
  public var session: String?
  /// The worst verdict that is taken; `nil` for any.
  ///
  /// A trial without a verdict is worse than all.
  public var verdict: Grade?

  /// A choice of trials.
  public init(participant: String? = nil, session: String? = nil, verdict: Grade? = nil) {
    (self.participant, self.session, self.verdict) = (participant, session, verdict)
  }

  /// Whether everything belongs to it.
  public var isAll: Bool { self == TrialSelection() }

  /// Whether it is of a participant or a session, and not of everybody.
  public var isOfSomebody: Bool { participant != nil || session != nil }

  /// Whether a trial belongs to it; `nil` is a file that is no trial's.
  public func holds(_ trial: TrialFacts?) -> Bool {
    guard let trial else { return isAll }
    return holds(participant: trial.participant, session: trial.session, verdict: trial.grade)
  }

  func holds(participant: String, session: String, verdict grade: Grade?) -> Bool {
    (self.participant == nil || self.participant == participant) && (self.session == nil || self.session == session)
      && (verdict.map { worst in grade.map { $0 <= worst } ?? false } ?? true)
  }
}
