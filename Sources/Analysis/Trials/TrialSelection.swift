package import Basics
package import Bundles

/// Which trials of several are taken.
package struct TrialSelection: Hashable, Sendable {
  /// The participant's code; `nil` for all.
  package var participant: String?
  /// The session's number or name; `nil` for all.
  package var session: String?
  /// The session that trials belong to, by its identifier; `nil` for any.
  package var run: String?
  /// The beginnings of the trials' identifiers; none for all.
  var trials: [String]
  /// The worst verdict that is taken; `nil` for any.
  ///
  /// A trial without a verdict is worse than all.
  package var verdict: Verdict?
  /// The study, by its protocol's identifier; `nil` for all.
  package var study: String?
  /// The condition; `nil` for all.
  package var condition: String?
  /// When the first trial that is taken may begin; `nil` for any time.
  package var start: WallTime?
  /// When trials are no longer taken; `nil` for never.
  package var end: WallTime?
  /// Whether trials that were stopped are part of what trials have together.
  package var includesStopped: Bool
  /// Whether simulated trials are taken beside others, and those of rehearsals at all.
  package var includesSimulated: Bool

  package init(
    participant: String? = nil, session: String? = nil, run: String? = nil, trials: [String] = [],
    verdict: Verdict? = nil, study: String? = nil, condition: String? = nil, start: WallTime? = nil,
    end: WallTime? = nil, includesStopped: Bool = false, includesSimulated: Bool = false
  ) {
    (self.study, self.condition, self.start, self.end) = (study, condition, start, end)
    (self.participant, self.session, self.run, self.verdict) = (participant, session, run, verdict)
    self.trials = trials.map { $0.lowercased() }
    (self.includesStopped, self.includesSimulated) = (includesStopped, includesSimulated)
  }

  /// Which trials are left out of what trials have together.
  package var omissions: Set<TrialOmission> {
    includesStopped ? TrialOmission.usual.subtracting([.stopped]) : TrialOmission.usual
  }

  /// Whether everything belongs to it.
  package var isAll: Bool {
    participant == nil && session == nil && run == nil && trials.isEmpty && verdict == nil && study == nil
      && condition == nil && start == nil && end == nil
  }

  /// Whether it is limited to one participant or one session.
  package var isPersonal: Bool { participant != nil || session != nil || run != nil }

  /// That none of some trials belongs to it, and whose they are.
  ///
  /// - Parameter sessions: the participants of the trials with their sessions.
  /// - Returns: the end of a sentence: `no trial of participant “p9”; there are those of p1 (1, 2)`.
  package func holdsNone(of sessions: [String: Set<String>]) -> String {
    let who = participant.map { "participant “\($0)”" } ?? "any participant"
    let which = session.map { ", session “\($0)”" } ?? ""
    let named = trials.isEmpty ? "" : ", called \(trials.map { "“\($0.visible)”" }.joined(separator: " or "))"
    let of = [("study", study), ("condition", condition)].map { noun, name in name.map { ", \(noun) “\($0)”" } ?? "" }
      .joined()
    let when = [("from", start), ("before", end)].map { word, time in time.map { ", \(word) \($0)" } ?? "" }.joined()
    let how = verdict.map { " with the verdict \($0 == .good ? "" : "good or ")\($0.rawValue)" } ?? ""
    let known = sessions.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value.sorted().joined(separator: ", ")))" }
    let more = known.count > 10 ? ["and \(known.count - 10) more"] : []
    let others = known.isEmpty ? "there are none of anybody" : "there are those of "
    return
      "no trial of \(who)\(which)\(of)\(named)\(when)\(how); \(others)\((known.prefix(10) + more).joined(separator: "; "))"
  }

  /// That none of some trials belongs to it, and whose they are; see ``holdsNone(of:)-([String:Set<String>])``.
  package func holdsNone(of trials: some Sequence<TrialHeading>) -> String {
    holdsNone(of: trials.reduce(into: [:]) { $0[$1.participant, default: []].insert($1.session) })
  }

  /// Whether the simulated ones of some trials are left out.
  ///
  /// This is the one rule for tables, charts, reports and exports: simulated trials are left out unless they are asked for.
  /// Where `station simulate` made all of the trials, none of them is a person's, and they are what was asked for.
  ///
  /// - Parameter trials: all trials that are named, chosen or not; `nil` for a file from outside a trial.
  /// - Returns: whether they are left out.
  package func leavesOutSimulated(of trials: some Sequence<TrialHeading?>) -> Bool {
    !includesSimulated && !trials.allSatisfy { $0?.simulation == .everything }
  }

  /// Whether a trial belongs to it, by its heading.
  package func takes(_ heading: TrialHeading) -> Bool {
    holds(
      trial: heading.trial, participant: heading.participant, session: heading.session, run: heading.run,
      verdict: heading.verdict)
      && (study == nil || study == heading.study) && (condition == nil || condition == heading.condition)
      && (start.map { $0 <= heading.startDate } ?? true) && (end.map { heading.startDate < $0 } ?? true)
  }

  func holds(trial: String, participant: String, session: String, run: String?, verdict own: Verdict?) -> Bool {
    (trials.isEmpty || trials.contains { trial.hasPrefix($0) })
      && (self.participant == nil || self.participant == participant)
      && (self.run.map { $0 == run } ?? (self.session == nil || self.session == session))
      && (verdict.map { worst in own.map { $0 <= worst } ?? false } ?? true)
  }
}
