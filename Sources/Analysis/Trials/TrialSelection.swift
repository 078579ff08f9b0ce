import Basics
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
  /// Whether trials that were stopped are part of what trials have together.
  package var includesStopped: Bool
  /// Whether simulated trials are taken beside others, and those of rehearsals at all.
  package var includesSimulated: Bool

  package init(
    participant: String? = nil, session: String? = nil, run: String? = nil, trials: [String] = [],
    verdict: Verdict? = nil, includesStopped: Bool = false, includesSimulated: Bool = false
  ) {
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
    participant == nil && session == nil && run == nil && trials.isEmpty && verdict == nil
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
    let how = verdict.map { " with the verdict \($0 == .good ? "" : "good or ")\($0.rawValue)" } ?? ""
    let known = sessions.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value.sorted().joined(separator: ", ")))" }
    let more = known.count > 10 ? ["and \(known.count - 10) more"] : []
    let others = known.isEmpty ? "there are none of anybody" : "there are those of "
    return "no trial of \(who)\(which)\(named)\(how); \(others)\((known.prefix(10) + more).joined(separator: "; "))"
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
  }

  func holds(trial: String, participant: String, session: String, run: String?, verdict own: Verdict?) -> Bool {
    (trials.isEmpty || trials.contains { trial.hasPrefix($0) })
      && (self.participant == nil || self.participant == participant)
      && (self.run.map { $0 == run } ?? (self.session == nil || self.session == session))
      && (verdict.map { worst in own.map { $0 <= worst } ?? false } ?? true)
  }
}
