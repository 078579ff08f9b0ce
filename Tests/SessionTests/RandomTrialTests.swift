import Basics
import Bundles
import Quantities
import Sound
import Synchronization
import Testing

@testable import Session
@testable import Study

/// Whole trials, machine and sounds together, under random keys at random moments.
@Suite("Any trial")
struct RandomTrialTests {
  @Test("However a trial is pushed, its sounds and its steps are in order and it ends", arguments: 0..<20)
  func any(block: UInt64) async throws {
    for number in 0..<100 {
      let seed = block * 1000 + UInt64(number)
      let trial = RandomTrial(seed: seed)
      let end = try await trial.run()
      let problems = trial.problems(end)
      #expect(problems == [], "seed \(seed): \(trial.rehearsal.story)")
      if !problems.isEmpty { return }
    }
  }
}

/// A trial of random steps, with a random speaker.
private final class RandomTrial: Sendable {
  let rehearsal: Rehearsal
  let delay: Duration
  private let choices: Mutex<SplitMix64>
  private let hasFaults: Bool

  init(seed: UInt64) {
    var choices = SplitMix64(seed: seed)
    func below(_ count: UInt64) -> Int { Int(choices.next() % count) }
    let seconds = 1 + below(2)
    let steps = (0..<2 + below(4)).map { index in
      let name = "step\(index)"
      var tones: Set<Tone> = []
      if below(2) == 0 { tones.insert(.start) }
      if below(3) == 0 { tones.insert(.finish) }
      var step: Step =
        switch below(5) {
        case 0: .reading(name)
        case 1, 2: .rest(name, seconds: below(3), tones: tones)
        default: .music(name, seconds: seconds, tones: tones)
        }
      step.isOptional = below(3) > 0
      let (startsAlone, goesOnAlone) = (below(3) > 0, below(3) > 0)
      let (speaks, endsAloud, counts) = (below(3) == 0, below(3) == 0, below(3) == 0)
      let isRest = step.kind is RestStep
      func changed(_ active: ActiveStep) -> ActiveStep {
        var active = active
        active.shouldStartTimerAutomatically = startsAlone
        active.shouldContinueOnFinish = goesOnAlone
        if speaks, isRest { active.spokenInstruction = "\(name) begins" }
        if endsAloud { active.finishedSpokenInstruction = "\(name) is over" }
        active.shouldSpeakCountDown = counts && isRest
        active.recorderConfigurations = [
          RecorderConfiguration(identifier: name, quantityType: .heartRate, unit: .countPerMinute)
        ]
        return active
      }
      if let active = step.active { step = step.with(changed(active)) }
      return step
    }
    let delay = [Duration.zero, .milliseconds(30), .milliseconds(120)][below(3)]
    var rehearsal = Rehearsal(steps, format: Rehearsal.toneFormat)
    if rehearsal.stimulus == nil { rehearsal.stimulus = Stimulus(format: Rehearsal.toneFormat, samples: [0]) }
    rehearsal.isUnattended = below(4) == 0
    rehearsal.speaks()
    rehearsal.speaker = { LateSpeaker($0, $1, by: delay) }
    let playback = below(4)
    switch below(8) {
    case 0: rehearsal.faults = [.fails(playback: playback, after: .milliseconds(70), reason: "gone")]
    case 1: rehearsal.faults = [.refusesToPlay(playback: playback, reason: "busy")]
    default: break
    }
    hasFaults = !rehearsal.faults.isEmpty
    let paces = Mutex(SplitMix64(seed: ~seed))
    rehearsal.pace = { Duration.microseconds(Int(paces.withLock { $0.next() } % 400_000)) }
    self.rehearsal = rehearsal
    self.delay = delay
    self.choices = Mutex(choices)
  }

  func run() async throws -> TrialEnd {
    let turns = Atomic(0)
    return try await rehearsal.run { [self] _, trial in
      let turn = turns.add(1, ordering: .relaxed).newValue
      if turn > 150 { return trial.send(.stop) }
      switch choices.withLock({ $0.next() }) % 24 {
      case 0, 1, 2: trial.send(.pressed(.enter))
      case 3: trial.send(.skip)
      case 4, 5: trial.send(.togglePause)
      case 6 where turn > 60: trial.send(.stop)
      case 7:
        trial.send(.togglePause)
        trial.send(.togglePause)
      default: break
      }
    }
  }

  // MARK: What must be so

  /// A sound from its onset to its end.
  private struct Sound {
    let name: String
    let step: String
    let start: Duration
    var end: Duration?
    var frames = 0
  }

  /// What is known of a step.
  private struct Course {
    let name: String
    let shown: Duration
    var begun: Duration?
    var finished: Duration?
    var left: Duration?
    var reason: StepEnd?
  }

  /// What is not as it must be; none in a good trial.
  func problems(_ end: TrialEnd) -> [String] {
    var problems: [String] = []
    func demand(_ isTrue: Bool, _ words: @autoclosure () -> String) { if !isTrue { problems.append(words()) } }
    let (sounds, lastFailure) = sounds(&problems)
    let steps = courses(&problems)

    if let reason = end.failure { demand(hasFaults, "it failed without a fault: \(reason)") }
    for step in steps {
      let times = [step.shown, step.begun, step.finished, step.left].compactMap(\.self)
      demand(times == times.sorted(), "the times of \(step.name) are out of order")
      demand(step.left != nil, "\(step.name) was not left")
      demand((step.begun == nil) == (step.finished == nil), "\(step.name) began or finished alone")
    }
    for (sound, next) in zip(sounds, sounds.dropFirst()) {
      demand(sound.end.map { $0 <= next.start } ?? false, "\(sound.name) and \(next.name) sounded at once")
    }
    for sound in sounds {
      demand(sound.end != nil, "\(sound.name) was neither ended nor failed")
      guard let step = steps.first(where: { $0.name == sound.step }), let left = step.left, let end = sound.end
      else { continue }
      let isTone = sound.name.contains("tone")
      if step.reason == .finished, isTone { continue }
      demand(sound.start <= left, "\(sound.name) began after its step was left")
      // The loss of a sound is known when it is reported.
      let report = end == lastFailure ? delay * 2 : .zero
      demand(
        end <= left + SoundDirector.fade + report + .milliseconds(1), "\(sound.name) went on after its step was left")
    }
    for step in steps where step.reason == .finished {
      let stimuli = sounds.filter { $0.step == step.name && !$0.name.contains("tone") && !$0.name.contains("says") }
      guard isMusic(step.name), lastFailure == nil else { continue }
      let frames = stimuli.reduce(0) { $0 + $1.frames }
      demand(frames == rehearsal.stimulus?.frames, "\(frames) frames of \(step.name) were played")
      guard let last = stimuli.last?.end, let finished = step.finished else { continue }
      // Unless it was paused when the stimulus was over already.
      let isPaused = pauses.contains { $0.contains(last + delay) || $0.contains(last) }
      // What is reported of a short piece waits for the report of its onset.
      let reported = last + delay...last + delay * 2
      demand(isPaused || reported.contains(finished), "\(step.name) was finished at \(finished), its sound at \(last)")
    }
    return problems
  }

  private func isMusic(_ name: String) -> Bool {
    rehearsal.steps.first { $0.identifier == name }?.kind is MusicStep
  }

  private var pauses: [ClosedRange<Duration>] {
    var pauses: [ClosedRange<Duration>] = []
    var since: Duration?
    for record in rehearsal.journal.records {
      switch record.event {
      case .suspended: since = record.time
      case .resumed:
        if let since { pauses.append(since...record.time) }
        since = nil
      default: break
      }
    }
    return pauses
  }

  private func courses(_ problems: inout [String]) -> [Course] {
    var steps: [Course] = []
    for record in rehearsal.journal.records {
      guard let last = steps.indices.last else {
        if case .stepStarted(let name) = record.event { steps.append(Course(name: name, shown: record.time)) }
        continue
      }
      switch record.event {
      case .stepStarted(let name): steps.append(Course(name: name, shown: record.time))
      case .stepBegan(steps[last].name) where steps[last].begun == nil: steps[last].begun = record.time
      case .stepFinished(steps[last].name) where steps[last].finished == nil: steps[last].finished = record.time
      case .stepEnded(steps[last].name, let reason) where steps[last].left == nil:
        steps[last].left = record.time
        steps[last].reason = reason
      case .stepBegan, .stepFinished, .stepEnded: problems.append("\(record.event) is out of place")
      default: break
      }
    }
    return steps
  }

  /// The sounds in their order, and when one failed.
  private func sounds(_ problems: inout [String]) -> (sounds: [Sound], failure: Duration?) {
    var sounds: [Sound] = []
    var failure: Duration?
    func end(_ name: String, at time: Duration, frames: Int = 0) {
      guard let index = sounds.firstIndex(where: { $0.name == name }) else { return }
      if sounds[index].end != nil { problems.append("\(name) ended twice") }
      sounds[index].end = time
      sounds[index].frames = frames
    }
    func begin(_ name: String, _ step: String, at time: Duration) {
      if sounds.contains(where: { $0.name == name }) { problems.append("\(name) began twice") }
      sounds.append(Sound(name: name, step: step, start: time))
    }
    for record in rehearsal.journal.records {
      switch record.event {
      case .soundStarted(let step, let segment, let onset): begin("\(step) \(segment)", step, at: onset.time)
      case .soundEnded(let step, let segment, let offset, let frames):
        end("\(step) \(segment)", at: offset.time, frames: frames)
      case .soundFailed(let step, let segment, _):
        failure = record.time
        end("\(step) \(segment)", at: record.time)
      case .speechStarted(let step, let utterance, let segment, let onset):
        begin("\(step) says \(utterance.rawValue) \(segment)", step, at: onset.time)
      case .speechEnded(let step, let utterance, let segment, let offset):
        end("\(step) says \(utterance.rawValue) \(segment)", at: offset.time)
      case .speechFailed(let step, let utterance, let segment, _):
        failure = record.time
        end("\(step) says \(utterance.rawValue) \(segment)", at: record.time)
      case .toneStarted(let step, let tone, _, let onset):
        begin("\(step) \(tone.rawValue) tone", step, at: onset.time)
      case .toneEnded(let step, let tone, _, let offset): end("\(step) \(tone.rawValue) tone", at: offset.time)
      case .toneFailed(let step, let tone, _):
        failure = record.time
        end("\(step) \(tone.rawValue) tone", at: record.time)
      default: break
      }
    }
    return (sounds.sorted { $0.start < $1.start }, failure)
  }
}
