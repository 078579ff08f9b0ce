internal import Bundles

/// What trials are put together by.
public enum TrialGrouping: String, CaseIterable, Hashable, Sendable {
  /// The clip.
  case clip
  /// The clip's mood.
  case mood
  /// The protocol.
  case condition
  /// The participant.
  case participant
  /// The session.
  case session
  /// How far the trial can be trusted.
  case verdict
  /// How it ended.
  case outcome

  /// Which group a trial belongs to; `nil` for what the trial does not have, and for a file that is no trial's.
  public func key(of trial: TrialFacts?) -> String? {
    switch self {
    case .clip: trial?.clip
    case .mood: trial?.mood
    case .condition: trial?.condition
    case .participant: trial?.participant
    case .session: trial?.session
    case .verdict: trial?.grade?.rawValue
    case .outcome: trial?.outcome?.rawValue
    }
  }

  /// Whether a trial is left out of what trials have together, because its verdict is bad; among verdicts it stands apart.
  public static func leavesOut(_ trial: TrialFacts?, by grouping: TrialGrouping?) -> Bool {
    grouping != .verdict && trial?.grade == .bad
  }

  /// What people are shown for the group of trials that have no key.
  public static let noKey = "–"
}
