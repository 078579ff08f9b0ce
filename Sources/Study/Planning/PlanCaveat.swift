import Basics

/// A methodologist's question about a session's plan, with its numbers.
///
/// A new one is a case here, its words below, and where it holds in `PlanCaveat+Finding.swift`.
package enum PlanCaveat: Hashable, Sendable, TaggedInJSON {
  /// Nothing is recorded at rest before the first stimulus.
  case noBaseline
  /// Steps are too short for the variability of the heart rate that is recorded in them.
  case shortForVariability(steps: [String], shortest_s: Double, least_s: Double)
  /// Windows that are compared last differently long from trial to trial.
  case unequalWindows(steps: [String], shortest_s: Double, longest_s: Double)
  /// Conditions have different numbers of trials: the one with the fewest, and the one with the most.
  case unequalTrials(design: String, fewest: Cell, most: Cell)
  /// Every participant has the conditions in the same order.
  case fixedOrder(design: String)
  /// A condition comes more often at one position than at another, over so many participants of the group.
  case unbalancedPositions(design: String, participants: Int, position: Int, fewest: Cell, most: Cell)
  /// Little time lies between two stimuli, and no balanced order makes up for it.
  case carryOver(design: String, between_s: Double, least_s: Double)
  /// No condition is silent.
  case noControl
  /// The participants of these groups perform the same steps and conditions.
  case groupsAlike(groups: [String])
  /// No step and no condition names this group, and some name others.
  case groupUnnamed(group: String)
  /// These conditions say nothing of clips, beside others that do, and so play any.
  case anyClip(design: String, conditions: [String])
  /// Each of these conditions has a single clip to draw from.
  case oneClip(design: String, conditions: [String])
  /// A clip is played several times in the session.
  case repeatedClip(clip: String, times: Int)
  /// A later session of the participant may play the same clips.
  case clipsOfEarlierSessions(design: String, sessions: Int)
  /// Questions are asked between the stimulus and the recording of the recovery.
  case askedBeforeRecovery(question: String, recovery: String)
  /// These steps are for the operator, and shown on the terminal that is the participant's in the others.
  case operatorOnParticipantScreen(steps: [String])
  /// Something is wrong with the file of a clip that may be played.
  case clipFaulty(clip: String, fault: String)

  /// How many trials a condition has.
  package struct Cell: Hashable, Sendable, Codable {
    /// The condition.
    package let condition: String
    /// Its trials.
    package let trials: Int

    /// Creates a cell.
    package init(_ condition: String, _ trials: Int) { (self.condition, self.trials) = (condition, trials) }
  }

  /// The member that says which.
  package static var jsonTag: String { "caveat" }
}

extension PlanCaveat: CustomStringConvertible {
  /// The caveat in a sentence or two: what it is, and what to do.
  package var description: String {
    switch self {
    case .noBaseline:
      "Nothing is recorded at rest before the first stimulus, so that there is no baseline to compare it with; add a "
        + "“rest” step with the recorders."
    case .shortForVariability(let steps, let shortest, let least):
      (steps.count == 1
        ? "The step \(Self.list(steps)) lasts \(shortest.brief) s"
        : "The steps \(Self.list(steps)) last \(shortest.brief) s or more")
        + ", and RMSSD, SDNN and similar measures of heart-rate variability need \(least.brief) s; lengthen "
        + "\(steps.count == 1 ? "it" : "them"), or analyse heart rate only."
    case .unequalWindows(let steps, let shortest, let longest):
      "The recordings of \(Self.list(steps)) last from \(shortest.brief) to \(longest.brief) s, and some measures "
        + "depend on the duration; compare the same seconds of each trial, with --window."
    case .unequalTrials(let design, let fewest, let most):
      "The design “\(design)” has \(Self.words(fewest)), but \(Self.words(most)); repeat each condition equally often."
    case .fixedOrder(let design):
      "Every participant has the conditions of “\(design)” in the same order, so that their effect cannot be told from "
        + "that of time; choose another “order”."
    case .unbalancedPositions(let design, let participants, let position, let fewest, let most):
      "Over \(participants.counted("participant")) of the group, position \(position) of “\(design)” has "
        + "\(Self.words(fewest)), but \(Self.words(most)); assign groups by “list”, or choose a random “order”."
    case .carryOver(let design, let between, let least):
      "Between two stimuli of “\(design)” lie \(between.brief) s of rest, less than \(least.brief) s, and the order "
        + "does not balance which condition follows which; add a “rest” step, or use “balancedLatinSquare”."
    case .noControl:
      "No condition is silent, so that an effect of all conditions cannot be told from that of time; add one with "
        + "“clips”: “silence”, unless another condition is the control."
    case .groupsAlike(let groups):
      "The groups \(Self.list(groups)) differ in nothing; write “groups” in the steps or conditions that are for some of "
        + "them, or leave the groups out."
    case .groupUnnamed(let group):
      "No step and no condition names the group “\(group)”, so that it has only what every group has; write it into "
        + "“groups” of its own steps, unless this is meant."
    case .anyClip(let design, let conditions):
      "In “\(design)” \(Self.list(conditions)) \(conditions.count == 1 ? "says" : "say") no “clips”, so that any clip is "
        + "played; name them, or write “clips”: “silence”."
    case .oneClip(let design, let conditions):
      "In “\(design)” \(Self.list(conditions)) \(conditions.count == 1 ? "has" : "have") a single clip"
        + "\(conditions.count == 1 ? "" : " each"): an effect of the condition cannot be told from that of the clip; add "
        + "clips."
    case .repeatedClip(let clip, let times):
      "The clip “\(clip)” is played \(times) times in the session; a piece that is known has another effect."
    case .clipsOfEarlierSessions(let design, let sessions):
      "In the \(sessions) sessions of a participant, clips of “\(design)” may come again; see “clipReuse”."
    case .askedBeforeRecovery(let question, let recovery):
      "The step “\(question)” asks between the stimulus and the recording of “\(recovery)”, and answering changes the heart rate; "
        + "ask after it."
    case .operatorOnParticipantScreen(let steps):
      "One terminal serves participant and operator: \(Self.list(steps)) \(steps.count == 1 ? "is" : "are") for the operator, "
        + "and the participant sees heart rate and clip there; leave them to the participant in “display”, and follow the "
        + "session with “station show --live”."
    case .clipFaulty(let clip, let fault): "The clip “\(clip)” has a fault: \(fault)."
    }
  }

  private static func words(_ cell: Cell) -> String {
    "\(cell.trials.counted("trial")) of “\(cell.condition)”"
  }

  /// The most names in a sentence.
  private static let maxNames = 5

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(maxNames).map { "“\($0)”" }.joined(separator: ", ")
    return names.count > maxNames ? "\(shown) and \(names.count - maxNames) more" : shown
  }
}
