import Bundles
import Quantities
import Sensors
import Sound
import Synchronization
import TestSupport
import Testing

@testable import Session
@testable import Study

@Suite("A trial")
struct TrialTests {
  @Test("From instruction to completion, everything is written down in the order in which it happened")
  func whole() async throws {
    var rehearsal = Rehearsal([.reading("hello"), .recordedMusic(seconds: 3), .ending("bye")])
    rehearsal.sensor = ScriptedSensor.beats(60, 1, 2, 3, 4)
    #expect(try await rehearsal.run() == .completed)
    #expect(
      rehearsal.story == [
        "connected", "hello starts", "hello finished", "music starts", "music begins", "heart on 0", "schedule 0: 300",
        "onset 0",
        "♥ 60", "♥ 60", "♥ 60", "offset 0: 300", "music is done", "heart off 0", "music finished", "bye starts",
        "bye finished", "♥ 60",
      ])
    #expect(rehearsal.time(of: "onset 0") == .milliseconds(100))
    #expect(rehearsal.time(of: "offset 0: 300") == .milliseconds(3100))
    #expect(rehearsal.presenter.shown(in: "music").contains(.sounded))
    #expect(rehearsal.presenter.shown(in: "music").contains(.remaining(.seconds(2))))
    #expect(rehearsal.presenter.shown(in: "music").contains(.heartRate(60)))
  }

  @Test("A rest lasts its duration to the millisecond", arguments: [1, 1500, 30_400])
  func rest(milliseconds: Int) async throws {
    var step = Step.rest(seconds: 1) { $0.continuesAlone() }
    guard var active = step.active else { return }
    active.stepDuration = .milliseconds(milliseconds)
    active.recorderConfigurations = [.heart]
    step.kind = RestStep(active)
    let rehearsal = Rehearsal([step])
    #expect(try await rehearsal.run() == .completed)
    #expect(rehearsal.time(of: "heart on 0") == .zero)
    #expect(rehearsal.time(of: "heart off 0") == .milliseconds(milliseconds))
  }

  @Test("A stop fades the sound, keeps what was recorded, and ends the trial in order")
  func stop() async throws {
    var rehearsal = Rehearsal([.recordedMusic(seconds: 30), .ending("bye")])
    rehearsal.sensor = ScriptedSensor.beats(70, 1, 2, 3, 4, 5, 6, 7, 8)
    let end = try await rehearsal.run { rehearsal, trial in
      if rehearsal.clock.elapsed >= .seconds(5) { trial.send(.stop) }
    }
    #expect(end == .stopped)
    #expect(rehearsal.story.filter { $0.hasPrefix("♥") }.count >= 5)
    #expect(rehearsal.story.contains("music stopped"))
    #expect(!rehearsal.story.contains("bye starts"))
    let offset = rehearsal.story.first { $0.hasPrefix("offset 0") }
    #expect(offset != nil && offset != "offset 0: 3000")
  }

  @Test("When the sound is lost the trial fails with the reason, and the heart data stay whole")
  func lostSound() async throws {
    var rehearsal = Rehearsal([.recordedMusic(seconds: 30), .ending("bye")])
    rehearsal.faults = [.fails(playback: 0, after: .seconds(2), reason: "the sound server is gone")]
    rehearsal.sensor = ScriptedSensor.beats(70, 1, 2, 3, 4)
    #expect(try await rehearsal.run() == .soundLost(reason: "the sound server is gone"))
    let story = rehearsal.story
    #expect(story.contains("failed: the sound server is gone"))
    #expect(story.contains("heart off 0"))
    #expect(story.contains("music failed"))
    #expect(story.filter { $0.hasPrefix("♥") }.count >= 2)
  }

  @Test("A suspended clip goes on from where it stopped, as a second segment of sound and of recording")
  func suspension() async throws {
    var rehearsal = Rehearsal([.recordedMusic(seconds: 10)])
    rehearsal.idlePace = .seconds(1)
    let isSuspended = Mutex(false)
    let isResumed = Mutex(false)
    let end = try await rehearsal.run { rehearsal, trial in
      if rehearsal.clock.elapsed >= .seconds(4), !isSuspended.exchange(true) { trial.send(.togglePause) }
      if rehearsal.clock.elapsed >= .seconds(6), !isResumed.exchange(true) { trial.send(.togglePause) }
    }
    #expect(end == .completed)
    let story = rehearsal.story.filter { !$0.hasPrefix("connected") }
    #expect(
      story.prefix(9).map(\.self).filter { $0.hasPrefix("s") || $0.hasPrefix("h") }.prefix(4)
        == ["heart on 0", "schedule 0: 1000", "heart off 0", "suspended"])
    let frames = rehearsal.journal.records.compactMap { record -> Int? in
      if case .soundEnded(_, _, _, let frames) = record.event { frames } else { nil }
    }
    #expect(frames.count == 2)
    #expect(frames.reduce(0, +) == 1000)
    #expect(story.contains("heart on 1"))
    #expect(story.contains("heart off 1"))
  }

  @Test("Readings that arrive late are waited for, but not longer than the settle window")
  func settling() async throws {
    var late = Rehearsal([.recordedMusic(seconds: 2)])
    late.sensor = ScriptedSensor([.connection, .reading(at: .seconds(4), heartRate: 61, latency: .seconds(3))])
    #expect(try await late.run() == .completed)
    #expect(late.story.last == "♥ 61")
    #expect(late.time(of: "♥ 61") == .seconds(1))

    var silent = Rehearsal([.recordedMusic(seconds: 2)])
    silent.sensor = ScriptedSensor([.connection])
    #expect(try await silent.run() == .completed)
    #expect(silent.clock.elapsed == .milliseconds(5100))
  }

  @Test("What a sensor cannot deliver is written down, and the trial goes on")
  func troubledSensor() async throws {
    var rehearsal = Rehearsal([.recordedMusic(seconds: 6)])
    rehearsal.sensor = ScriptedSensor([
      .connection, .init(at: .seconds(1), .unreadable(line: 3, reason: "no number")),
      .init(at: .seconds(2), .lost(reason: "out of reach")), .init(at: .seconds(3), .connected(nil)),
      .init(at: .seconds(4), .overflowed(count: 12)), .init(at: .seconds(5), .ended(reason: "end of file")),
    ])
    #expect(try await rehearsal.run() == .completed)
    let words = ["skipped 1", "lost", "dropped 12", "ended"]
    #expect(rehearsal.story.filter(words.contains) == words)
    #expect(rehearsal.presenter.shown(in: "music").contains(.heartRate(nil)))
    #expect(
      rehearsal.presenter.shown(in: "music").contains(
        .noticed("the sensor “scripted”: line 3 could not be read: no number")))
  }

  @Test(
    "A sensor that is connected and sends nothing is told of while there is time, and one that sends is not",
    arguments: [0, 1])
  func muteSensor(readings: Int) async throws {
    let note = "had sent no reading 3 s after it connected"
    var rehearsal = Rehearsal([.recordedMusic(seconds: 6)])
    rehearsal.sensor = readings == 0 ? ScriptedSensor([.connection]) : ScriptedSensor.beats(60, 2)
    #expect(try await rehearsal.run() == .completed)
    #expect(rehearsal.story.contains("noted: \(note)") == (readings == 0))
    #expect(
      rehearsal.presenter.shown(in: "music").contains(.noticed("the sensor “scripted” \(note)")) == (readings == 0))
    if readings == 0 { #expect(rehearsal.time(of: "noted: \(note)") == .seconds(3)) }
  }

  @Test("A sensor that connects again and stays mute is told of after every connection, and one that sends is not")
  func muteAgain() async throws {
    var rehearsal = Rehearsal([.recordedMusic(seconds: 20)])
    rehearsal.sensor = ScriptedSensor([
      .connection, .reading(at: .seconds(1), heartRate: 60),
      .init(at: .seconds(2), .lost(reason: "out of reach")), .init(at: .seconds(3), .connected(nil)),
      .init(at: .seconds(8), .lost(reason: "out of reach")), .init(at: .seconds(9), .connected(nil)),
      .init(at: .seconds(10), .lost(reason: "out of reach")), .init(at: .seconds(11), .connected(nil)),
      .reading(at: .seconds(15), heartRate: 60),
    ])
    #expect(try await rehearsal.run() == .completed)
    let notes = rehearsal.journal.records.filter { if case .sensorNoted = $0.event { true } else { false } }
    #expect(notes.map(\.time) == [.seconds(6), .seconds(14)])
  }

  @Test("What was odd about a sensor before the trial is told to the trial")
  func earlierNotes() async throws {
    let clock = HandClock()
    let sensor = ScriptedSensor([.init(at: .zero, .noted("sends too much")), .connection])
    let hub = try SensorHub([sensor], clock: clock)
    await withTaskGroup { group in
      group.addTask { await hub.run() }
      await hub.settle(within: .seconds(1))
      let heard = Mutex<[SensorEvent]>([])
      let listening = await hub.listen { _, event in heard.withLock { $0.append(event) } }
      #expect(heard.withLock { $0 } == [.connected(nil), .noted("sends too much")])
      await hub.stopListening(listening)
      group.cancelAll()
    }
  }

  @Test("Readings that come between the trial's zero and its first step are heard by the trial, once")
  func earlyReadings() async throws {
    let (stream, sender) = AsyncStream.makeStream(of: SensorEvent.self)
    let hub = try SensorHub([PushedSensor(stream: stream)], clock: HandClock())
    let moment = Moment(nanoseconds: 1_000_000_000)
    let reading = HeartReading(heartRate: 60, happened: moment, arrived: moment)
    await withTaskGroup { group in
      group.addTask { await hub.run() }
      sender.yield(.connected(nil))
      await hub.settle(within: .seconds(1))
      hub.keepSamples()
      sender.yield(.readings([reading, reading]))
      await hub.awaitSigns([.init(recorder: "r", sensor: "pushed", quantity: .heartRate)], within: .seconds(1))
      let first: [SensorEvent] = [.connected(nil), .readings([reading, reading])]
      for expected in [first, [.connected(nil)]] {
        let heard = Mutex<[SensorEvent]>([])
        let listening = await hub.listen { _, event in heard.withLock { $0.append(event) } }
        await hub.stopListening(listening)
        #expect(heard.withLock { $0 } == expected)
      }
      group.cancelAll()
    }
  }

  @Test("Readings that had arrived when the trial ended are taken, and those that cannot be any more are counted")
  func backlog() async throws {
    var rehearsal = Rehearsal([.recordedMusic(seconds: 2)])
    // The last of them are delivered while the end waits for what had arrived, and 985 never.
    rehearsal.sensor = BackloggedSensor(delivers: [(.seconds(1), 10), (.milliseconds(5600), 5)], taken: 1000)
    #expect(try await rehearsal.run() == .completed)
    #expect(rehearsal.story.filter { $0.hasPrefix("♥") }.count == 15)
    #expect(rehearsal.story.last == "dropped 985")

    var whole = Rehearsal([.recordedMusic(seconds: 2)])
    whole.sensor = BackloggedSensor(delivers: [(.seconds(1), 10), (.milliseconds(5600), 5)], taken: 15)
    #expect(try await whole.run() == .completed)
    #expect(whole.story.filter { $0.hasPrefix("♥") }.count == 15)
    #expect(!whole.story.contains { $0.hasPrefix("dropped") })
    #expect(whole.clock.elapsed == .milliseconds(5600))
  }

  @Test("The tone at the last step's finish is heard to its end")
  func lastTone() async throws {
    var step = Step.rest(seconds: 1) { $0.continuesAlone() }
    guard var active = step.active else { return }
    active.shouldPlaySoundOnFinish = true
    step.kind = RestStep(active)
    let rehearsal = Rehearsal([step])
    #expect(try await rehearsal.run() == .completed)
    // A second of rest, what the speaker needs, and the tone.
    #expect(rehearsal.clock.elapsed == .milliseconds(1300))
  }

  @Test("A speaker that refuses fails the trial with its reason")
  func refusal() async throws {
    var rehearsal = Rehearsal([.recordedMusic(seconds: 6)])
    rehearsal.faults = [.refusesToPlay(playback: 0, reason: "the sink is busy")]
    let end = try await rehearsal.run()
    guard case .soundLost(let reason) = end else {
      Issue.record("it ended as \(end)")
      return
    }
    #expect(reason.contains("the sink is busy"))
  }

  @Test("Disturbances of the sound are written down and do not end it")
  func underrun() async throws {
    var rehearsal = Rehearsal([.recordedMusic(seconds: 2)])
    rehearsal.faults = [
      .disturbs(playback: 0, after: .seconds(1), .underrun(at: Moment(nanoseconds: 0)))
    ]
    #expect(try await rehearsal.run() == .completed)
    #expect(rehearsal.story.contains("underrun"))
    #expect(rehearsal.story.contains("offset 0: 200"))
  }

  @Test("The tone at a step's start is played before the clip")
  func tone() async throws {
    var step = Step.recordedMusic(seconds: 2)
    guard var music = step.kind as? MusicStep else { return }
    music.activeStep.shouldPlaySoundOnStart = true
    step.kind = music
    var rehearsal = Rehearsal([step])
    rehearsal.stimulus = Stimulus(
      format: SoundFormat(sampleRate: 8000, channels: 1), samples: [Float](repeating: 0.5, count: 16_000))
    #expect(try await rehearsal.run() == .completed)
    #expect(rehearsal.story.contains("sound"))
    let onset = try #require(rehearsal.time(of: "onset 0"))
    #expect(onset >= .milliseconds(300))
  }

  @Test("A step is shown by the presenter of its display: by its identifier, else by its kind, else by the default")
  func presenters() {
    let (participant, operating) = (RememberingPresenter(), RememberingPresenter())
    let displays = Displays(.participant, kinds: ["music": .operator], steps: ["b": .participant])
    let presenters = Presenters(displays, participant: participant, operator: operating)
    var other = Step.recordedMusic(seconds: 1)
    other.identifier = "b"
    #expect(presenters.presenter(for: .reading("a")) as? RememberingPresenter === participant)
    #expect(presenters.presenter(for: .recordedMusic(seconds: 1)) as? RememberingPresenter === operating)
    #expect(presenters.presenter(for: other) as? RememberingPresenter === participant)
  }
}

extension Mutex where Value == Bool {
  borrowing func exchange(_ new: Bool) -> Bool {
    withLock { value in
      defer { value = new }
      return value
    }
  }
}

extension HandClock {
  /// How far it was turned.
  var elapsed: Duration { Moment(nanoseconds: 1_000_000_000_000).duration(to: now) }
}

/// A sensor whose consumer is behind: it has taken in more than it delivers.
private struct BackloggedSensor: Sensor {
  let source = SensorSource(name: "scripted")
  let readingsTaken: Int?
  private let script: ScriptedSensor

  init(delivers batches: [(time: Duration, count: Int)], taken: Int) {
    readingsTaken = taken
    let cues = batches.map { time, count in
      let moment = Moment(nanoseconds: 1_000_000_000)
      let reading = HeartReading(heartRate: 60, happened: moment, arrived: moment)
      return ScriptedSensor.Cue(at: time, .readings([HeartReading](repeating: reading, count: count)))
    }
    script = ScriptedSensor([.connection] + cues)
  }

  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> { script.events(on: clock) }
}

/// A sensor that says what a test sends.
struct PushedSensor: Sensor {
  let source = SensorSource(name: "pushed")
  let stream: AsyncStream<SensorEvent>

  func events(on clock: any StationClock) -> AsyncStream<SensorEvent> { stream }
}

extension ScriptedSensor {
  /// A strap that delivers this heart rate at these seconds.
  static func beats(_ rate: Double, _ seconds: Int...) -> ScriptedSensor {
    ScriptedSensor([.connection] + seconds.map { .reading(at: .seconds($0), heartRate: rate) })
  }
}

extension ScriptedSensor.Cue {
  fileprivate static let connection = ScriptedSensor.Cue(at: .zero, .connected(nil))
}

extension RecorderConfiguration {
  static let heart = RecorderConfiguration(
    identifier: "heart", quantityType: .heartRate, unit: .countPerMinute)
}

extension Step {
  static func recordedMusic(seconds: Int) -> Step {
    .music(seconds: seconds) { active in
      active.continuesAlone()
      active.recorderConfigurations = [.heart]
    }
  }
}
