package import Basics
package import Study

/// What puts a trial in order among others: a few members of its record, for which the whole need not be decoded.
package struct TrialHeading: Hashable, Sendable, Decodable, CheckedInJSON {
  /// The format of the document.
  private let format: String
  /// The trial's identifier.
  package let trial: String
  /// The participant's code.
  package let participant: String
  /// The session's number or name.
  package let session: String
  /// When the trial began.
  package let startDate: WallTime
  /// How far the trial can be trusted.
  package let verdict: Verdict
  /// How it ended.
  package let outcome: Outcome
  private let studyProtocol: Named
  private let clip: Clip?
  private let place: Place?
  /// The trial's place in the design; `nil` for a trial without one.
  package let design: TrialPlacement?
  /// The participant's group; `nil` in a study without groups.
  package let group: String?
  let answers: [Answer]
  /// What of the trial the station invented.
  package let simulation: TrialSimulation

  /// The protocol's identifier.
  package var study: String { studyProtocol.identifier }
  /// The condition, as `TrialHead.condition` says.
  package var condition: String? { design?.condition ?? (isAround ? nil : studyProtocol.identifier) }
  /// Whether it is what lies around the trials of a session, and not a trial.
  package var isAround: Bool { place.map { $0.trial == nil } ?? false }
  /// The session that it belongs to; `nil` for a trial of its own.
  package var run: String? { place?.run }
  /// The trial's number in its session; `nil` for what lies around trials.
  package var number: Int? { place?.trial }
  /// The names of the answers, as ``TrialRecord/Answer/name`` has them.
  package var answerNames: [String] {
    answers.map { TrialRecord.Answer.name(step: $0.step, question: $0.question) }
  }
  /// The clip's name; `nil` for a trial without one.
  package var clipName: String? { clip?.name }

  private struct Named: Hashable, Decodable { let identifier: String }
  private struct Clip: Hashable, Decodable { let name: String }
  private struct Place: Hashable, Decodable {
    let run: String
    let trial: Int?
  }

  /// An answer, by its question.
  struct Answer: Hashable, Codable { let step, question: String }

  private enum CodingKeys: String, CodingKey {
    case format, trial, participant, session, startDate, verdict, outcome, clip, place, design, group, answers
    case simulation
    case studyProtocol = "protocol"
  }

  /// What is wrong with the format; `nil` if this station reads it.
  package var jsonProblem: String? { TrialRecord.problem(ofFormat: format) }

  /// Reads the heading of a bundle by its folder.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)``.
  package init(ofBundle path: String) throws(BundleError) {
    self = try Bundle.decoded(Bundle.document(of: path), of: path)
  }

  /// The heading of a record.
  init(_ record: TrialRecord) {
    self.init(
      trial: record.trial, participant: record.participant, session: record.session, startDate: record.startDate,
      study: record.studyProtocol.identifier, clip: record.clip?.clip.name, verdict: record.verdict,
      outcome: record.closing.outcome, run: record.place?.run, number: record.place?.trial, design: record.design,
      group: record.group, answers: record.answers.map { Answer(step: $0.step, question: $0.question) },
      simulation: record.simulation)
  }

  init(
    trial: String, participant: String, session: String, startDate: WallTime, study: String, clip: String?,
    verdict: Verdict, outcome: Outcome = .completed, run: String? = nil, number: Int? = nil,
    design: TrialPlacement? = nil, group: String? = nil, answers: [Answer] = [], simulation: TrialSimulation = .none
  ) {
    format = TrialRecord.format
    (self.trial, self.participant, self.session) = (trial, participant, session)
    (self.startDate, self.verdict, self.outcome) = (startDate, verdict, outcome)
    (studyProtocol, self.clip) = (Named(identifier: study), clip.map { Clip(name: $0) })
    place = run.map { Place(run: $0, trial: number) }
    (self.design, self.group, self.answers, self.simulation) = (design, group, answers, simulation)
  }
}
