package import Bundles
import Quantities
package import Study

/// What came of a simulation, in numbers.
package struct SimulationTally: Hashable, Sendable {
  /// A condition as it is counted: practice by itself.
  package struct Condition: Hashable, Sendable {
    /// The condition's name; the protocol's identifier for a protocol that is a single trial.
    package let name: String
    /// Whether the trials are for practice.
    package let isPractice: Bool
  }

  /// Where a clip was played.
  package struct Cell: Hashable, Sendable {
    /// The condition.
    package let condition: Condition
    /// The clip's name; `nil` for silence.
    package let clip: String?
    /// The position among the design's trials, from 1.
    package let position: Int
  }

  /// The answers to a question.
  package struct Answers: Hashable, Sendable {
    /// How often it was asked.
    package fileprivate(set) var asked = 0
    /// How often each answer was given.
    package fileprivate(set) var given: [AnswerValue: Int] = [:]

    /// How often it was answered with a signature, which is kept apart from results.
    package fileprivate(set) var signed = 0

    /// How often it was answered.
    package var answered: Int { given.values.reduce(0, +) + signed }
    /// How often it was left without an answer.
    package var missing: Int { asked - answered }
  }

  /// How many sessions were performed.
  package private(set) var sessions = 0
  /// How many trials were performed, without what lies around them.
  package private(set) var trials = 0
  /// The simulated time of all sessions.
  package private(set) var time = Duration.zero
  /// How many trials were played with a clip, or in silence, in each condition and position.
  package private(set) var cells: [Cell: Int] = [:]
  /// How often each verdict was reached, that on what lies around trials included.
  package private(set) var verdicts: [Verdict: Int] = [:]
  /// The participants of each group.
  package private(set) var groups: [String: Set<String>] = [:]
  /// The answers to each question, by step and question.
  package private(set) var questions: [AskedQuestion: Answers] = [:]
  /// What went wrong, in the order of participants.
  package private(set) var problems: [SimulationProblem] = []

  /// Answers by step and question's identifiers, until the questions are known.
  private var given: [QuestionName: [AnswerValue: Int]] = [:]

  private struct QuestionName: Hashable, Sendable {
    let step: String
    let question: String
  }

  /// Counts a trial, or what lies around trials.
  mutating func take(_ record: TrialRecord) {
    verdicts[record.verdict, default: 0] += 1
    for answer in record.answers {
      given[QuestionName(step: answer.step, question: answer.question), default: [:]][answer.value, default: 0] += 1
    }
    guard record.place?.trial != nil, let name = record.condition else { return }
    trials += 1
    let condition = Condition(
      name: name,
      isPractice: record.design?.isPractice ?? false)
    let cell = Cell(condition: condition, clip: record.clip?.clip.name, position: record.design?.position ?? 1)
    cells[cell, default: 0] += 1
  }

  /// Counts how often a question was asked in the session, whose trials were taken before.
  mutating func take(_ question: AskedQuestion, asked: Int) {
    let name = QuestionName(step: question.step, question: question.question.identifier)
    questions[question] = Answers(asked: asked, given: given[name] ?? [:])
  }

  /// Counts the signatures under the consent of a step in the session, whose questions were taken before.
  mutating func sign(_ step: String, times: Int) {
    let signature = questions.keys.first {
      $0.step == step && $0.question.identifier == ConsentStep.signatureQuestion
    }
    if let signature { questions[signature]?.signed = times }
  }

  /// Counts a session that was performed.
  mutating func endSession(of participant: String, group: String?, after time: Duration) {
    sessions += 1
    self.time += time
    if let group { groups[group, default: []].insert(participant) }
  }

  /// Notes something that went wrong.
  mutating func add(_ problem: SimulationProblem) { problems.append(problem) }

  /// Adds what came of another session.
  mutating func add(_ other: SimulationTally) {
    sessions += other.sessions
    trials += other.trials
    time += other.time
    cells.merge(other.cells, uniquingKeysWith: +)
    verdicts.merge(other.verdicts, uniquingKeysWith: +)
    groups.merge(other.groups) { $0.union($1) }
    questions.merge(other.questions) { own, other in
      Answers(
        asked: own.asked + other.asked, given: own.given.merging(other.given, uniquingKeysWith: +),
        signed: own.signed + other.signed)
    }
    problems += other.problems
  }
}
