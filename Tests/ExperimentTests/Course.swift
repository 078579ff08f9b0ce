import Bundles
import Quantities
import Study

@testable import Experiment

/// A machine with a hand on its clock.
struct Course {
  var machine: TrialMachine
  var now = Moment(nanoseconds: 1_000_000_000)
  /// The stimulus that was asked for last.
  var sound: SoundID?
  /// When each sound that is under way is given up.
  var soundTimers: [SoundID: Moment] = [:]
  var runningTimers: Set<Int> = []
  var stoppedTimers: [Int] = []

  init(_ steps: [Step], isUnattended: Bool = false, resuming course: StepCourse? = nil) {
    machine = TrialMachine(steps: steps, isUnattended: isUnattended, resuming: course)
  }

  var phase: TrialMachine.Phase { machine.phase }

  mutating func wait(_ duration: Duration) { now = now.advanced(by: duration) }

  /// How long so many frames last.
  static func length(of frames: Int) -> Duration { .nanoseconds(frames * 1_000_000_000 / 44_100) }

  /// What is to be done, apart from the end of timers and the waits for sounds, which are kept.
  mutating func take(_ input: TrialInput) -> [TrialAction] {
    if case .timeUp(let timer) = input { runningTimers.remove(timer) }
    return machine.handle(input, at: now).filter { action in
      switch action {
      case .startSoundTimer(let sound, let end): soundTimers[sound] = end
      case .stopSoundTimer(let sound): soundTimers[sound] = nil
      case .stopTimer(let timer):
        stoppedTimers.append(timer)
        runningTimers.remove(timer)
      case .startTimer(let timer, _):
        runningTimers.insert(timer)
        return true
      case .play(let sound, _):
        self.sound = sound
        return true
      default: return true
      }
      return false
    }
  }

  /// The stimulus that was asked for last has started.
  mutating func started(at onset: Moment) -> [TrialAction] {
    sound.map { take(.soundStarted($0, at: onset)) } ?? []
  }

  /// It has ended.
  mutating func ended(frames: Int) -> [TrialAction] {
    sound.map { take(.soundEnded($0, frames: frames, played: Self.length(of: frames))) } ?? []
  }

  mutating func begin() -> [TrialAction] { take(.begin) }
  mutating func next() -> [TrialAction] { take(.next) }
}

extension ActiveStep {
  mutating func continuesAlone() {
    shouldStartTimerAutomatically = true
    shouldContinueOnFinish = true
  }
}

extension Step {
  static func reading(_ identifier: String) -> Step { Step(identifier: identifier, kind: InstructionStep()) }
  static func ending(_ identifier: String) -> Step { Step(identifier: identifier, kind: CompletionStep()) }

  static func rest(seconds: Int, _ change: (inout ActiveStep) -> Void = { _ in }) -> Step {
    var active = ActiveStep()
    active.stepDuration = .seconds(seconds)
    change(&active)
    return Step(identifier: "rest\(seconds)", kind: RestStep(active))
  }

  static func music(seconds: Int, _ change: (inout ActiveStep) -> Void = { _ in }) -> Step {
    var active = ActiveStep()
    active.stepDuration = .seconds(seconds)
    change(&active)
    return Step(identifier: "music", kind: MusicStep(active: active))
  }
}
