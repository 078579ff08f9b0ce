import Basics
import Foundation
import Laboratory
import Quantities
import Sensors
import Study
import Synchronization
import TestSupport
import Testing

@testable import Bundles
@testable import Session
@testable import Sound

/// An operator without a terminal: remembers what it was informed of, and stops or discards as it is scripted.
private final class ScriptedOperator: SessionOperator {
  let events = Mutex<[String]>([])
  private let stopsTrial: Int?
  private let givesUpAfter: Int?
  private let isKept: Bool
  /// Whether the operator waits for a speaker that is lost.
  private let waitsForSpeaker: Bool
  /// Whether the operator gives up where a bad trial might be performed again.
  private let givesUpAfterBad: Bool
  /// The trial that the operator has performed again, once, and the one after which the session is paused.
  private let repeatsTrial: Int?
  private let pausesAfter: Int?
  private let pauseAnswer: StationAnswer
  /// What the operator answers where the session waits for its start; `nil` for a session that begins by itself.
  private let startAnswer: StationAnswer?
  let watcher: (any SessionWatcher)? = CheckWatcher()
  private let hasGivenUp = Mutex(false)
  private let hasRepeated = Mutex(false)
  private let ended = Mutex(0)

  init(
    stopsTrial: Int? = nil, givesUpAfter: Int? = nil, isKept: Bool = true, givesUpAfterBad: Bool = false,
    waitsForSpeaker: Bool = false, repeatsTrial: Int? = nil, pausesAfter: Int? = nil,
    pauseAnswer: StationAnswer = .goOn, startAnswer: StationAnswer? = nil
  ) {
    self.startAnswer = startAnswer
    self.waitsForSpeaker = waitsForSpeaker
    (self.repeatsTrial, self.pausesAfter, self.pauseAnswer) = (repeatsTrial, pausesAfter, pauseAnswer)
    (self.stopsTrial, self.givesUpAfter, self.isKept) = (stopsTrial, givesUpAfter, isKept)
    self.givesUpAfterBad = givesUpAfterBad
  }

  var presenters: Presenters { Presenters(RememberingPresenter()) }
  var awaitsStart: Bool { startAnswer != nil }
  var startChecks: [StartCheck] { [StartCheck("Page", .ready, "open")] }
  var givesUp: Bool {
    hasGivenUp.withLock { $0 } || givesUpAfter.map { limit in ended.withLock { $0 >= limit } } ?? false
  }

  func awaitGivingUp() async { await Gate().pass() }

  func answer(_ question: StationQuestion) async -> StationAnswer? {
    switch question {
    case .start:
      // Once what is ready has been shown.
      _ = await (watcher as? CheckWatcher)?.shown.wait()
      return startAnswer
    case .sensors: return nil
    case .badTrial(let place, _):
      events.withLock { $0.append("trial \(place.trial ?? 0) is bad") }
      hasGivenUp.withLock { $0 = givesUpAfterBad }
      return .goOn
    case .paused(let place):
      events.withLock { $0.append("paused after trial \(place.trial ?? 0)") }
      return pauseAnswer
    }
  }

  func inform(_ event: SessionEvent) {
    switch event {
    case .trialOpens(let place, _): events.withLock { $0.append("trial \(place.trial ?? 0) of \(place.trials)") }
    case .endedEarly(let count, let planned): events.withLock { $0.append("ended after \(count) of \(planned)") }
    case .awaitsSpeaker(let reason):
      events.withLock { $0.append(reason == nil ? "the wait is over" : "the speaker is lost") }
      hasGivenUp.withLock { $0 = !waitsForSpeaker }
    default: break
    }
  }

  func perform(
    _ trial: Trial, at place: SessionPlace,
    conclude: @Sendable (TrialEnd, Bool) async throws -> ConcludedTrial
  ) async throws -> ConcludedTrial {
    if place.trial == stopsTrial { trial.send(.stop) }
    let repeats = hasRepeated.withLock { hasRepeated in
      defer { hasRepeated = hasRepeated || place.trial == repeatsTrial }
      return place.trial == repeatsTrial && !hasRepeated
    }
    if repeats { trial.send(.command(.repeatTrial)) }
    let end = await trial.run()
    defer { ended.withLock { $0 += 1 } }
    var concluded = try await conclude(end, isKept || end == .completed)
    concluded.pausesSession = place.trial == pausesAfter
    return concluded
  }
}

/// Remembers what was ready before a session started.
private final class CheckWatcher: SessionWatcher {
  let checks = Mutex<[[StartCheck]]>([])
  let shown = Bell()

  func see(_ fact: SessionFact) {
    guard case .checked(let ready) = fact.fact else { return }
    checks.withLock { $0.append(ready) }
    shown.ring()
  }

  func begin(at socket: String?) {}
  func end() {}
}

/// A speaker that is lost after its first sound.
private final class LostSpeaker: Speaker {
  private let speaker = SilentSpeaker(clock: MonotonicClock())
  private let isLost = Mutex(false)

  var description: SpeakerDescription { speaker.description }

  func prepare(_ format: SoundFormat) async throws {
    if isLost.withLock({ $0 }) { throw SessionError.notStarted }
    try await speaker.prepare(format)
  }

  func learn() async throws { try await speaker.learn() }

  func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback {
    isLost.withLock { $0 = true }
    return try await speaker.play(stimulus, at: moment)
  }

  func close() async { await speaker.close() }
}

/// A speaker that remembers what it was prepared for, and once is not there.
private final class ReturningSpeaker: Speaker {
  private let speaker = SilentSpeaker(clock: MonotonicClock())
  let prepared = Mutex<Set<SoundFormat>>([])
  private let isLost = Mutex(false)

  var description: SpeakerDescription { speaker.description }

  func prepare(_ format: SoundFormat) async throws {
    let isLost = isLost.withLock { isLost in
      defer { isLost = false }
      return isLost
    }
    guard !isLost else { throw SessionError.notStarted }
    prepared.withLock { _ = $0.insert(format) }
  }

  /// Forgets what it was prepared for.
  func lose() {
    isLost.withLock { $0 = true }
    prepared.withLock { $0 = [] }
  }

  func learn() async throws {}
  func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback {
    try await speaker.play(stimulus, at: moment)
  }
  func close() async {}
}

/// A speaker whose sink is inaudible although nobody has asked for that: every trial with a clip is bad.
private final class UnheardSpeaker: Speaker {
  private let speaker = SilentSpeaker(clock: MonotonicClock())

  var description: SpeakerDescription {
    SpeakerDescription(SpeakerFacts(kind: "pulseaudio", isAudible: false), lead: speaker.description.lead)
  }

  func prepare(_ format: SoundFormat) async throws { try await speaker.prepare(format) }
  func learn() async throws { try await speaker.learn() }
  func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback {
    try await speaker.play(stimulus, at: moment)
  }
  func close() async { await speaker.close() }
}

/// A follower that remembers which trials it was handed, and how often the session ended.
private final class RememberingFollower: BundleFollower {
  let trials = Mutex<[String]>([])
  let ends = Mutex(0)

  func follow(_ bundle: Bundles.Bundle) async { trials.withLock { $0.append(bundle.record.trial) } }
  func sessionEnded() async { ends.withLock { $0 += 1 } }
}

@Suite("A session made from values")
struct SessionTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private var results: String { scratch["results"] }

  private func setup(trials: Int) throws -> SessionSetup {
    let text = """
      { "format": "station.protocol/1", "identifier": "Rest", "version": "1", "steps": [
        { "kind": "rest", "identifier": "rest", "stepDuration": 0.02, "recorderConfigurations": [
          { "identifier": "hr", "quantityType": "heartRate", "settle_s": 0 } ] } ] }
      """
    try Data(text.utf8).write(to: URL(filePath: scratch["rest.json"]))
    let study = try LoadedStudy(scratch["rest.json"], clipsFolder: nil)
    let sensors = [try SensorAssignment("hr=simulated")]
    return SessionSetup(
      study: study, recorders: try AssignedSensors(sensors, for: study.studyProtocol, isUnattended: true),
      participant: "P01", seed: 7, trials: trials, results: results,
      station: StationFacts(identifier: "test", version: "1", system: "Linux", timeZone: nil), isUnattended: true,
      checksSensors: false)
  }

  /// A session with clips that are silent, on a speaker.
  private func music(
    trials: Int, of more: String = "", on speaker: @escaping @Sendable () -> any Speaker,
    _ sessionOperator: ScriptedOperator
  ) async throws -> SessionOutcome {
    let text = """
      { "format": "station.protocol/1", "identifier": "Music", "version": "1", \(more)"clips": { "folder": "x" },
        "steps": [
          { "kind": "music", "identifier": "music", "stepDuration": 0.1, "clip": { "choose": "random" } } ] }
      """
    try Data(text.utf8).write(to: URL(filePath: scratch["music.json"]))
    let study = try LoadedStudy(scratch["music.json"], clipsFolder: "\(Repository.root)/Clips")
    let setup = SessionSetup(
      study: study, recorders: try AssignedSensors([], for: study.studyProtocol, isUnattended: true),
      participant: "P01", seed: 7, trials: trials, results: results,
      station: StationFacts(identifier: "test", version: "1", system: "Linux", timeZone: nil), isUnattended: true,
      checksSensors: false)
    var environment = SessionEnvironment.here
    environment.openSpeaker = { _, _ in speaker() }
    environment.load = { stimulus, _ in
      try StimulusLoader().silent(stimulus.clip, for: stimulus.music, warnings: [])
    }
    return try await Session.run(setup, operator: sessionOperator, environment: environment)
  }

  @Test("A session that waits for its start shows what is ready; left there, it leaves no one in the list")
  func start() async throws {
    let more = #""sessions": 2, "#
    let back = ScriptedOperator(startAnswer: .end)
    await #expect(throws: SessionError.self) {
      try await music(trials: 1, of: more, on: { SilentSpeaker(clock: MonotonicClock()) }, back)
    }
    let list = try await ParticipantList.open("\(results)/participants.sqlite")
    #expect(try await list.studies() == [])
    #expect(try ResultsFolder(results).trials() == [] && ResultsFolder(results).sessionNames() == [])
    let shown = try #require((back.watcher as? CheckWatcher)?.checks.withLock { $0 })
    #expect(shown.first?.map(\.name) == ["Speaker", "Disk", "Page"] && shown.last == [])
    #expect(shown.first?.allSatisfy { $0.state != .fails } == true, "\(shown)")
    let go = ScriptedOperator(startAnswer: .goOn)
    let outcome = try await music(trials: 1, of: more, on: { SilentSpeaker(clock: MonotonicClock()) }, go)
    #expect(outcome.verdicts.count == 1)
    #expect(try await list.participants(of: "Music").map(\.sessions.count) == [1])
    await list.close()
  }

  @Test("The wait for a speaker that is lost is over when the operator gives up")
  func speaker() async throws {
    let sessionOperator = ScriptedOperator()
    let outcome = try await music(trials: 2, on: { LostSpeaker() }, sessionOperator)
    #expect(outcome.verdicts.count == 1)
    #expect(
      sessionOperator.events.withLock { $0 } == [
        "trial 1 of 2", "the speaker is lost", "the wait is over", "ended after 1 of 2",
      ])
  }

  @Test("A speaker that comes back is prepared for every sound of the session, as at its start")
  func returns() async throws {
    let text = """
      { "format": "station.protocol/1", "identifier": "Loud", "version": "1", "steps": [
        { "kind": "volume", "identifier": "volume", "title": "How loud?" } ] }
      """
    try Data(text.utf8).write(to: URL(filePath: scratch["loud.json"]))
    var setup = try setup(trials: 1)
    setup.study = try LoadedStudy(scratch["loud.json"], clipsFolder: nil)
    let speaker = ReturningSpeaker()
    var environment = SessionEnvironment.here
    environment.openSpeaker = { _, _ in speaker }
    let mono = SoundFormat(sampleRate: 44_100, channels: 1)
    let sessionOperator = ScriptedOperator(waitsForSpeaker: true)
    let outputs = try await SessionOutputs.open(
      for: setup, stimulus: Stimulus(format: mono, samples: [0]), speaks: true, sessionOperator, environment)
    let formats = speaker.prepared.withLock { $0 }
    // The clip's, and those of speech and noise.
    #expect(formats.count == 3)
    speaker.lose()
    #expect(try await outputs.awaitSpeaker(for: mono, sessionOperator, on: RecordingClock()))
    #expect(speaker.prepared.withLock { $0 } == formats)
    await outputs.close()
  }

  private func records() throws -> [TrialRecord] {
    try ResultsFolder(results).trials().map { try Bundles.Bundle("\(results)/bundles/\($0)").record }
  }

  @Test("Every trial has a bundle that verifies, with its place in the session", arguments: [1, 3])
  func whole(count: Int) async throws {
    let (sessionOperator, follower) = (ScriptedOperator(), RememberingFollower())
    let outcome = try await Session.run(try setup(trials: count), operator: sessionOperator, followers: [follower])
    #expect(outcome.planned == count && outcome.verdicts.count == count)
    let records = try records()
    #expect(records.compactMap { $0.place?.trial } == Array(1...count))
    #expect(Set(records.compactMap { $0.place?.run }).count == 1)
    #expect(records.allSatisfy { $0.place?.trials == count && $0.place?.boot == StationFacts.boot })
    let zeros = records.compactMap { $0.place?.zero }
    #expect(zeros.count == count && zeros == zeros.sorted() && Set(zeros).count == count)
    for record in records { #expect(Bundles.Bundle.verify("\(results)/bundles/\(record.trial)").isEmpty) }
    #expect(sessionOperator.events.withLock { $0 } == (1...count).map { "trial \($0) of \(count)" })
    #expect(follower.trials.withLock { $0 } == records.map(\.trial))
    #expect(follower.ends.withLock { $0 } == 1)
  }

  @Test("Zeros on the session's clock lie as far apart as the calendar says, within its resolution")
  func clock() async throws {
    let lateness = try await Lateness.during {
      _ = try await Session.run(try setup(trials: 2), operator: ScriptedOperator())
    }.lateness
    let records = try records()
    let zeros = try records.map { try #require($0.place?.zero) }
    let dates = records.map(\.zero.wall)
    if let excuse = lateness.excuse { try Test.cancel("\(excuse)") }
    #expect(abs((zeros[1] - zeros[0]).seconds - dates[0].duration(to: dates[1]).seconds) < 0.02)
  }

  @Test("A trial that is stopped is the last, with a bundle if it is kept", arguments: [true, false])
  func stopped(isKept: Bool) async throws {
    let sessionOperator = ScriptedOperator(stopsTrial: 2, isKept: isKept)
    let outcome = try await Session.run(try setup(trials: 4), operator: sessionOperator)
    #expect(outcome.verdicts.count == (isKept ? 2 : 1) && !outcome.isGood)
    #expect(try records().count == outcome.verdicts.count)
    #expect(sessionOperator.events.withLock { $0.last } == "ended after \(outcome.verdicts.count) of 4")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(results)/open").filter { $0 != ".lock" }.isEmpty)
  }

  @Test("After a bad trial, an operator who gives up where it could be repeated ends the session there")
  func bad() async throws {
    let sessionOperator = ScriptedOperator(givesUpAfterBad: true)
    let outcome = try await music(trials: 2, of: #""sessions": 2, "#, on: { UnheardSpeaker() }, sessionOperator)
    #expect(outcome.verdicts == [.bad])
    #expect(try records().map(\.verdict) == [.bad])
    #expect(sessionOperator.events.withLock { $0 } == ["trial 1 of 2", "trial 1 is bad", "ended after 1 of 2"])
  }

  @Test(
    "A trial that the operator has repeated is performed again, and only its last verdict counts", arguments: [1, 2])
  func repeated(number: Int) async throws {
    let sessionOperator = ScriptedOperator(repeatsTrial: number)
    let outcome = try await music(
      trials: 2, of: #""sessions": 2, "#, on: { SilentSpeaker(clock: MonotonicClock()) }, sessionOperator)
    #expect(outcome.verdicts.count == 2)
    let records = try records()
    #expect(records.compactMap { $0.place?.trial } == (number == 1 ? [1, 1, 2] : [1, 2, 2]))
    #expect(records.map(\.closing.outcome).count { $0 == .repeated } == 1)
  }

  @Test("A session that the operator paused goes on, or ends, as the operator says", arguments: [true, false])
  func paused(goesOn: Bool) async throws {
    let sessionOperator = ScriptedOperator(pausesAfter: 1, pauseAnswer: goesOn ? .goOn : .end)
    let outcome = try await Session.run(try setup(trials: 2), operator: sessionOperator)
    #expect(outcome.verdicts.count == (goesOn ? 2 : 1))
    #expect(sessionOperator.events.withLock { $0.contains("paused after trial 1") })
  }

  @Test("An operator who gives up between two trials ends the session there")
  func givenUp() async throws {
    let outcome = try await Session.run(try setup(trials: 4), operator: ScriptedOperator(givesUpAfter: 3))
    #expect(outcome.planned == 4 && outcome.verdicts.count == 3)
  }
}
