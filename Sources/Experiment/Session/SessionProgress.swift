import Basics
import Bundles
import Quantities
import Study

/// What was done of a session, kept on the disk beside its bundles.
struct SessionProgress {
  private let archive: any SessionArchive
  /// The plan as its record has it; `nil` if it cannot be encoded, which writing the record reports.
  private let plan: JSONValue?
  private(set) var record: SessionRecord
  /// The steps around trials that are left, by their indices in the plan.
  private(set) var stepsLeft: [Int]
  /// The trials that are left.
  let trialsLeft: Set<Int>

  /// The record of a longer session is written at its beginning and end only, since each writing takes as long as it.
  private static let mostRewritten = 1000

  /// The progress of a session that begins.
  init(_ record: SessionRecord, _ plan: Plan, in archive: any SessionArchive) {
    (self.record, self.archive, self.plan) = (record, archive, try? record.encodedPlan())
    stepsLeft = Array(plan.steps.indices)
    trialsLeft = Set(plan.trials.map(\.number))
  }

  /// The progress of a session that goes on.
  ///
  /// - Throws: ``SessionError`` if the protocol, its clips or this program plan another session now.
  init(
    resuming record: SessionRecord, _ plan: Plan, of studyProtocol: ProtocolReference, in archive: any SessionArchive
  ) throws {
    guard record.studyProtocol == studyProtocol else {
      throw SessionError.protocolChanged(from: record.studyProtocol.version, to: studyProtocol.version)
    }
    let planned = plan.trials.map(SessionRecord.Planned.init)
    guard record.plan == planned else {
      let differing = zip(record.plan, planned).first { $0 != $1 }?.0.number
      throw SessionError.planChanged(trial: differing ?? min(record.plan.count, planned.count) + 1)
    }
    (self.record, self.archive, self.plan) = (record, archive, try? record.encodedPlan())
    let done = record.stepsDone(of: plan.steps, shown: try archive.stepsShown(in: record))
    let trials = record.trialsDone
    trialsLeft = Set(plan.trials.map(\.number)).subtracting(trials)
    let left = plan.steps.indices.filter { !done.contains($0) }
    // What is to be repeated is repeated only if something comes after it.
    stepsLeft = plan.steps.indices.filter { index in
      !done.contains(index) || plan.steps[index].isRepeatedOnResume && index < left.last ?? -1
    }
  }

  /// The steps around trials that are left, with the trials that are left inside of them.
  func steps(of plan: Plan) -> [Step] {
    stepsLeft.map { index in
      var step = plan.steps[index]
      guard case .trials(var trials) = step.kind else { return step }
      trials.numbers = trials.numbers?.filter(trialsLeft.contains)
      step.kind = .trials(trials)
      return step
    }
  }

  /// Notes a part that begins or has ended, and writes it down.
  mutating func add(_ part: SessionRecord.Performed) throws {
    record.add(part)
    if record.plan.count <= Self.mostRewritten { try archive.write(record, plan: plan) }
  }

  /// Notes the gain that the participant has chosen, and writes it down.
  mutating func choose(volume: Double) throws {
    record.volume = volume
    try archive.write(record, plan: plan)
  }

  /// Notes that the session is over, or ends here.
  mutating func end(isComplete: Bool) throws {
    record.state = isComplete ? .completed : .interrupted
    try archive.write(record, plan: plan)
  }

  /// Writes down that the session is under way.
  mutating func begin() throws {
    record.state = .running
    try archive.write(record, plan: plan)
  }
}
