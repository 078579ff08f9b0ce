import Basics
import Quantities
import Study

/// What went wrong in a simulation, and where.
package struct SimulationProblem: Hashable, Sendable, CustomStringConvertible {
  /// The participant's code.
  package let participant: String
  /// The number of the participant's session.
  package let session: Int
  /// The number of the trial in the session; `nil` for what does not concern a single trial.
  package let trial: Int?
  /// What went wrong.
  package let reason: Reason

  /// What can go wrong.
  package enum Reason: Hashable, Sendable {
    /// The trial failed, for a reason.
    case failed(String)
    /// No answer to a question was found that its format accepts.
    case unanswerable(AskedQuestion)
    /// The trial did not end within this time.
    case endless(Duration)
    /// Fewer trials were performed than planned, although no rule ended the session.
    case incomplete(trials: Int, of: Int)
    /// The session could not be performed, or something else happened to it.
    case other(String)
  }

  /// Where and what: `sim07, session 1, trial 3: …`.
  package var description: String {
    let place = "\(participant), session \(session)" + (trial.map { ", trial \($0)" } ?? "")
    return "\(place): \(reason)"
  }
}

extension SimulationProblem.Reason: CustomStringConvertible {
  /// What went wrong, why, and what to do.
  package var description: String {
    switch self {
    case .failed(let reason): "the trial failed: \(reason)"
    case .unanswerable(let asked):
      "no answer to the question “\(asked.question.identifier)” of the step “\(asked.step)” is accepted; what it asks "
        + "for is: \(asked.question.format.expectation); widen its limits"
    case .endless(let limit):
      "the trial did not end within \(Int(limit.seconds) / 3600) h of simulated time; see that the rules of its steps "
        + "do not lead in circles"
    case .incomplete(let done, let planned): "\(done) of \(planned.counted("planned trial")) performed"
    case .other(let reason): reason
    }
  }
}
