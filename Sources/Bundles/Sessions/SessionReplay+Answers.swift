package import Basics

extension SessionReplay {
  /// The session and what came of its replay, for people; differences are told beside it.
  package var lines: [String] {
    let group = record.group.map { ", group \($0)" } ?? ""
    let who =
      "session \(record.session): participant \(record.participant), session \(record.number) of "
      + "“\(record.studyProtocol.identifier)”, index \(record.index)\(group), seed \(record.seed)"
    let trials = "\(record.trialsDone.count) of \(record.plan.count.counted("trial")) performed"
    let verdict =
      differences.isEmpty
      ? "the same plan again, and all was done as planned" : differences.count.counted("difference")
    return [who.visible, "\(trials): \(verdict)"]
  }

  /// The same for programs, with every difference.
  package var json: JSONValue {
    [
      "session": .string(record.session), "study": .string(record.studyProtocol.identifier),
      "participant": .string(record.participant), "number": .integer(record.number), "seed": .integer(record.seed),
      "trialsPlanned": .integer(record.plan.count), "trialsDone": .integer(record.trialsDone.count),
      "isSame": .bool(differences.isEmpty),
      "differences": .array(differences.map(\.json)),
    ]
  }
}

extension SessionDifference {
  fileprivate var json: JSONValue {
    [
      "aspect": .string(aspect.rawValue), "trial": trial.map { .integer($0) } ?? .null, "bundle": .text(bundle),
      "step": .text(step), "expected": .string(expected), "found": .string(found), "text": .string(description),
    ]
  }
}
