import Bundles
import Study

/// What trials are put together by.
package enum TrialGrouping: String, CaseIterable, Hashable, Sendable {
  case clip
  /// The clip's mood.
  case mood
  /// The design's condition, or else the protocol.
  case condition
  /// The participant's group.
  case group
  case participant
  case session
  /// How far the trial can be trusted.
  case verdict
  /// How it ended.
  case outcome

  /// Which group a trial belongs to; `nil` for what the trial does not have, and for a file from outside a trial.
  package func key(of trial: TrialFacts?) -> String? {
    switch self {
    case .clip: trial?.clip
    case .mood: trial?.mood
    case .condition: trial?.condition
    case .group: trial?.group
    case .participant: trial?.participant
    case .session: trial?.session
    case .verdict: trial?.verdict?.rawValue
    case .outcome: trial?.outcome?.rawValue
    }
  }

  /// What people are shown for the group of trials that have no key.
  package static let noKey = "–"
}

/// Why a trial is left out of what trials have together: means, averaged responses, charts of several trials.
package enum TrialOmission: String, CaseIterable, Hashable, Sendable {
  /// Its verdict is bad.
  case bad
  /// It was stopped, so that its stimulus was not heard to the end.
  case stopped
  case practice
  /// It is what lies around the trials of a session.
  case around

  /// All of them, which are left out unless something else is said.
  package static let usual = Set(allCases)

  /// The reason, in a clause.
  package var reason: String {
    switch self {
    case .bad: "its verdict is bad"
    case .stopped: "it was stopped"
    case .practice: "it was for practice"
    case .around: "it is what lies around the session's trials"
    }
  }

  /// Looks for a reason to leave a trial out.
  ///
  /// This is the one rule for tables, charts and reports. Among verdicts bad trials are a group of their own, and among
  /// outcomes stopped ones.
  ///
  /// - Parameters:
  ///   - trial: the trial.
  ///   - grouping: what trials are put together by.
  ///   - kinds: what is left out.
  /// - Returns: the reason; `nil` for a trial that counts, and for a file from outside a trial.
  package static func of(_ trial: TrialFacts?, by grouping: TrialGrouping?, among kinds: Set<TrialOmission> = usual)
    -> TrialOmission?
  {
    guard let trial else { return nil }
    if kinds.contains(.around), trial.isAround { return .around }
    if kinds.contains(.practice), trial.design?.isPractice ?? false { return .practice }
    if kinds.contains(.bad), trial.verdict == .bad, grouping != .verdict { return .bad }
    if kinds.contains(.stopped), [.stopped, .skipped, .repeated, .declined].contains(trial.outcome),
      grouping != .outcome
    {
      return .stopped
    }
    return nil
  }
}

extension TrialsTogether {
  /// Why some of these have a mean and neither SD nor confidence interval, and what the spreads of others are over; sentences.
  package func spreadNotes(_ summaries: [Summary], _ responses: [GroupResponse] = []) -> [String] {
    var notes: [String] = []
    let groups = summaries.flatMap { $0.groups.map(\.summary) }
    let isOfOne = spread != over
    if isOfOne, groups.contains(where: { $0.standardDeviation != nil }) {
      notes.append(
        "All trials are of one participant: SD and CI of the groups are over the trials, and describe this participant "
          + "only.")
    }
    if groups.contains(where: { $0.mean != nil && $0.standardDeviation == nil }) {
      let unit = spread == .trials ? "trial" : "participant"
      notes.append("SD and CI need two \(unit)s; a group of one \(unit) has dashes.")
    }
    if summaries.contains(where: { $0.differences.contains { $0.summary.standardDeviation == nil } }) {
      notes.append(
        "SD and CI of a difference need two participants with both groups; that of one participant has dashes."
      )
    }
    if over == .participants,
      responses.contains(where: { $0.average.bins.contains { $0.mean != nil && $0.standardDeviation == nil } })
    {
      notes.append(
        "SD and CI of a response need two participants; --by participant takes them over the trials of each one.")
    }
    return notes
  }
}
