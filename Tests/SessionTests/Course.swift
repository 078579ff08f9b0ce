import Bundles
import Quantities

@testable import Session
@testable import Study

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

  /// What is on the screen, and what was entered there.
  var input = ScreenInput()
  var screen: Screen? { input.screen }

  /// Where a trial is.
  enum Phase: Hashable {
    case ready, shown(step: Int), running(step: Int), suspended(step: Int), done(step: Int), settling, closed
  }

  var phase: Phase {
    switch machine.phase {
    case .ready: return .ready
    case .settling: return .settling
    case .closed: return .closed
    case .step(let behaviour):
      let step = machine.step ?? 0
      if behaviour.isPaused { return .suspended(step: step) }
      switch (behaviour as? ActiveBehaviour)?.phase {
      case .running: return .running(step: step)
      case .done: return .done(step: step)
      case .waiting, .paused, nil: return .shown(step: step)
      }
    }
  }

  mutating func wait(_ duration: Duration) { now = now.advanced(by: duration) }

  /// How long so many frames last.
  static func length(of frames: Int) -> Duration { .nanoseconds(frames * 1_000_000_000 / 44_100) }

  /// What is to be done, apart from what is shown, the end of timers and the waits for sounds, which are kept.
  mutating func take(_ input: TrialInput) -> [TrialAction] {
    if case .timeUp(let timer) = input { runningTimers.remove(timer) }
    return machine.handle(input, at: now).filter { action in
      switch action {
      case .show(let screen): _ = self.input.show(screen)
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

  /// Something done now, at a time that is known exactly.
  var madeNow: MeasuredMoment { MeasuredMoment(moment: now, uncertainty: .zero) }

  mutating func begin() -> [TrialAction] { take(.begin) }

  /// Does something on the screen that is shown.
  mutating func answer(_ deed: ScreenAnswer.Deed, screen number: Int? = nil) -> [TrialAction] {
    let facts = AnswerInput(made: madeNow)
    return take(.answered(ScreenAnswer(screen: number ?? screen?.number ?? 0, deed, facts)))
  }

  /// Presses a key as at a terminal.
  mutating func press(_ key: OperatorKey) -> [TrialAction] {
    if machine.recordedKeys.contains(key.name) { return take(.key(key.name, made: madeNow)) }
    switch input.take(key, at: now, painted: nil) {
    case .answer(let answer): return answer.deed == .goOn ? self.answer(.goOn) : self.answer(answer.deed)
    case .command(let command): return take(.command(command))
    case .shown: return []
    case .none: return key.command(whileAsking: screen?.asked != nil).map { take(.command($0)) } ?? []
    }
  }

  mutating func next() -> [TrialAction] { answer(.goOn) }
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

extension TrialInput {
  static let togglePause = TrialInput.command(.togglePause)
  static let skip = TrialInput.command(.skipStep)
  static let skipTrial = TrialInput.command(.skipTrial)
  static let stop = TrialInput.command(.end)
  static func setPause(_ isPaused: Bool) -> TrialInput { .command(isPaused ? .pause : .resume) }
}

extension TrialAction {
  static func enter(step: Int) -> TrialAction { .enter(step: step, hasScreen: true) }
}

extension TrialAnswer {
  init(step: Int, question: String, value: AnswerValue?, shown: Moment, answered: Moment) {
    self.init(
      step: step, question: question, value: value, asked: shown, left: answered,
      input: value.map { _ in AnswerInput(made: MeasuredMoment(moment: answered, uncertainty: .zero)) })
  }
}
