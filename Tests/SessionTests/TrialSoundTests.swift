import Bundles
import Sensors
import Sound
import Study
import Synchronization
import TestSupport
import Testing

@testable import Quantities
@testable import Session

@Suite("The sounds of a trial")
struct TrialSoundTests {
  @Test("A clip that is skipped during its start tone never sounds, whatever the next step begins with")
  func skippedDuringTone() async throws {
    var rehearsal = Rehearsal(
      [.music("music", seconds: 2, tones: [.start]), .rest("rest", seconds: 2, tones: [.start])],
      format: Rehearsal.toneFormat)
    rehearsal.pace = { .milliseconds(50) }
    let isSkipped = Mutex(false)
    let end = try await rehearsal.run { rehearsal, trial in
      if rehearsal.story.contains("music start tone"), !isSkipped.exchange(true) { trial.send(.skip) }
    }
    #expect(end == .completed)
    let story = rehearsal.story
    #expect(story.contains("music skipped") && story.contains("rest finished"))
    #expect(story.contains("rest start tone") && story.contains("rest start tone ends"))
    #expect(!story.contains { $0.hasPrefix("schedule") || $0.hasPrefix("onset") || $0.hasPrefix("failed") })
  }

  @Test("A tone that is not played is a failure that the operator and the journal learn of, and the trial goes on")
  func failedTone() async throws {
    var rehearsal = Rehearsal([.rest("rest", seconds: 2, tones: [.start, .finish]), .ending("bye")])
    rehearsal.stimulus = Stimulus(format: Rehearsal.toneFormat, samples: [0])
    rehearsal.faults = [
      .refusesToPlay(playback: 0, reason: "the sink is busy")
    ]
    #expect(try await rehearsal.run() == .completed)
    #expect(rehearsal.story.filter { $0.contains("tone") } == ["rest start tone failed", "rest finish tone failed"])
    let notices = rehearsal.presenter.shown(in: "rest").filter { if case .noticed = $0 { true } else { false } }
    // The other is told in the step that follows, if there is one.
    #expect(notices.count == 1)
  }

  @Test("A tone is written down with its measured onset and offset, and with what disturbs it")
  func disturbedTone() async throws {
    var rehearsal = Rehearsal([.rest("rest", seconds: 2, tones: [.start])])
    rehearsal.stimulus = Stimulus(format: Rehearsal.toneFormat, samples: [0])
    rehearsal.faults = [.disturbs(playback: 0, after: .milliseconds(50), .underrun(at: Moment(nanoseconds: 0)))]
    #expect(try await rehearsal.run() == .completed)
    #expect(
      rehearsal.story.filter { $0.contains("tone") }
        == ["rest start tone", "rest start tone disturbed", "rest start tone ends"])
    #expect(rehearsal.time(of: "rest start tone") == .milliseconds(100))
    #expect(rehearsal.time(of: "rest start tone ends") == .milliseconds(300))
    let notices = rehearsal.presenter.shown(in: "rest").filter { if case .noticed = $0 { true } else { false } }
    #expect(notices.count == 1)
  }

  @Test(
    "A pause between the onset and its measurement leaves the step what is left of the stimulus",
    arguments: [20, 79, 81, 500, 1995])
  func pauseBeforeMeasurement(milliseconds: Int) async throws {
    var rehearsal = Rehearsal([.music("music", seconds: 2)])
    rehearsal.speaker = { LateSpeaker($0, $1, by: .milliseconds(80)) }
    rehearsal.pace = { .milliseconds(1) }
    rehearsal.idlePace = .milliseconds(1)
    let isPaused = Mutex(false)
    let isResumed = Mutex(false)
    let pause = Duration.milliseconds(100 + milliseconds)
    let end = try await rehearsal.run { rehearsal, trial in
      if rehearsal.clock.elapsed >= pause, !isPaused.exchange(true) { trial.send(.togglePause) }
      if rehearsal.clock.elapsed >= .seconds(5), !isResumed.exchange(true) { trial.send(.togglePause) }
    }
    #expect(end == .completed)
    #expect(rehearsal.frames == 200)
    let offset = try #require(rehearsal.journal.records.last { if case .soundEnded = $0.event { true } else { false } })
    let done = try #require(rehearsal.time(of: "music is done"))
    // A clip that had sounded to its end when it was paused has nothing left, and its step goes on for the pause alone.
    #expect(done == max(offset.time + .milliseconds(80), .seconds(5)))
  }

  @Test("A sound of which nothing is reported is given up by its identity, stopped, and written down as failed")
  func givenUp() async throws {
    let late = Mutex<LateSpeaker?>(nil)
    var rehearsal = Rehearsal([.music("music", seconds: 2), .ending("bye")])
    rehearsal.speaker = { silent, clock in
      let speaker = LateSpeaker(silent, clock, by: nil)
      late.withLock { $0 = speaker }
      return speaker
    }
    let end = try await rehearsal.run()
    guard case .soundLost = end else {
      Issue.record("it ended as \(end)")
      return
    }
    #expect(late.withLock { $0?.stops } == [.zero])
    #expect(rehearsal.story.filter { $0.hasPrefix("failed") }.count == 1)
    #expect(rehearsal.story.contains("music failed"))
    #expect(rehearsal.time(of: "music failed") == .seconds(10))
  }

  @Test("A paused step leaves no timer behind")
  func timers() async throws {
    let rehearsal = Rehearsal([.rest("rest", seconds: 30)])
    let isPaused = Mutex(false)
    let isLookedAt = Mutex(false)
    let end = try await rehearsal.run { rehearsal, trial in
      if rehearsal.story.contains("suspended") {
        if !isLookedAt.exchange(true) { #expect(rehearsal.clock.nextDeadline == nil) }
        trial.send(.stop)
      } else if rehearsal.clock.elapsed >= .seconds(5), !isPaused.exchange(true) {
        trial.send(.togglePause)
      }
    }
    #expect(end == .stopped && isLookedAt.withLock { $0 })
    #expect(rehearsal.clock.elapsed == .seconds(5))
  }

  @Test("A sensor that reconnects and stays mute is reported, as one that was mute from the beginning")
  func muteAgain() async throws {
    var rehearsal = Rehearsal([.recordedMusic(seconds: 12)])
    rehearsal.sensor = ScriptedSensor([
      .init(at: .zero, .connected(nil)), .reading(at: .seconds(1), heartRate: 60),
      .init(at: .seconds(4), .lost(reason: "out of reach")), .init(at: .seconds(5), .connected(nil)),
    ])
    #expect(try await rehearsal.run() == .completed)
    #expect(rehearsal.time(of: "noted: had sent no reading 3 s after it connected") == .seconds(8))
  }

  @Test("Keys that nobody can act upon do not pile up, and the one that stops the trial is never left out")
  func keys() async {
    let inbox = TrialInbox(clock: HandClock())
    inbox.send(.begin)
    for _ in 0..<1000 { inbox.send(.pressed(.letter("s"))) }
    inbox.send(.stop)
    var taken: [TrialInput] = []
    for await (input, _) in inbox.inputs {
      inbox.took(input)
      taken.append(input)
      if input == .stop { break }
    }
    #expect(taken.count == TrialInbox.maxKeys + 2)
    inbox.send(.pressed(.enter))
    var inputs = inbox.inputs.makeAsyncIterator()
    #expect(await inputs.next()?.0 == .pressed(.enter))
  }

  @Test("Of a pasted text no key is lost, and no more wait than may; after the trial nobody waits")
  func paste() async {
    let inbox = TrialInbox(clock: HandClock())
    inbox.send(.begin)
    let text = String(repeating: "abc", count: 300)
    async let pasting: Void = { for letter in text { await inbox.put(.letter(letter)) } }()
    var taken = ""
    for await (input, _) in inbox.inputs {
      inbox.took(input)
      if case .pressed(.letter(let letter)) = input { taken.append(letter) }
      if taken.count == text.count { break }
    }
    await pasting
    #expect(taken == text)
    inbox.close()
    for _ in 0...TrialInbox.maxKeys { await inbox.put(.enter) }
  }
}

extension Rehearsal {
  /// The frames that were played of the stimulus.
  var frames: Int {
    journal.records.reduce(0) { sum, record in
      if case .soundEnded(_, _, _, let frames) = record.event { sum + frames } else { sum }
    }
  }
}

extension Step {
  /// An optional music step that starts and goes on by itself.
  static func music(_ identifier: String, seconds: Int, tones: Set<Tone> = []) -> Step {
    var step = music(seconds: seconds) { $0.give(tones) }
    (step.identifier, step.isOptional) = (identifier, true)
    return step
  }

  /// An optional rest that starts and goes on by itself.
  static func rest(_ identifier: String, seconds: Int, tones: Set<Tone> = []) -> Step {
    var step = rest(seconds: seconds) { $0.give(tones) }
    (step.identifier, step.isOptional) = (identifier, true)
    return step
  }
}

extension ActiveStep {
  fileprivate mutating func give(_ tones: Set<Tone>) {
    continuesAlone()
    shouldPlaySoundOnStart = tones.contains(.start)
    shouldPlaySoundOnFinish = tones.contains(.finish)
  }
}
