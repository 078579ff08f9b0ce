import Basics
import Sensors
import Sound
import Study
import Synchronization
import TestSupport

@testable import Bundles
@testable import Quantities
@testable import Session

/// A trial with a silent speaker, scripted sensors and a clock that is turned as soon as everybody sleeps.
struct Rehearsal {
  let clock = HandClock()
  let journal = MemoryJournal()
  let presenter = RememberingPresenter()
  /// Who shows the steps instead.
  var presenters: Presenters?
  let steps: [Step]
  var faults: [SilentSpeaker.Fault] = []
  var sensor: any Sensor = ScriptedSensor([.init(at: .zero, .connected(nil))])
  var isUnattended = true
  /// The recorders that run from beginning to end.
  var recorders: [RecorderConfiguration] = []
  /// What performs what the steps ask of a session.
  var session = ScriptedSession()
  var stimulus: Stimulus?
  /// What other devices are told.
  var marking = TrialMarking()
  /// What the steps say, by its text.
  var speech: [String: PreparedSpeech] = [:]
  /// The speaker that the trial is given, made of the silent one.
  var speaker: @Sendable (SilentSpeaker, HandClock) -> any Speaker = { speaker, _ in speaker }
  /// How far the clock is turned while nobody sleeps on it, as in a trial that is paused; not at all where it is `nil`.
  var idlePace: Duration?
  /// How far the clock is turned at once, at most.
  var pace: @Sendable () -> Duration = { .seconds(1 << 20) }

  /// A second of sound, short enough to keep around: 100 frames a second.
  static let format = SoundFormat(sampleRate: 100, channels: 1)

  /// Sound in which a tone can be heard as well.
  static let toneFormat = SoundFormat(sampleRate: 2000, channels: 1)

  init(_ steps: [Step], format: SoundFormat = format) {
    self.steps = steps
    for music in steps.compactMap({ $0.kind as? MusicStep }) {
      let frames = format.frames(in: music.activeStep.stepDuration)
      stimulus = Stimulus(format: format, samples: [Float](repeating: 0.5, count: frames))
    }
  }

  /// Runs the trial to its end; `when` is asked again and again, while everybody sleeps, what else happens.
  func run(_ when: @escaping @Sendable (Rehearsal, Trial) -> Void = { _, _ in }) async throws -> TrialEnd {
    let speaker = SilentSpeaker(clock: clock, lead: .milliseconds(100), faults: faults)
    try await speaker.prepare(marking.outputs.format(of: stimulus?.format ?? Self.format))
    let hub = try SensorHub([sensor], clock: clock)
    var recorders: [String: String] = [:]
    for step in steps {
      for recorder in step.active?.recorderConfigurations ?? [] { recorders[recorder.identifier] = sensor.source.name }
    }
    for recorder in self.recorders { recorders[recorder.identifier] = sensor.source.name }
    let trial = Trial(
      TrialContext(
        steps: steps, stimulus: stimulus, marking: marking, speech: speech, sensors: recorders,
        recorders: self.recorders, isUnattended: isUnattended,
        log: TrialLog(journal: journal, zero: clock.now, clock: clock), hub: hub,
        speaker: self.speaker(speaker, clock), presenters: presenters ?? Presenters(presenter), session: session))
    let executor = QuietExecutor()
    let isOver = Gate()
    return try await withThrowingTaskGroup(of: TrialEnd?.self) { group in
      group.addTask(executorPreference: executor) {
        await hub.run()
        return nil
      }
      group.addTask(executorPreference: executor) {
        await hub.settle(within: .seconds(1))
        defer { isOver.open() }
        return await trial.run()
      }
      group.addTask { [self] in
        while !Task.isCancelled {
          await executor.idle()
          when(self, trial)
          await executor.idle()
          // The time at which the trial ended is the last one.
          guard !isOver.isOpen else { break }
          if let next = clock.nextDeadline ?? idlePace.map({ clock.now.advanced(by: $0) }) {
            clock.advance(to: min(next, clock.now.advanced(by: pace())))
          }
          await Task.yield()
        }
        return nil
      }
      defer { group.cancelAll() }
      while let end = try await group.next() {
        if let end { return end }
      }
      throw CancellationError()
    }
  }

  /// Answers the question on the screen, if there is one.
  func answer(_ value: AnswerValue, _ trial: Trial) {
    guard let screen = presenter.screen, screen.asked != nil else { return }
    let facts = AnswerInput(made: MeasuredMoment(moment: clock.now, uncertainty: .zero))
    trial.send(.answered(ScreenAnswer(screen: screen.number, .value(value), facts)))
  }

  /// What happened, in words that are easy to compare.
  var story: [String] { journal.records.map { Self.word($0.event) } }

  /// When the first event of that word happened.
  func time(of word: String) -> Duration? { journal.records.first { Self.word($0.event) == word }?.time }

  private static func word(_ event: JournalEvent) -> String {
    switch event {
    case .trialOpened: "opened"
    case .stepStarted(let step): "\(step) starts"
    case .stepBegan(let step): "\(step) begins"
    case .stepFinished(let step): "\(step) is done"
    case .stepEnded(let step, let reason): "\(step) \(reason.rawValue)"
    case .answered(let step, _, let value, _, _): "\(step): \(value?.description ?? "unanswered")"
    case .clipChosen: "chosen"
    case .soundScheduled(_, let segment, _, let frames): "schedule \(segment): \(frames)"
    case .soundStarted(_, let segment, _): "onset \(segment)"
    case .soundEnded(_, let segment, _, let frames): "offset \(segment): \(frames)"
    case .soundDisturbed(_, _, let disturbance): (try? JSONValue(encoding: disturbance))?["what"]?.string ?? ""
    case .soundFailed(_, _, let reason): "failed: \(reason)"
    case .toneStarted(let step, let tone, _, _): "\(step) \(tone.rawValue) tone"
    case .toneEnded(let step, let tone, _, _): "\(step) \(tone.rawValue) tone ends"
    case .toneDisturbed(let step, let tone, _): "\(step) \(tone.rawValue) tone disturbed"
    case .toneFailed(let step, let tone, _): "\(step) \(tone.rawValue) tone failed"
    case .recorderStarted(let recorder, _, let segment): "\(recorder) on \(segment)"
    case .recorderStopped(let recorder, _, let segment): "\(recorder) off \(segment)"
    case .reading(let reading): "♥ \(Int(reading.heartRate ?? 0))"
    case .sensorConnected: "connected"
    case .sensorLost(_, _, let isFinal): isFinal ? "ended" : "lost"
    case .linesSkipped(_, let count, _, _): "skipped \(count)"
    case .readingsDropped(_, let count): "dropped \(count)"
    case .sensorNoted(_, let text): "noted: \(text)"
    case .suspended: "suspended"
    case .resumed: "resumed"
    case .signalled(_, let what, _): what
    case .note(let text): "note: \(text)"
    case .trialClosed: "closed"
    default: event.kind
    }
  }
}

extension TrialContext {
  /// A trial of these steps in which nothing sounds and nothing is recorded.
  init(_ steps: [Step], on clock: HandClock) throws {
    self.init(
      steps: steps, log: TrialLog(journal: MemoryJournal(), zero: clock.now, clock: clock),
      hub: try SensorHub([], clock: clock), presenters: Presenters(RememberingPresenter()), session: ScriptedSession())
  }
}

/// A session that performs everything at once, unless it is told otherwise.
struct ScriptedSession: TrialSession {
  var response: @Sendable (SessionRequest) -> TrialInput? = { request in
    switch request {
    case .trials, .sensors: .performed(.completed)
    case .signature, .volume: nil
    }
  }

  func answer(_ request: SessionRequest) async -> TrialInput? { response(request) }
}

/// A presenter that remembers what it was told, and takes keys as a terminal does.
final class RememberingPresenter: Presenter {
  private let events = Mutex<[(String, PresentedEvent)]>([])
  private let input = Mutex(ScreenInput())

  var screen: Screen? { input.withLock { $0.screen } }

  func show(_ screen: Screen) { input.withLock { _ = $0.show(screen) } }

  func tell(_ event: PresentedEvent, of step: Step) { events.withLock { $0.append((step.identifier, event)) } }

  func take(_ key: OperatorKey, at moment: Moment) -> KeyEffect {
    input.withLock { input in
      guard key == key.pressed else { return .none }
      let effect = input.take(key, at: moment, painted: nil)
      guard effect == .none else { return effect }
      return key.command(whileAsking: input.screen?.asked != nil).map { .command($0) } ?? .none
    }
  }

  func shown(in step: String) -> [PresentedEvent] { events.withLock { $0 }.filter { $0.0 == step }.map(\.1) }
}
