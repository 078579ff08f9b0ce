import Basics
import Foundation
import Quantities
import Synchronization
import TestSupport
import Testing

@testable import Bundles
@testable import Laboratory
@testable import SampleStore
@testable import Study

/// Stops a withdrawal at one of its actions, as a crash would.
private struct Crash: Error {}

@Suite("Withdrawing a participant")
struct WithdrawalTests {
  private static let code = "Kestrel07"
  private static let other = "Osprey08"
  private static let time = WallTime(milliseconds: 1_795_262_400_000)
  /// A heart rate that nobody else has.
  private static let interval = 987.654321

  /// A results folder with two participants in two studies, each with bundles, sessions, samples and entries of a list.
  private struct Laboratory {
    let scratch: ScratchFolder
    let results: ResultsFolder
    let store: SampleStore
    let list: ParticipantList

    init() async throws {
      scratch = try ScratchFolder()
      results = ResultsFolder(scratch["results"])
      try results.makeReady()
      store = try await SampleStore.sqlite(scratch["results/station.sqlite"])
      list = try await ParticipantList.open(scratch["results/participants.sqlite"])
      for (place, participant) in [code, other].enumerated() {
        for study in ["Calm", "Pilot"] {
          _ = try await list.enrol(participant, in: study, at: "2026-11-21T12:00:00.000Z") { _, _ in nil }
          try await perform(participant, study, UInt8(place))
        }
      }
      #expect(try await BundleIndex(results, now: .latest).trials.count == 4)
      #expect(results.indexHasTrials(of: code, in: nil))
      try await store.setCharacteristics(
        Characteristics(dateOfBirth: CalendarDate("1990-01-02")), of: code)
    }

    /// A session of one trial.
    private func perform(_ participant: String, _ study: String, _ place: UInt8) async throws {
      let trial = TrialIdentifier(time: time).description
      var made = MadeTrial()
      (made.participant, made.condition) = (participant, study)
      made.recorders = ["heartRate"]
      if place == 0 { made.intervals = Array(repeating: interval, count: 20) }
      try made.write(to: "\(results.path)/bundles/\(trial)")
      _ = try CorrectionsFile(ofBundle: "\(results.path)/bundles/\(trial)").append {
        Correction(
          number: $0.nextNumber, time: time, author: "Rater A", reason: "\(participant) moved",
          basis: .init(recorder: "heartRate", sha256: ""), edit: .unusable(from: .zero, to: .seconds(1)))
      }
      _ = try await StoreIngest(store: store) { _ in }.add(Bundles.Bundle("\(results.path)/bundles/\(trial)"))
      let protocolOfStudy = StudyProtocol(
        identifier: study, version: "1", steps: [Step(identifier: "rest", kind: RestStep(ActiveStep()))])
      var record = SessionRecord(
        session: TrialIdentifier(time: time).description,
        studyProtocol: ProtocolReference(identifier: study, version: "1", sha256: ""), participant: participant,
        startDate: time, plan: try Plan.make(for: protocolOfStudy, clips: [], seed: 1),
        basis: SessionBasis(protocolOfStudy, clips: [], assignment: nil))
      record.add(.init(bundle: trial, number: 1, outcome: .completed, verdict: .good))
      try results.write(record)
      try results.write(
        ConsentRecord(
          session: record.session, studyProtocol: record.studyProtocol, participant: participant,
          title: nil, language: "en", document: ConsentStep.Document(version: "1", sections: []), sha256: "",
          question: "Do you agree?", answer: "Yes", signature: .typed("Name \(participant)"), date: time))
      _ = try await list.beginSession(
        record.session, of: participant, in: study, trials: 1, at: "2026-11-21T12:00:00.000Z", on: "desk")
    }

    func withdrawal(of participant: String = code, from study: String? = nil) -> Withdrawal {
      Withdrawal(of: participant, from: study, results: results, store: store, list: list, now: { time })
    }

    func close() async throws {
      try await store.close()
      await list.close()
    }

    /// The files that hold some bytes, and those whose name has them.
    func files(with bytes: [UInt8]) throws -> [String] {
      let needle = Data(bytes)
      return try FileManager.default.subpathsOfDirectory(atPath: results.path).filter { name in
        if Data(name.utf8).range(of: needle) != nil { return true }
        guard !Folder.isFolder("\(results.path)/\(name)") else { return false }
        return try Data(contentsOf: URL(filePath: "\(results.path)/\(name)")).range(of: needle) != nil
      }
    }

    /// How many samples the store has of a participant.
    func samples(of participant: String) async throws -> Int {
      try await store.count(matching: [SamplePredicate(metadata: MetadataCondition.participant(participant))])
    }
  }

  /// The bytes that a store has for the participant's heart rate, in beats a second.
  private static var value: [UInt8] {
    let bits = (60_000 / interval / 60).bitPattern
    return (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
  }

  private func isGone(_ laboratory: Laboratory) async throws {
    try await laboratory.close()
    for bytes in [Array(Self.code.utf8), Self.value, Array("\(60_000 / Self.interval)".utf8)] {
      #expect(try laboratory.files(with: bytes) == [])
    }
  }

  @Test("Nothing of the participant is in any file afterwards, and all of the other one is")
  func whole() async throws {
    let laboratory = try await Laboratory()
    #expect(try !laboratory.files(with: Self.value).isEmpty)
    let before = try await laboratory.samples(of: Self.other)
    let holdings = try await laboratory.withdrawal().find()
    let files = holdings.files
    #expect((files.bundles.count, files.sessions.count, files.consents.count) == (2, 2, 2))
    #expect(holdings.samples > 40 && holdings.names == ["Calm": "withdrawn-1", "Pilot": "withdrawn-1"])
    let outcome = try await laboratory.withdrawal().perform()
    #expect(outcome.samples == holdings.samples && outcome.completed == [])
    #expect(outcome.tombstones.map(\.study) == ["Calm", "Pilot"])
    #expect(
      outcome.tombstones.allSatisfy {
        ($0.participant, $0.bundles, $0.sessions, $0.time) == ("withdrawn-1", 1, 1, Self.time)
      })
    #expect(try laboratory.results.withdrawnParticipants() == outcome.tombstones)
    #expect(try await laboratory.samples(of: Self.other) == before && before > 0)
    #expect(try await laboratory.store.receipts().count == 2)
    #expect(try await laboratory.list.participants(of: "Calm").map(\.name) == ["withdrawn-1", Self.other])
    #expect(try laboratory.results.trials().count == 2 && laboratory.results.sessionNames().count == 2)
    let corrections = try Folder.names(in: "\(laboratory.results.path)/bundles").filter { $0.hasSuffix(".jsonl") }
    #expect(corrections.count == 2)
    // Programs that follow the store learn what to delete, and not when it was.
    let changes = try await laboratory.store.changes(of: .heartRate, since: nil, limit: 0)
    #expect(changes.deleted.count >= 40)
    try await isGone(laboratory)
  }

  @Test("Withdrawal from one study leaves the other one, and samples and characteristics of it")
  func oneStudy() async throws {
    let laboratory = try await Laboratory()
    let before = try await laboratory.samples(of: Self.code)
    let outcome = try await laboratory.withdrawal(from: "Calm").perform()
    #expect(outcome.tombstones.map(\.study) == ["Calm"] && outcome.samples == before / 2)
    #expect(try await laboratory.samples(of: Self.code) == before / 2)
    #expect(try await laboratory.store.characteristics(of: Self.code).dateOfBirth != nil)
    #expect(try await laboratory.list.participants(of: "Pilot").first?.code == Self.code)
    _ = try await laboratory.withdrawal().perform()
    try await isGone(laboratory)
  }

  @Test(
    "After a crash at any point the next withdrawal completes it, with the same tombstones",
    arguments: Withdrawal.Action.allCases, [1, 2])
  func crash(action: Withdrawal.Action, time: Int) async throws {
    let laboratory = try await Laboratory()
    var withdrawal = laboratory.withdrawal()
    let left = Mutex(time)
    withdrawal.willPerform = { one in
      guard one == action else { return }
      try left.withLock { left in
        left -= 1
        if left == 0 { throw Crash() }
      }
    }
    // Some things are done once.
    do {
      _ = try await withdrawal.perform()
      #expect(time == 2)
    } catch is Crash {
      #expect(try await laboratory.withdrawal().find().isEmpty == (action == .notePending && time == 0))
      let outcome = try await laboratory.withdrawal().perform()
      #expect(outcome.completed == [])
    }
    let kept = try laboratory.results.withdrawnParticipants()
    #expect(kept.map(\.study) == ["Calm", "Pilot"])
    #expect(kept.allSatisfy { ($0.participant, $0.bundles, $0.sessions) == ("withdrawn-1", 1, 1) })
    try await isGone(laboratory)
  }

  @Test("An index that was read before a withdrawal, and is written after it, has nothing of the participant")
  func index() async throws {
    let laboratory = try await Laboratory()
    let before = try await BundleIndex(laboratory.results)
    _ = try await laboratory.withdrawal().perform()
    #expect(laboratory.results.indexedTrials().trials.isEmpty)
    laboratory.results.writeIndex(of: before.trials)
    let after = try await before.refreshed()
    #expect(after.trials.map(\.heading.participant) == [Self.other, Self.other])
    #expect(laboratory.results.indexedTrials().trials == after.trials)
    try await isGone(laboratory)
  }

  @Test("An index that still has trials whose bundles are gone is removed")
  func indexAlone() async throws {
    let laboratory = try await Laboratory()
    _ = try await laboratory.withdrawal().perform()
    var made = MadeTrial()
    made.participant = Self.code
    let path = laboratory.results.bundlePath(named: "removed")
    try made.write(to: path)
    _ = try await BundleIndex(laboratory.results, now: .latest)
    try Folder.removeTree(path)
    #expect(try await !laboratory.withdrawal().find().isEmpty)
    _ = try await laboratory.withdrawal().perform()
    #expect(try await laboratory.withdrawal().find().isEmpty)
    try await isGone(laboratory)
  }

  @Test("A withdrawal that was not completed is completed by that of another participant")
  func another() async throws {
    let laboratory = try await Laboratory()
    var withdrawal = laboratory.withdrawal()
    withdrawal.willPerform = { if $0 == .deleteSamples { throw Crash() } }
    await #expect(throws: Crash.self) { try await withdrawal.perform() }
    let outcome = try await laboratory.withdrawal(of: Self.other).perform()
    #expect(outcome.completed.map(\.study) == ["Calm", "Pilot"] && outcome.tombstones.count == 2)
    #expect(outcome.completed.allSatisfy { $0.participant == "withdrawn-1" })
    #expect(outcome.tombstones.allSatisfy { $0.participant == "withdrawn-2" })
    try await isGone(laboratory)
    #expect(try laboratory.files(with: Array(Self.other.utf8)) == [])
  }

  @Test("While a session of the participant runs, nothing is removed; what a killed one left of its claim is")
  func claimed() async throws {
    let laboratory = try await Laboratory()
    func claim(_ participant: String, _ study: String) throws -> SessionClaim {
      try laboratory.results.claim(.here(participant: participant, study: study, since: Self.time))
    }
    let claims = try [claim(Self.code, "Pilot"), claim(Self.other, "Calm")]
    await #expect(throws: SessionClaimError.self) { try await laboratory.withdrawal().perform() }
    #expect(try laboratory.results.trials().count == 4)
    claims[0].end()
    // Let go without its end, as by a kill, in a study of which nothing else was written.
    _ = try claim(Self.code, "Third")
    #expect(try laboratory.results.studiesClaimed(by: Self.code) == ["Third"])
    _ = try await laboratory.withdrawal().perform()
    claims[1].end()
    // Killed after everything but the claim was removed.
    _ = try claim(Self.code, "Third")
    let remainder = laboratory.withdrawal()
    #expect(try await !remainder.find().isEmpty)
    #expect(try await remainder.perform().tombstones.isEmpty)
    #expect(try await remainder.find().isEmpty)
    try await isGone(laboratory)
  }

  @Test("While a trial of the participant runs, nothing is removed; one of somebody else is not a hindrance")
  func running() async throws {
    let laboratory = try await Laboratory()
    func open(_ participant: String) throws -> OpenTrial {
      let identifier = TrialIdentifier(time: Self.time)
      let trial = try laboratory.results.openTrial(identifier: identifier, protocolBytes: Array("{}".utf8))
      let head = TrialHead(
        trial: identifier.description,
        studyProtocol: ProtocolReference(identifier: "Calm", version: "1", sha256: ""), participant: participant,
        session: "1", seed: 1, zero: CalendarReading(wall: Self.time, uncertainty: .zero, isSynchronized: true),
        station: StationFacts(identifier: "desk", version: "1", system: "Linux", timeZone: nil), speaker: nil,
        isUnattended: true)
      trial.journal.append(time: .zero, event: .trialOpened(TrialOpening(head: head, recorders: [])))
      return trial
    }
    let others = try open(Self.other)
    try await others.journal.flush()
    let own = try open(Self.code)
    try await own.journal.flush()
    let before = try laboratory.files(with: Array(Self.code.utf8))
    await #expect(throws: WithdrawalError.self) { try await laboratory.withdrawal().perform() }
    #expect(try laboratory.files(with: Array(Self.code.utf8)) == before)
    try await own.discard()
    _ = try await laboratory.withdrawal().perform()
    #expect(Folder.isFolder("\(laboratory.results.path)/open/\(others.identifier)"))
    try await others.discard()
    try await isGone(laboratory)
  }

  @Test("What cannot be read is named, since it may be the participant's")
  func unreadable() async throws {
    let laboratory = try await Laboratory()
    try Folder.ensure("\(laboratory.results.path)/bundles/torn/data")
    #expect(try await laboratory.withdrawal().find().unreadable == ["\(laboratory.results.path)/bundles/torn"])
    let nobody = try await laboratory.withdrawal(of: "Nobody").find()
    #expect(nobody.isEmpty)
  }
}
