import Basics
import Bundles
import Quantities
import Study

/// What was done of a session, kept on the disk beside its bundles.
struct SessionProgress {
  private let archive: any SessionArchive
  /// The plan as its record has it; `nil` until it was encoded for the first time.
  private var plan: JSONValue?
  private(set) var record: SessionRecord
  /// What was done of the steps around trials before the session was interrupted; `nil` for one that begins.
  let course: StepCourse?
  /// The steps around trials that may come, by their indices in the plan.
  let stepsLeft: [Int]
  let trialsLeft: Set<Int>

  /// The record of a session with more trials is written only when it begins and ends and the volume is chosen: the time to
  /// write a record grows with the number of trials.
  private static let maxRewritten = 1000

  init(_ record: SessionRecord, _ plan: Plan, in archive: any SessionArchive) {
    (self.record, self.archive) = (record, archive)
    course = nil
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
    var record = record
    // A part that was to begin when the program ended has no bundle.
    record.performed.removeAll { $0.outcome == nil }
    (self.record, self.archive) = (record, archive)
    trialsLeft = Set(plan.trials.map(\.number)).subtracting(record.trialsDone)
    let course = StepCourse(of: plan.steps, after: try archive.stepParts(of: record).map { ($0.steps, $0.answers) })
    self.course = course
    // The steps that are repeated, then those from the next one on.
    stepsLeft = course.ahead.dropLast() + plan.steps.indices.dropFirst(course.ahead.last ?? 0)
  }

  /// The steps around trials, with the trials that are left inside of them.
  func steps(of plan: Plan) -> [Step] {
    plan.steps.map { step in
      guard var trials = step.trials else { return step }
      var step = step
      trials.numbers = trials.numbers?.filter(trialsLeft.contains)
      step.kind = trials
      return step
    }
  }

  /// Notes a part that begins or has ended, and writes it down unless the session has more than `maxRewritten` trials.
  mutating func add(_ part: SessionRecord.Performed) throws {
    record.add(part)
    if record.plan.count <= Self.maxRewritten { try write() }
  }

  /// Notes the gain that the participant has chosen, and writes it down.
  mutating func choose(volume: Double) throws {
    record.volume = volume
    try write()
  }

  /// Notes that the session is over, or ends here.
  mutating func end(isComplete: Bool) throws {
    record.state = isComplete ? .completed : .interrupted
    try write()
  }

  /// Writes down that the session is under way.
  mutating func begin() throws {
    record.state = .running
    try write()
  }

  private mutating func write() throws {
    let record = record
    try archive.write(record) {
      let encoded = try plan ?? record.encodedPlan()
      plan = encoded
      return encoded
    }
  }
}
