package import Basics
import Quantities
import Study

/// A session's plan made again from its protocol and seed, and compared with its record and with what was done.
package struct SessionReplay: Sendable {
  /// The session's record.
  let record: SessionRecord
  /// Where something differs; the plan's differences first, then those of each bundle in the order of time.
  package private(set) var differences: [SessionDifference] = []

  private let results: ResultsFolder

  /// How much longer or shorter than planned a step may last: its timer is the program's.
  static let tolerance = Duration.seconds(1)

  /// Replays a session.
  ///
  /// - Parameters:
  ///   - session: its identifier.
  ///   - results: the results folder.
  /// - Throws: ``BundleError`` for a record that cannot be read, `SessionReplayError`, or `FileError`.
  package init(of session: String, in results: ResultsFolder) throws {
    record = try results.session(session)
    self.results = results
    let bundles = try readBundles()
    try repeatPlan(bundles.values.map(\.path))
    for part in record.performed {
      if let bundle = bundles[part.bundle] {
        compare(bundle.record, part)
        try compareProtocol(bundle)
      }
    }
    compareOrder()
    try findOthers()
  }

  /// The bundles of what was performed, by identifier.
  private mutating func readBundles() throws -> [String: Bundle] {
    var bundles: [String: Bundle] = [:]
    for part in record.performed {
      do throws(BundleError) {
        bundles[part.bundle] = try Bundle(results.bundlePath(named: part.bundle))
      } catch {
        // A part that is under way, or was when the computer stopped, has none yet.
        guard part.outcome != nil else { continue }
        differences.append(
          SessionDifference(
            .bundle, trial: part.number, bundle: part.bundle, expected: "a bundle", found: "\(error)"))
      }
    }
    return bundles
  }

  // MARK: The plan

  private mutating func repeatPlan(_ bundles: [String]) throws {
    let basis = record.basis
    let studyProtocol = try readProtocol(bundles)
    compareGroup(studyProtocol, basis)
    let place = PlanPlace(index: record.index, group: record.group, session: record.number)
    let planned: [SessionRecord.Planned]
    do throws(PlanError) {
      let repeats = record.repeats(of: studyProtocol)
      let plan = try Plan.make(
        for: studyProtocol, clips: basis.clips.map(\.clip), seed: record.seed, place: place,
        trials: repeats?.trials, withReplacement: repeats?.withReplacement ?? false)
      planned = plan.trials.map(SessionRecord.Planned.init)
    } catch {
      differences.append(SessionDifference(.plan, expected: "a plan", found: "\(error)"))
      return
    }
    if planned.count != record.plan.count {
      differences.append(
        SessionDifference(.trials, expected: "\(planned.count)", found: "\(record.plan.count)"))
    }
    for (one, other) in zip(planned, record.plan) {
      differences += TrialClaims(one).differences(from: TrialClaims(other), isPartial: false).map {
        SessionDifference(
          $0.key.aspect, trial: one.number, step: $0.key.step, expected: $0.expected, found: $0.found)
      }
    }
  }

  /// The protocol, from the first bundle that has the one that the record names.
  private func readProtocol(_ bundles: [String]) throws -> StudyProtocol {
    for path in bundles.sorted() {
      let bytes = try File(inside: path, BundleFile.protocolFile).contents(limit: StudyProtocolReader.maxFile)
      guard "\(SHA256.digest(of: bytes))" == record.studyProtocol.sha256 else { continue }
      do throws(ProtocolProblems) {
        return try StudyProtocolReader.read(bytes, fileName: "\(path)/\(BundleFile.protocolFile)")
          .studyProtocol.of(participant: record.participant)
      } catch {
        throw SessionReplayError.unreadable(session: record.session, reason: "\(error)")
      }
    }
    throw SessionReplayError.noProtocol(session: record.session)
  }

  private mutating func compareGroup(_ studyProtocol: StudyProtocol, _ basis: SessionBasis) {
    guard let groups = studyProtocol.groups, let kept = basis.assignment else { return }
    // The group by the code of the participant who was replaced cannot be found by the code of this one.
    if kept.isInherited, groups.assignment == .hash { return }
    do throws(GroupsFull) {
      let found = try groups.assign(
        index: record.index, participant: record.participant, counts: kept.counts, seed: record.seed)
      if found.name != record.group {
        differences.append(SessionDifference(.group, expected: found.name, found: record.group ?? "none"))
      }
      if found.draw != kept.draw {
        differences.append(
          SessionDifference(
            .groupDraw, expected: found.draw?.words ?? "none", found: kept.draw?.words ?? "none"))
      }
    } catch {
      differences.append(SessionDifference(.group, expected: "a free place", found: "\(error)"))
    }
  }

  // MARK: What was done

  private mutating func compare(_ bundle: TrialRecord, _ part: SessionRecord.Performed) {
    func expect(_ aspect: SessionDifference.Aspect, _ expected: String, _ found: String) {
      guard expected != found else { return }
      differences.append(
        SessionDifference(aspect, trial: part.number, bundle: part.bundle, expected: expected, found: found))
    }
    expect(.session, record.session, bundle.place?.run ?? "none")
    expect(.participant, record.participant, bundle.participant)
    expect(.group, record.group ?? "none", bundle.group ?? "none")
    expect(.seed, "\(record.seed)", "\(bundle.seed)")
    expect(.number, part.number.map { "\($0)" } ?? "none", bundle.place?.trial.map { "\($0)" } ?? "none")
    guard let number = part.number, let planned = record.plan.first(where: { $0.number == number }) else { return }
    // A trial that ended before its clip has none in its result.
    let claims = TrialClaims(planned)
    for one in claims.differences(from: TrialClaims(bundle), isPartial: true)
    where bundle.clip != nil || ![.clip, .clipFile, .draw].contains(one.key.aspect)
      || bundle.closing.outcome == .completed
    {
      differences.append(
        SessionDifference(
          one.key.aspect, trial: number, bundle: part.bundle, step: one.key.step, expected: one.expected,
          found: one.found))
    }
    compareSteps(bundle, planned, part)
  }

  /// Compares how long steps lasted; a pause belongs to none.
  private mutating func compareSteps(
    _ bundle: TrialRecord, _ planned: SessionRecord.Planned, _ part: SessionRecord.Performed
  ) {
    let isPaused = bundle.caveats.contains { if case .paused = $0.caveat { true } else { false } }
    guard !isPaused else { return }
    for step in bundle.steps where step.end == .finished {
      guard let begun = step.begun, let finished = step.finished,
        let length = planned.durations.first(where: { $0.step == step.identifier })?.duration, length > .zero,
        abs((finished - begun - length).nanoseconds) > Self.tolerance.nanoseconds
      else { continue }
      differences.append(
        SessionDifference(
          .duration, trial: part.number, bundle: part.bundle, step: step.identifier,
          expected: TrialClaims.words(length), found: TrialClaims.words(finished - begun)))
    }
  }

  private mutating func compareProtocol(_ bundle: Bundle) throws {
    let sha256 = try bundle.open(BundleFile.protocolFile).digest().sha256
    for found in [sha256, bundle.record.studyProtocol.sha256] where found != record.studyProtocol.sha256 {
      differences.append(
        SessionDifference(
          .studyProtocol, trial: bundle.record.place?.trial, bundle: bundle.record.trial,
          expected: record.studyProtocol.sha256, found: found))
      return
    }
  }

  /// Trials that count are performed in their planned order.
  private mutating func compareOrder() {
    let numbers = record.performed.filter { !$0.isSuperseded }.sorted { $0.bundle < $1.bundle }.compactMap(\.number)
    guard numbers != numbers.sorted() else { return }
    func words(_ numbers: [Int]) -> String { numbers.map { "\($0)" }.joined(separator: ", ") }
    differences.append(
      SessionDifference(.order, expected: words(numbers.sorted()), found: words(numbers)))
  }

  /// Bundles that say that they are of the session, and that its record does not name.
  private mutating func findOthers() throws {
    guard record.state != .running else { return }
    let known = Set(record.performed.map(\.bundle))
    for name in try results.trials() where name >= record.session && !known.contains(name) {
      guard let heading = try? TrialHeading(ofBundle: results.bundlePath(named: name)), heading.run == record.session
      else { continue }
      differences.append(
        SessionDifference(
          .bundle, trial: heading.number, bundle: name, expected: "none", found: "a bundle of the session"))
    }
  }
}

/// Why a session cannot be replayed.
enum SessionReplayError: Error, Hashable, CustomStringConvertible {
  /// None of its bundles has the protocol that its record names.
  case noProtocol(session: String)
  /// The protocol is not one that this station reads.
  case unreadable(session: String, reason: String)

  /// What failed, why, and what to do.
  var description: String {
    switch self {
    case .noProtocol(let session):
      "cannot repeat the plan of session \(session): no bundle has the protocol that its record names; put the bundles "
        + "back into the results folder"
    case .unreadable(let session, let reason):
      "cannot repeat the plan of session \(session): this station does not read its protocol:\n\(reason)"
    }
  }
}

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
