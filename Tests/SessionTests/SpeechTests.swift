import Quantities
import Synchronization
import Testing

@testable import Bundles
@testable import Session
@testable import Sound
@testable import Study

@Suite("What a step says")
struct SpeechTests {
  private static func speech(_ utterance: Utterance, segment: Int = 0) -> SoundID {
    SoundID(step: 0, .speech(utterance, segment: segment))
  }

  /// A rest that goes on by itself, and is followed by nothing.
  private static func rest(seconds: Int, _ change: (inout ActiveStep) -> Void) -> Course {
    Course([
      .rest(seconds: seconds) {
        $0.continuesAlone()
        change(&$0)
      }
    ])
  }

  // MARK: The machine

  @Test("Each number of the countdown is asked for a second ahead, for the moment at which its second begins")
  func countDown() {
    var course = Self.rest(seconds: 6) { $0.shouldSpeakCountDown = true }
    let start = course.now
    _ = course.begin()
    var asked: [Int: [TrialAction]] = [:]
    for left in (1...6).reversed() {
      asked[left] = course.take(.tick(timer: 1, remaining: .seconds(left))).filter(\.speaks)
    }
    func number(_ utterance: Utterance, at second: Int) -> [TrialAction] {
      [.speak(Self.speech(utterance), at: start.advanced(by: .seconds(second)))]
    }
    #expect(asked[6] == [] && asked[5] == [] && asked[1] == [])
    #expect(asked[4] == number(.three, at: 3) && asked[3] == number(.two, at: 4) && asked[2] == number(.one, at: 5))
  }

  @Test("A step of three seconds begins with its first number, and one of 2.5 with the number of its next whole second")
  func shortCountDown() {
    var three = Self.rest(seconds: 3) { $0.shouldSpeakCountDown = true }
    let start = three.now
    _ = three.begin()
    #expect(
      three.take(.tick(timer: 1, remaining: .seconds(3))).filter(\.speaks) == [
        .speak(Self.speech(.three), at: start), .speak(Self.speech(.two), at: start.advanced(by: .seconds(1))),
      ])
    var short = Self.rest(seconds: 3) { active in
      active.stepDuration = .milliseconds(2500)
      active.shouldSpeakCountDown = true
    }
    _ = short.begin()
    #expect(
      short.take(.tick(timer: 1, remaining: .milliseconds(2500))).filter(\.speaks)
        == [.speak(Self.speech(.two), at: short.now.advanced(by: .milliseconds(500)))])
  }

  @Test("A pause takes back the number that was to come, and it is said at its second after the pause")
  func pausedCountDown() {
    var course = Self.rest(seconds: 6) { $0.shouldSpeakCountDown = true }
    _ = course.begin()
    course.wait(.seconds(2))
    _ = course.take(.tick(timer: 1, remaining: .seconds(4)))
    course.wait(.milliseconds(500))
    #expect(course.take(.togglePause).contains(.stopSound(Self.speech(.three))))
    _ = course.take(.soundEnded(Self.speech(.three), frames: 0, played: .zero))
    course.wait(.seconds(60))
    _ = course.take(.togglePause)
    #expect(
      course.take(.tick(timer: 3, remaining: .milliseconds(3500))).filter(\.speaks)
        == [.speak(Self.speech(.three, segment: 1), at: course.now.advanced(by: .milliseconds(500)))])
  }

  @Test("The remaining time is said at the first whole second after half, unless the countdown is about to begin")
  func halfway() {
    for (seconds, isCounted, said) in [(10, false, 4), (3, false, 1), (20, true, 9), (10, true, nil), (1, false, nil)]
      as [(Int, Bool, Int?)]
    {
      var course = Self.rest(seconds: seconds) {
        $0.shouldSpeakRemainingTimeAtHalfway = true
        $0.shouldSpeakCountDown = isCounted
      }
      _ = course.begin()
      let when = (1...seconds).reversed().filter { left in
        course.take(.tick(timer: 1, remaining: .seconds(left)))
          .contains(.speak(Self.speech(.remaining), at: nil))
      }
      #expect(when == (said.map { [$0] } ?? []))
    }
  }

  @Test("A step that goes on by itself is left when its last words are said, have failed, or at Return")
  func lastWords() {
    for input in [
      TrialInput.soundEnded(Self.speech(.finished), frames: 1, played: .seconds(1)),
      .soundFailed(Self.speech(.finished), reason: "gone"), nil,
    ] {
      var course = Self.rest(seconds: 2) { $0.finishedSpokenInstruction = "Open your eyes." }
      _ = course.begin()
      #expect(!course.take(.timeUp(timer: 1)).contains(.leave(step: 0, .finished)))
      #expect(course.phase == .done(step: 0))
      // Nobody is asked for Return, so the end of the input does no harm.
      #expect(course.take(.inputEnded) == [])
      let actions = input.map { course.take($0) } ?? course.next()
      #expect(actions.contains(.leave(step: 0, .finished)))
      #expect(actions.contains(.stopSound(Self.speech(.finished))) == (input == nil))
    }
  }

  @Test("Words of which nothing is reported are given up, and the step is left")
  func givenUp() throws {
    var course = Self.rest(seconds: 2) { $0.finishedSpokenInstruction = "Open your eyes." }
    _ = course.begin()
    _ = course.take(.timeUp(timer: 1))
    let due = try #require(course.soundTimers[Self.speech(.finished)])
    course.now = due
    let actions = course.take(.soundOverdue(Self.speech(.finished)))
    #expect(actions.first == .giveUpSound(Self.speech(.finished), reason: TrialMachine.noReport))
    #expect(actions.contains(.leave(step: 0, .finished)) && course.soundTimers.isEmpty)
  }

  @Test("An instruction ends with its step, and with a trial that is stopped", arguments: [TrialInput.skip, .stop])
  func cut(input: TrialInput) {
    var step = Step.rest(seconds: 20) {
      $0.continuesAlone()
      $0.spokenInstruction = "Sit still."
    }
    step.isOptional = true
    var course = Course([step])
    _ = course.begin()
    #expect(course.take(input).contains(.stopSound(Self.speech(.instruction))))
  }

  @Test("The remaining time is shown at halfway, and so are the last three seconds")
  func shown() {
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
      spoken.filter { !$0.speaks } == ["4 seconds remaining", "3", "2", "1"].map { .signal(step: 0, .speech($0)) })
  }

  // MARK: A trial

  /// A rehearsal in which every text lasts half a second.
  private static func rehearsal(_ steps: [Step]) -> Rehearsal {
    var rehearsal = Rehearsal(steps, format: Rehearsal.toneFormat)
    if rehearsal.stimulus == nil { rehearsal.stimulus = Stimulus(format: Rehearsal.toneFormat, samples: [0]) }
    rehearsal.pace = { .milliseconds(50) }
    rehearsal.speaks()
    return rehearsal
  }

  @Test("Speech is written down with its text and its measured times, and the clip after it begins at its step's start")
  func trial() async throws {
    var rest = Step.rest("rest", seconds: 6)
    if var active = rest.active {
      (active.spokenInstruction, active.finishedSpokenInstruction) = ("Sit still.", "Well done.")
      active.shouldSpeakCountDown = true
      rest = rest.with(active)
    }
    let rehearsal = Self.rehearsal([rest, .music("music", seconds: 1)])
    #expect(try await rehearsal.run() == .completed)
    let spoken = rehearsal.journal.records.compactMap { record in
      if case .speechStarted(_, let utterance, _, let onset) = record.event { (utterance, onset.time) } else { nil }
    }
    #expect(spoken.map(\.0) == [.instruction, .three, .two, .one, .finished])
    #expect(spoken.map(\.1) == [.milliseconds(100), .seconds(3), .seconds(4), .seconds(5), .milliseconds(6100)])
    let texts = rehearsal.journal.records.compactMap { record in
      if case .speechScheduled(_, _, _, _, let facts) = record.event { facts.text } else { nil }
    }
    #expect(texts == ["Sit still.", "3", "2", "1", "Well done."])
    let left = try #require(rehearsal.time(of: "rest finished"))
    #expect(left >= .milliseconds(6600))
    #expect(rehearsal.time(of: "onset 0") == left + .milliseconds(100))
  }

  @Test("What was not spoken before the trial is a failure of that sentence, and the trial goes on")
  func unspoken() async throws {
    var rest = Step.rest("rest", seconds: 2)
    if var active = rest.active {
      active.finishedSpokenInstruction = "Well done."
      rest = rest.with(active)
    }
    let rehearsal = Rehearsal([rest])
    #expect(try await rehearsal.run() == .completed)
    #expect(rehearsal.story.contains("speech.failed") && rehearsal.story.contains("rest finished"))
  }
}

extension TrialAction {
  /// Whether something is to be said.
  var speaks: Bool {
    if case .speak = self { true } else { false }
  }
}

extension Rehearsal {
  /// Every text is spoken within half a second.
  mutating func speaks() {
    let format = stimulus?.format ?? Self.toneFormat
    let sound = Stimulus(format: format, samples: [Float](repeating: 0.1, count: format.sampleRate / 2))
    for text in steps.flatMap({ $0.active?.speech(Phrases()).map(\.text) ?? [] }) {
      let facts = SpeechFacts(
        text: text, language: "en", program: "espeak-ng", version: nil, duration: sound.duration, gain: 0, loudness: nil
      )
      speech[text] = PreparedSpeech(facts, sound)
    }
  }
}
