import Basics
import Bundles
import Quantities
import Study
import Testing

@testable import Session

@Suite("The trial machine")
struct TrialMachineTests {
  @Test("The tutorial's task goes from instruction to completion, and its time counts from the onset")
  func tutorial() {
    var course = Course([.reading("instruction"), .music(seconds: 30) { $0.continuesAlone() }, .ending("summary")])
    #expect(course.begin() == [.enter(step: 0)])
    #expect(
      course.next() == [
        .leave(step: 0, .finished), .enter(step: 1), .begin(step: 1), .startRecorders(step: 1, segment: 0),
        .play(SoundID(step: 1, .stimulus(segment: 0)), fromFrame: 0),
      ])
    let onset = course.now.advanced(by: .milliseconds(60))
    course.wait(.milliseconds(130))
    #expect(course.started(at: onset) == [.startTimer(1, until: onset.advanced(by: .seconds(30)))])
    #expect(course.take(.tick(timer: 1, remaining: .seconds(12))) == [.showRemaining(step: 1, .seconds(12))])
    #expect(course.take(.timeUp(timer: 1)) == [])
    #expect(
      course.ended(frames: 1_323_000) == [
        .finish(step: 1), .stopRecorders(step: 1, segment: 0), .leave(step: 1, .finished), .enter(step: 2),
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
        .enter(step: 0), .begin(step: 0), .startTimer(1, until: course.now.advanced(by: .seconds(2))),
        .startRecorders(step: 0, segment: 0), .signal(step: 0, .vibrate),
        .playTone(SoundID(step: 0, .startTone), gain: nil),
        .signal(step: 0, .speech("Close your eyes.")),
        .speak(SoundID(step: 0, .speech(.instruction, segment: 0)), at: nil),
      ])
    let words = SoundID(step: 0, .speech(.instruction, segment: 0))
    #expect(course.take(.soundEnded(words, frames: 3, played: .seconds(1))) == [])
    let lastWords = SoundID(step: 0, .speech(.finished, segment: 0))
    #expect(
      course.take(.timeUp(timer: 1)) == [
        .finish(step: 0), .stopRecorders(step: 0, segment: 0), .playTone(SoundID(step: 0, .finishTone), gain: nil),
        .signal(step: 0, .vibrate),
        .signal(step: 0, .speech("Open your eyes.")), .speak(lastWords, at: nil),
      ])
    #expect(
      course.take(.soundEnded(lastWords, frames: 3, played: .seconds(1))) == [.leave(step: 0, .finished), .settle])
  }

  @Test("With ResearchKit's defaults a step waits for Return before it starts and after it has finished")
  func defaults() {
    var course = Course([.rest(seconds: 5)])
    #expect(course.begin() == [.enter(step: 0)])
    #expect(course.next().last == .startRecorders(step: 0, segment: 0))
    #expect(course.next() == [])
    #expect(
      course.take(.timeUp(timer: 1)) == [
        .finish(step: 0), .stopRecorders(step: 0, segment: 0),
      ])
    #expect(course.next() == [.leave(step: 0, .finished), .settle])
  }

  @Test("A step without a duration is finished from its start and lasts until Return")
  func noDuration() {
    var course = Course([.rest(seconds: 0) { $0.continuesAlone() }])
    #expect(
      course.begin() == [
        .enter(step: 0), .begin(step: 0), .startRecorders(step: 0, segment: 0),
      ])
    #expect(course.take(.togglePause) == [])
    #expect(
      course.next() == [
        .finish(step: 0), .stopRecorders(step: 0, segment: 0), .leave(step: 0, .finished), .settle,
      ])
  }

  @Test("A suspension pauses the timer, stops the recorders, and the rest of the sound follows from where it stopped")
  func suspension() throws {
    var course = Course([.music(seconds: 10) { $0.continuesAlone() }])
    _ = course.begin()
    let first = try #require(course.sound)
    _ = course.started(at: course.now)
    course.wait(.seconds(4))
    #expect(
      course.take(.togglePause) == [.stopSound(first), .stopRecorders(step: 0, segment: 0), .pause(true)])
    #expect(course.stoppedTimers == [1])
    #expect(course.take(.timeUp(timer: 1)) == [])
    #expect(course.ended(frames: 180_000) == [])
    course.wait(.seconds(100))
    let second = SoundID(step: 0, .stimulus(segment: 1))
    #expect(
      course.take(.togglePause) == [
        .pause(false), .startRecorders(step: 0, segment: 1), .play(second, fromFrame: 180_000),
      ])
    // 180,000 frames are 4.08 s: the sound had gone on while it was stopped.
    let left = Duration.seconds(10) - Course.length(of: 180_000)
    #expect(course.started(at: course.now) == [.startTimer(3, until: course.now.advanced(by: left))])
    _ = course.ended(frames: 261_000)
    #expect(
      course.take(.timeUp(timer: 3)) == [
        .finish(step: 0), .stopRecorders(step: 0, segment: 1), .leave(step: 0, .finished), .settle,
      ])
  }

  @Test("A pause between the onset and its measurement leaves the step exactly what is left of the stimulus")
  func pauseBeforeMeasurement() throws {
    var course = Course([.music(seconds: 10) { $0.continuesAlone() }])
    _ = course.begin()
    let onset = course.now.advanced(by: .milliseconds(60))
    course.wait(.milliseconds(100))
    _ = course.take(.togglePause)
    #expect(course.started(at: onset) == [])
    #expect(course.ended(frames: 4410) == [])
    _ = course.take(.togglePause)
    let actions = course.started(at: course.now)
    #expect(actions == [.startTimer(1, until: course.now.advanced(by: .milliseconds(9900)))])
  }

  @Test("A stimulus that had sounded to its end when the pause took effect is not played again")
  func pauseAtTheEnd() throws {
    var course = Course([.music(seconds: 10) { $0.continuesAlone() }])
    _ = course.begin()
    _ = course.started(at: course.now)
    course.wait(.milliseconds(9990))
    _ = course.take(.togglePause)
    #expect(course.ended(frames: 441_000) == [])
    #expect(
      course.take(.togglePause) == [
        .pause(false), .startRecorders(step: 0, segment: 1), .finish(step: 0), .stopRecorders(step: 0, segment: 1),
        .leave(step: 0, .finished), .settle,
      ])
  }

  @Test("Where nothing of a short clip is left after a pause, the rest of the step is silence")
  func nothingLeft() throws {
    var course = Course([.music(seconds: 10) { $0.continuesAlone() }])
    _ = course.begin()
    _ = course.started(at: course.now)
    course.wait(.milliseconds(2990))
    _ = course.take(.togglePause)
    _ = course.ended(frames: 132_300)
    _ = course.take(.togglePause)
    // The speaker has nothing to play, and says so.
    #expect(course.ended(frames: 0) == [.startTimer(3, until: course.now.advanced(by: .seconds(7)))])
    #expect(course.take(.timeUp(timer: 3)).contains(.leave(step: 0, .finished)))
  }

  @Test("A trial that is resumed while the sound still fades goes on once it is known where the sound stopped")
  func quickResume() {
    var course = Course([.music(seconds: 10) { $0.continuesAlone() }])
    _ = course.begin()
    _ = course.started(at: course.now)
    _ = course.take(.togglePause)
    #expect(course.take(.togglePause) == [])
    #expect(
      course.ended(frames: 500) == [
        .pause(false), .startRecorders(step: 0, segment: 1),
        .play(SoundID(step: 0, .stimulus(segment: 1)), fromFrame: 500),
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
    _ = course.started(at: course.now)
    #expect(
      course.take(.stop) == [
        .finish(step: 0), .stopSound(SoundID(step: 0, .stimulus(segment: 0))), .stopRecorders(step: 0, segment: 0),
        .leave(step: 0, .stopped), .settle,
      ])
    #expect(course.stoppedTimers == [1])
    #expect(course.take(.stop) == [])
    #expect(course.take(.settled) == [])
    #expect(course.ended(frames: 44_100) == [.close(.stopped)])
  }

  @Test("A sound of which nothing is reported any more is given up, whether it was to start or to end")
  func silence() throws {
    var course = Course([.music(seconds: 30) { $0.continuesAlone() }])
    _ = course.begin()
    let sound = try #require(course.sound)
    #expect(course.soundTimers[sound] == course.now.advanced(by: .seconds(10)))
    let onset = course.now.advanced(by: .milliseconds(100))
    _ = course.started(at: onset)
    #expect(course.soundTimers[sound] == onset.advanced(by: .seconds(40)))
    // The first moment may have passed when it was put off.
    course.wait(.seconds(10))
    #expect(course.take(.soundOverdue(sound)) == [])
    _ = course.take(.stop)
    _ = course.take(.settled)
    #expect(course.soundTimers[sound] == course.now.advanced(by: .seconds(10)))
    course.wait(.seconds(10))
    let actions = course.take(.soundOverdue(sound))
    #expect(actions.count == 2)
    #expect(actions.last == .close(.stopped))
    #expect(course.soundTimers == [:])
  }

  @Test("A sound is not given up by a timer that came late, because the station stood still, but waited for again")
  func standstill() throws {
    var course = Course([.music(seconds: 30) { $0.continuesAlone() }])
    _ = course.begin()
    let sound = try #require(course.sound)
    course.wait(.seconds(70))
    #expect(course.take(.soundOverdue(sound)) == [])
    #expect(course.soundTimers[sound] == course.now.advanced(by: .seconds(10)))
    course.wait(.seconds(10))
    #expect(course.take(.soundOverdue(sound)).contains { if case .giveUpSound(sound, _) = $0 { true } else { false } })
  }

  @Test("What is reported of the sound of a skipped step does not touch the next one, with music too")
  func lateReports() throws {
    let music = { (name: String) in
      var step = Step.music(seconds: 30) { $0.continuesAlone() }
      (step.identifier, step.isOptional) = (name, true)
      return step
    }
    var course = Course([music("a"), music("b"), .ending("end")])
    _ = course.begin()
    let first = try #require(course.sound)
    _ = course.take(.skip)
    let second = try #require(course.sound)
    #expect(first.step == 0 && second.step == 1)
    #expect(course.take(.soundStarted(first, at: course.now)) == [])
    #expect(course.take(.soundEnded(first, frames: 3, played: .seconds(1))) == [])
    #expect(course.phase == .running(step: 1))
    #expect(course.take(.soundStarted(second, at: course.now)).count == 1)
    #expect(course.take(.soundEnded(second, frames: 3, played: .seconds(1))) == [])
    // Until the timer is up.
    #expect(course.phase == .running(step: 1))
  }

  @Test("A step that is skipped takes its tone with it, and one that is finished does not", arguments: [true, false])
  func tones(isSkipped: Bool) {
    var rest = Step.rest(seconds: 30) { active in
      active.continuesAlone()
      active.shouldPlaySoundOnStart = true
    }
    rest.isOptional = true
    var course = Course([rest, .ending("end")])
    _ = course.begin()
    let actions = course.take(isSkipped ? .skip : .timeUp(timer: 1))
    #expect(actions.contains(.stopSound(SoundID(step: 0, .startTone))) == isSkipped)
    #expect(actions.contains(.leave(step: 0, isSkipped ? .skipped : .finished)))
    #expect(course.take(.stop).contains(.stopSound(SoundID(step: 0, .startTone))))
    #expect(course.take(.settled) == [.close(.stopped)])
  }

  @Test("A tone that is over is not stopped, and one that fails does not end the trial", arguments: [true, false])
  func toneOver(fails: Bool) {
    var course = Course([.rest(seconds: 30) { $0.shouldPlaySoundOnStart = true }])
    _ = course.begin()
    _ = course.next()
    let tone = SoundID(step: 0, .startTone)
    #expect(
      course.take(fails ? .soundFailed(tone, reason: "x") : .soundEnded(tone, frames: 9, played: .seconds(1))) == [])
    #expect(course.phase == .running(step: 0))
    #expect(!course.take(.stop).contains(.stopSound(tone)))
  }

  @Test("A lost sound fails the trial in order")
  func lostSound() throws {
    var course = Course([.music(seconds: 30) { $0.continuesAlone() }])
    _ = course.begin()
    _ = course.started(at: course.now)
    #expect(
      course.take(.soundFailed(try #require(course.sound), reason: "the server is gone")) == [
        .finish(step: 0), .stopRecorders(step: 0, segment: 0), .leave(step: 0, .failed), .settle,
      ])
    #expect(course.take(.settled) == [.close(.soundLost(reason: "the server is gone"))])
  }

  @Test("A clip that ends before its step leaves the rest of the step to silence")
  func shortClip() {
    var course = Course([.music(seconds: 30) { $0.continuesAlone() }])
    _ = course.begin()
    _ = course.started(at: course.now)
    #expect(course.ended(frames: 10) == [])
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

  @Test("However a trial is pushed, it closes exactly once and stops what it started", arguments: 0..<300)
  func anyCourse(seed: UInt64) {
    var choices = SplitMix64(seed: seed)
    var course = Course([
      .reading("a"),
      .rest(seconds: 2) {
        ($0.spokenInstruction, $0.finishedSpokenInstruction) = ("Sit down.", "Stand up.")
        ($0.shouldSpeakCountDown, $0.shouldContinueOnFinish) = (true, seed % 2 == 0)
      },
      .music(seconds: 5) {
        $0.continuesAlone()
        $0.finishedSpokenInstruction = "That was all."
      }, .rest(seconds: 0) { $0.continuesAlone() }, .ending("b"),
    ])
    var actions = course.begin()
    var timer = 0
    for _ in 0..<200 {
      for case .startTimer(let started, _) in actions { timer = started }
      let sound = course.sound ?? SoundID(step: 0, .stimulus(segment: 0))
      let inputs: [TrialInput?] = [
        nil, .skip, .togglePause, .timeUp(timer: timer), .soundStarted(sound, at: course.now),
        .soundEnded(sound, frames: 7, played: .milliseconds(700)),
        .tick(timer: timer, remaining: .seconds(1)),
        .soundEnded(course.soundTimers.keys.first { $0.isSpeech } ?? sound, frames: 7, played: .seconds(1)),
        .settled, nil, .timeUp(timer: timer),
      ]
      course.wait(.milliseconds(Int(choices.next() % 900)))
      actions += inputs[Int(choices.next() % UInt64(inputs.count))].map { course.take($0) } ?? course.next()
    }
    actions += course.take(.stop)
    for sound in course.soundTimers.keys { actions += course.take(.soundEnded(sound, frames: 0, played: .zero)) }
    actions += course.take(.settled)
    #expect(course.phase == .closed)
    #expect(actions.count { if case .close = $0 { true } else { false } } == 1)
    let started = actions.count { if case .startRecorders = $0 { true } else { false } }
    let stopped = actions.count { if case .stopRecorders = $0 { true } else { false } }
    #expect(started == stopped)
    let shown = actions.count { if case .enter = $0 { true } else { false } }
    let left = actions.count { if case .leave = $0 { true } else { false } }
    #expect(shown == left)
    let begun = actions.count { if case .begin = $0 { true } else { false } }
    let finished = actions.count { if case .finish = $0 { true } else { false } }
    #expect(begun == finished)
    #expect(course.runningTimers.isEmpty && course.soundTimers.isEmpty)
  }
}
