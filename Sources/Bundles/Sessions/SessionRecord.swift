package import Basics
import Quantities
package import Study

/// The record of a session, `sessions/<session>.json`: its plan with every draw, and what was done of it.
///
/// It is written when the session begins, and again after each trial.
package struct SessionRecord: Hashable, Sendable, Codable, CheckedInJSON {
  /// The format of the document: `station.session/1`.
  private(set) var format = Self.format
  /// The session's identifier, a UUIDv7, which all its bundles have.
  package let session: String
  package let studyProtocol: ProtocolReference
  /// The participant's code.
  package let participant: String
  /// The participant's index in the study.
  package let index: Int
  /// The participant's group; `nil` in a study without groups.
  package let group: String?
  /// The number of the participant's session.
  package let number: Int
  /// The language of what the participant reads, as a BCP 47 tag; `nil` for a protocol that names none.
  package let language: String?
  /// The seed of all draws.
  package let seed: UInt64
  /// The name of the generator of all draws.
  let generator: String
  /// What the plan was made from.
  let basis: SessionBasis
  /// When the session began.
  package let startDate: WallTime
  /// Whether it is over, and how.
  package var state: State
  /// The gain that the participant chose for the clips, in decibels; `nil` where none was.
  package var volume: Double?
  /// The trials in their planned order.
  package private(set) var plan: [Planned]
  /// What was done, in the order of time.
  package var performed: [Performed]

  /// The format that is written.
  static let format = "station.session/1"

  /// How far a session is.
  package enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is under way, or was when its computer stopped.
    case running
    /// Everything was done.
    case completed
    /// It ended before everything was done, and can be resumed.
    case interrupted
  }

  /// A trial of the plan.
  package struct Planned: Hashable, Sendable, Codable {
    /// Its number in the session.
    package let number: Int
    /// Its place in the design.
    package let design: TrialPlacement?
    /// The clip; `nil` for silence.
    package let clip: TrialRecord.ClipReference?
    /// How the clip was drawn; `nil` for silence, and for a clip that the protocol names.
    let draw: Draw?
    /// The time of the clip from which on it is played; `nil` for silence.
    let start: Duration?
    /// The durations of its active steps, by step.
    let durations: [StepDuration]

    package init(_ trial: PlannedTrial) {
      (number, design) = (trial.number, trial.placement)
      clip = trial.stimulus.map { TrialRecord.ClipReference(name: $0.clip.name, sha256: $0.clip.sha256) }
      (draw, start) = (trial.stimulus?.draw, trial.stimulus?.start)
      durations = trial.steps.compactMap { step in
        step.active.map { StepDuration(step: step.identifier, duration: $0.stepDuration) }
      }
    }
  }

  /// How long an active step lasts.
  struct StepDuration: Hashable, Sendable, Codable {
    let step: String
    let duration: Duration
  }

  /// A part of the session that has a bundle.
  package struct Performed: Hashable, Sendable, Codable {
    /// The bundle: the identifier of its trial.
    package let bundle: String
    /// The number of the trial; `nil` for the steps around trials.
    package let number: Int?
    /// The indices of the steps around trials that might come, among those of the plan; `nil` for a trial.
    let steps: [Int]?
    /// How it ended; `nil` while it is under way.
    package var outcome: Outcome?
    /// How far it can be trusted; `nil` while it is under way.
    var verdict: Verdict?
    /// Whether the trial was performed again later, and the later one counts.
    package var isSuperseded: Bool

    private enum CodingKeys: String, CodingKey {
      case bundle, number, steps, outcome, verdict
      case isSuperseded = "superseded"
    }

    /// A part that was done, or is under way.
    package init(bundle: String, number: Int?, steps: [Int]? = nil, outcome: Outcome? = nil, verdict: Verdict? = nil) {
      (self.bundle, self.number, self.steps) = (bundle, number, steps)
      (self.outcome, self.verdict, isSuperseded) = (outcome, verdict, false)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case format, session, participant, index, group, number, language, seed, generator, basis, startDate, state, plan,
      performed
    case studyProtocol = "protocol"
    case volume = "volume_dB"
  }

  /// What is wrong with it although its members are right.
  package var jsonProblem: String? {
    format == Self.format ? nil : "its format is “\(format)”, and this station reads “\(Self.format)”"
  }

  package init(
    session: String, studyProtocol: ProtocolReference, participant: String, startDate: WallTime, plan: Plan,
    basis: SessionBasis, language: String? = nil
  ) {
    (self.session, self.studyProtocol, self.participant) = (session, studyProtocol, participant)
    (index, group, number) = (plan.place.index, plan.place.group, plan.place.session)
    (seed, generator) = (plan.seed, Draw.generator)
    (self.basis, self.startDate, self.language, state) = (basis, startDate, language, .running)
    self.plan = plan.trials.map(Planned.init)
    performed = []
  }

  /// How often a single trial is performed in a session.
  package struct Repeats: Hashable, Sendable {
    /// The number of trials.
    package let trials: Int
    /// Whether a clip may be drawn again.
    package let withReplacement: Bool
  }

  /// How often the trial of a protocol without `trials` steps is performed; `nil` for a protocol with them.
  ///
  /// A clip may be drawn again where the second draw has as many candidates as the first.
  package func repeats(of studyProtocol: StudyProtocol) -> Repeats? {
    guard !studyProtocol.hasTrials, !plan.isEmpty else { return nil }
    let draws = plan.prefix(2).compactMap(\.draw?.candidates.count)
    return Repeats(trials: plan.count, withReplacement: draws.count == 2 && draws[0] == draws[1])
  }

  /// The plan as JSON, which stays the same as long as the session lasts.
  ///
  /// - Throws: what encoding throws.
  package func encodedPlan() throws -> JSONValue { try JSONValue(encoding: plan, writesNull: true) }

  /// The record as JSON.
  ///
  /// - Parameter plan: what ``encodedPlan()`` gives.
  /// - Returns: the record.
  /// - Throws: what encoding throws.
  func encoded(plan: JSONValue) throws -> JSONValue {
    var rest = self
    rest.plan = []
    guard case .object(var members) = try JSONValue(encoding: rest, writesNull: true) else { return .null }
    members["plan"] = plan
    return .object(members)
  }

  /// Adds a part, or how a part that was under way has ended; an earlier one of the same trial counts no more.
  package mutating func add(_ part: Performed) {
    if let index = performed.firstIndex(where: { $0.bundle == part.bundle }) {
      (performed[index].outcome, performed[index].verdict) = (part.outcome, part.verdict)
      return
    }
    for index in performed.indices where part.number != nil && performed[index].number == part.number {
      performed[index].isSuperseded = true
    }
    performed.append(part)
  }

  /// The numbers of the trials that count: performed to their end, or skipped by the operator.
  package var trialsDone: Set<Int> {
    Set(
      performed.filter { !$0.isSuperseded && [.completed, .skipped].contains($0.outcome) }.compactMap(\.number))
  }
}

/// The sessions that a path or an identifier names.
package struct SessionPath: Hashable, Sendable {
  /// The results folder that they lie in.
  package let results: ResultsFolder
  /// Their identifiers, oldest first.
  package let sessions: [String]

  /// Finds sessions; `nil` for what is no session's record, identifier or results folder.
  ///
  /// - Parameters:
  ///   - operand: `results/sessions/….json`; a results folder, for all of its sessions; or the identifier of a session, or a
  ///     beginning of it with which no trial begins.
  ///   - folder: the results folder of an identifier.
  /// - Throws: `FileError` for a folder that cannot be read.
  package init?(_ operand: String, in folder: String) throws(FileError) {
    if let record = Self.record(operand) {
      (results, sessions) = record
      return
    }
    if ResultsPath(operand) == .results {
      results = ResultsFolder(operand)
      sessions = try results.sessionNames()
      return
    }
    results = ResultsFolder(folder)
    let named = try results.sessionNames().filter { $0.hasPrefix(operand.lowercased()) }
    guard named.count == 1, operand.utf8.count >= 4, !Folder.exists(operand),
      try !results.trials().contains(where: { $0.hasPrefix(operand.lowercased()) })
    else { return nil }
    sessions = named
  }

  /// The session whose record a path is.
  private static func record(_ path: String) -> (ResultsFolder, [String])? {
    let folder = Folder.realPath(Folder.parent(of: path)) ?? Folder.parent(of: path)
    let name = Folder.name(of: path)
    guard name.hasSuffix(".json"), TrialIdentifier(String(name.dropLast(5))) != nil,
      Folder.name(of: folder) == ResultsFolder.sessionsName, Folder.isOrdinaryFile(path)
    else { return nil }
    return (ResultsFolder(Folder.parent(of: folder)), [String(name.dropLast(5))])
  }
}
