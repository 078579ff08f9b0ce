import Bundles
import Quantities
import Randomness
import Study
import Testing

@testable import Experiment

@Suite("The trial machine")
struct TrialMachineTests {
  @Test("The tutorial's task goes from instruction to completion, and its time counts from the onset")
  func tutorial() {
    var course = Course([.reading("instruction"), .music(seconds: 30) { $0.continuesAlone() }, .ending("summary")])
    #expect(course.begin() == [.show(step: 0, waits: true)])
    #expect(
      course.next() == [
        .leave(step: 0, .finished), .show(step: 1, waits: false), .startRecorders(step: 1, segment: 0),
        .play(step: 1, segment: 0, fromFrame: 0),
      ])
    let onset = course.now.advanced(by: .milliseconds(60))
    course.wait(.milliseconds(130))
    #expect(course.take(.soundStarted(at: onset)) == [.startTimer(1, until: onset.advanced(by: .seconds(30)))])
    #expect(course.take(.tick(timer: 1, remaining: .seconds(12))) == [.showRemaining(step: 1, .seconds(12))])
    #expect(course.take(.timeUp(timer: 1)) == [])
    #expect(
      course.take(.soundEnded(frames: 1_323_000)) == [
        .stopRecorders(step: 1, segment: 0), .leave(step: 1, .finished), .show(step: 2, waits: true),
      ])
    #expect(course.next() == [.leave(step: 2, .finished), .settle])
    #expect(course.take(.settled) == [.close(.completed)])
    #expect(course.phase == .closed)
  }

  @Test("A step starts and finishes in ResearchKit's order")
  func order() {
    var course = Course([
      .rest(seconds: 2) { active in
        active.continuesAlone()
        active.shouldVibrateOnStart = true
        active.shouldVibrateOnFinish = true
        active.shouldPlaySoundOnStart = true
        active.shouldPlaySoundOnFinish = true
        active.spokenInstruction = "Close your eyes."
        active.finishedSpokenInstruction = "Open your eyes."
      }
    ])
    #expect(
      course.begin() == [
        .show(step: 0, waits: false), .startTimer(1, until: course.now.advanced(by: .seconds(2))),
        .startRecorders(step: 0, segment: 0), .signal(step: 0, .vibrate), .signal(step: 0, .sound),
        .signal(step: 0, .speech("Close your eyes.")),
      ])
    #expect(
      course.take(.timeUp(timer: 1)) == [
        .stopRecorders(step: 0, segment: 0), .signal(step: 0, .sound), .signal(step: 0, .vibrate),
        .signal(step: 0, .speech("Open your eyes.")), .leave(step: 0, .finished), .settle,
      ])
  }

  @Test("With ResearchKit's defaults a step waits for Return before it starts and after it has finished")
  func defaults() {
    var course = Course([.rest(seconds: 5)])
    #expect(course.begin() == [.show(step: 0, waits: true)])
    #expect(course.next().last == .startRecorders(step: 0, segment: 0))
    #expect(course.next() == [])
    #expect(
      course.take(.timeUp(timer: 1)) == [
        .stopRecorders(step: 0, segment: 0), .awaitNext(step: 0),
      ])
    #expect(course.next() == [.leave(step: 0, .finished), .settle])
  }

  @Test("A step without a duration is finished from its start and lasts until Return")
  func noDuration() {
    var course = Course([.rest(seconds: 0) { $0.continuesAlone() }])
    #expect(
      course.begin() == [
        .show(step: 0, waits: false), .startRecorders(step: 0, segment: 0), .awaitNext(step: 0),
      ])
    #expect(course.take(.togglePause) == [])
    #expect(
      course.next() == [.stopRecorders(step: 0, segment: 0), .leave(step: 0, .finished), .settle])
  }

  @Test("A suspension pauses the timer, stops the recorders, and the rest of the sound follows from where it stopped")
  func suspension() {
    var course = Course([.music(seconds: 10) { $0.continuesAlone() }])
    _ = course.begin()
    let onset = course.now
    _ = course.take(.soundStarted(at: onset))
    course.wait(.seconds(4))
    #expect(
      course.take(.togglePause) == [.stopSound, .stopRecorders(step: 0, segment: 0), .pause(true)])
    #expect(course.take(.timeUp(timer: 1)) == [])
    #expect(course.take(.soundEnded(frames: 180_000)) == [])
    course.wait(.seconds(100))
    #expect(
      course.take(.togglePause) == [
        .pause(false), .startRecorders(step: 0, segment: 1), .play(step: 0, segment: 1, fromFrame: 180_000),
      ])
    let again = course.now
    #expect(course.take(.soundStarted(at: again)) == [.startTimer(3, until: again.advanced(by: .seconds(6)))])
    _ = course.take(.soundEnded(frames: 261_000))
    #expect(
      course.take(.timeUp(timer: 3)) == [
        .stopRecorders(step: 0, segment: 1), .leave(step: 0, .finished), .settle,
      ])
  }

  @Test("A trial that is resumed while the sound still fades goes on once it is known where the sound stopped")
  func quickResume() {
    var course = Course([.music(seconds: 10) { $0.continuesAlone() }])
    _ = course.begin()
    _ = course.take(.soundStarted(at: course.now))
    _ = course.take(.togglePause)
    #expect(course.take(.togglePause) == [])
    #expect(
      course.take(.soundEnded(frames: 500)) == [
        .pause(false), .startRecorders(step: 0, segment: 1), .play(step: 0, segment: 1, fromFrame: 500),
      ])
  }

  @Test("Suspending what is not running, and resuming what is not suspended, does nothing")
  func idleSuspension() {
    var course = Course([.reading("a"), .rest(seconds: 1)])
    _ = course.begin()
    #expect(course.take(.togglePause) == [])
    #expect(course.take(.togglePause) == [])
    _ = course.next()
    #expect(course.take(.togglePause) == [])
  }

  @Test("A stop fades the sound, stops the recorders, and closes when the sound and the late samples are in")
  func stop() {
    var course = Course([.music(seconds: 30) { $0.continuesAlone() }, .ending("end")])
    _ = course.begin()
    _ = course.take(.soundStarted(at: course.now))
    #expect(
      course.take(.stop) == [
        .stopSound, .stopRecorders(step: 0, segment: 0), .leave(step: 0, .stopped), .settle,
      ])
    #expect(course.take(.stop) == [])
    #expect(course.take(.settled) == [])
    #expect(course.take(.soundEnded(frames: 44_100)) == [.close(.stopped)])
  }

  @Test("A sound of which nothing is heard any more is given up, whether it was to start or to end")
  func silence() throws {
    var course = Course([.music(seconds: 30) { $0.continuesAlone() }])
    _ = course.begin()
    let first = try #require(course.soundTimer)
    #expect(first.end == course.now.advanced(by: .seconds(10)))
    let onset = course.now.advanced(by: .milliseconds(100))
    _ = course.take(.soundStarted(at: onset))
    #expect(course.take(.soundOverdue(timer: first.number)) == [])
    #expect(course.soundTimer?.end == onset.advanced(by: .seconds(40)))
    _ = course.take(.stop)
    _ = course.take(.settled)
    let last = try #require(course.soundTimer)
    let actions = course.take(.soundOverdue(timer: last.number))
    #expect(actions.count == 2)
    #expect(actions.last == .close(.stopped))
  }

  @Test("An onset that is told after its step was skipped does not touch the next step")
  func lateOnset() {
    var music = Step.music(seconds: 30) { $0.continuesAlone() }
    music.isOptional = true
    var course = Course([music, .rest(seconds: 0) { $0.continuesAlone() }, .ending("end")])
    _ = course.begin()
    _ = course.take(.skip)
    #expect(course.take(.soundStarted(at: course.now)) == [])
    #expect(course.take(.soundEnded(frames: 3)) == [])
    #expect(course.phase == .running(step: 1))
  }

  @Test("A lost sound fails the trial in order")
  func lostSound() {
    var course = Course([.music(seconds: 30) { $0.continuesAlone() }])
    _ = course.begin()
    _ = course.take(.soundStarted(at: course.now))
    #expect(
      course.take(.soundFailed(reason: "the server is gone")) == [
        .stopRecorders(step: 0, segment: 0), .leave(step: 0, .failed), .settle,
      ])
    #expect(course.take(.settled) == [.close(.failed(reason: "the server is gone"))])
  }

  @Test("A clip that ends before its step leaves the rest of the step to silence")
  func shortClip() {
    var course = Course([.music(seconds: 30) { $0.continuesAlone() }])
    _ = course.begin()
    _ = course.take(.soundStarted(at: course.now))
    #expect(course.take(.soundEnded(frames: 10)) == [])
    #expect(course.take(.timeUp(timer: 1)).contains(.leave(step: 0, .finished)))
  }

  @Test("Return skips the rest of a running step only where the step says so", arguments: [true, false])
  func skipButton(isSkipButton: Bool) {
    var course = Course([
      .rest(seconds: 30) { active in
        active.shouldStartTimerAutomatically = true
        active.shouldUseNextAsSkipButton = isSkipButton
      }
    ])
    _ = course.begin()
    #expect(course.next().contains(.leave(step: 0, .skipped)) == isSkipButton)
  }

  @Test("Only an optional step can be skipped", arguments: [true, false])
  func optional(isOptional: Bool) {
    var step = Step.reading("a")
    step.isOptional = isOptional
    var course = Course([step, .ending("b")])
    _ = course.begin()
    #expect(course.take(.skip).contains(.leave(step: 0, .skipped)) == isOptional)
  }

  @Test("An unattended trial waits for nobody")
  func unattended() {
    var course = Course([.reading("a"), .rest(seconds: 1), .rest(seconds: 0), .ending("b")], isUnattended: true)
    #expect(course.begin().contains(.startRecorders(step: 1, segment: 0)))
    let last = course.take(.timeUp(timer: 1))
    #expect(last.last == .settle)
    #expect(last.contains(.leave(step: 3, .finished)))
  }

  @Test("When standard input has ended, the first step that waits for Return fails the trial, with the remedy")
  func inputEnds() {
    var course = Course([.rest(seconds: 1) { $0.continuesAlone() }, .ending("b")])
    _ = course.begin()
    #expect(course.take(.inputEnded) == [])
    let actions = course.take(.timeUp(timer: 1))
    #expect(actions.suffix(2) == [.leave(step: 1, .failed), .settle])
    guard case .close(.failed(let reason)) = course.take(.settled).last else {
      Issue.record("the trial did not fail")
      return
    }
    #expect(reason.contains("--unattended"))
  }

  @Test("The remaining time is said at halfway, and the last three seconds are counted")
  func speech() {
    var course = Course([
      .rest(seconds: 10) { active in
        active.shouldStartTimerAutomatically = true
        active.shouldShowDefaultTimer = false
        active.shouldSpeakCountDown = true
        active.shouldSpeakRemainingTimeAtHalfway = true
      }
    ])
    _ = course.begin()
    let spoken = (1...9).reversed().flatMap { course.take(.tick(timer: 1, remaining: .seconds($0))) }
    #expect(
      spoken == ["4 seconds remaining", "3", "2", "1"].map { TrialAction.signal(step: 0, .speech($0)) })
  }

  @Test("However a trial is pushed, it closes exactly once and stops what it started", arguments: 0..<300)
  func anyCourse(seed: UInt64) {
    var choices = SplitMix64(seed: seed)
    var course = Course([
      .reading("a"), .rest(seconds: 2), .music(seconds: 5) { $0.continuesAlone() },
      .rest(seconds: 0) { $0.continuesAlone() }, .ending("b"),
    ])
    var actions = course.begin()
    var timer = 0
    for _ in 0..<200 {
      for case .startTimer(let started, _) in actions { timer = started }
      let inputs: [TrialInput] = [
        .next, .skip, .togglePause, .timeUp(timer: timer), .soundStarted(at: course.now), .soundEnded(frames: 7),
        .tick(timer: timer, remaining: .seconds(1)), .settled, .next, .timeUp(timer: timer),
      ]
      course.wait(.milliseconds(Int(choices.next() % 900)))
      actions += course.take(inputs[Int(choices.next() % UInt64(inputs.count))])
    }
    actions += course.take(.stop)
    actions += course.take(.soundEnded(frames: 0))
    actions += course.take(.settled)
    #expect(course.phase == .closed)
    #expect(actions.count { if case .close = $0 { true } else { false } } == 1)
    let started = actions.count { if case .startRecorders = $0 { true } else { false } }
    let stopped = actions.count { if case .stopRecorders = $0 { true } else { false } }
    #expect(started == stopped)
    let shown = actions.count { if case .show = $0 { true } else { false } }
    let left = actions.count { if case .leave = $0 { true } else { false } }
    #expect(shown == left)
  }
}

/// A machine with a hand on its clock.
private struct Course {
  var machine: TrialMachine
  var now = Moment(nanoseconds: 1_000_000_000)
  var soundTimer: (number: Int, end: Moment)?

  init(_ steps: [Step], isUnattended: Bool = false) {
    machine = TrialMachine(steps: steps, isUnattended: isUnattended)
  }

  var phase: TrialMachine.Phase { machine.phase }

  mutating func wait(_ duration: Duration) { now = now.advanced(by: duration) }
  /// What is to be done, apart from the waits for the sound, of which the last is kept.
  mutating func take(_ input: TrialInput) -> [TrialAction] {
    machine.handle(input, at: now).filter { action in
      guard case .startSoundTimer(let timer, let end) = action else { return true }
      soundTimer = (timer, end)
      return false
    }
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
  static func reading(_ identifier: String) -> Step { Step(identifier: identifier, kind: .instruction) }
  static func ending(_ identifier: String) -> Step { Step(identifier: identifier, kind: .completion) }

  static func rest(seconds: Int, _ change: (inout ActiveStep) -> Void = { _ in }) -> Step {
    var active = ActiveStep()
    active.stepDuration = .seconds(seconds)
    change(&active)
    return Step(identifier: "rest\(seconds)", kind: .rest(active))
  }

  static func music(seconds: Int, _ change: (inout ActiveStep) -> Void = { _ in }) -> Step {
    var active = ActiveStep()
    active.stepDuration = .seconds(seconds)
    change(&active)
    return Step(identifier: "music", kind: .music(MusicStep(active: active)))
  }
}
