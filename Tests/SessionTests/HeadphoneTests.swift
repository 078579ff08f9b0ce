import Basics
import Bundles
import Quantities
import Synchronization
import Testing

@testable import Session
@testable import Study

@Suite("A headphone check")
struct HeadphoneTests {
  private static func step(
    rounds: Int = 2, maxErrors: Int = 0, attempts: Int = 2, limit: Duration? = nil, isOptional: Bool = false
  ) -> Step {
    var check = HeadphoneCheckStep()
    (check.rounds, check.maxErrors, check.attempts, check.limit) = (rounds, maxErrors, attempts, limit)
    return Step(identifier: "sides", isOptional: isOptional, kind: check)
  }

  private static func wrong(_ side: HeadphoneCheckStep.Side) -> OperatorKey { .arrow(side == .left ? .right : .left) }
  private static func right(_ side: HeadphoneCheckStep.Side) -> OperatorKey { .arrow(side == .left ? .left : .right) }

  private static func asked(_ actions: [TrialAction]) -> HeadphoneCheckStep.Side? {
    actions.lazy.compactMap { action in
      if case .playTone(let sound, _) = action, case .noise(_, let side) = sound.kind { side } else { nil }
    }.first
  }

  @Test("The sides are balanced, of a stream of their own, and others for each attempt, step and seed")
  func sides() {
    var check = HeadphoneCheckStep()
    check.rounds = 20
    let first = check.sides(of: "a", attempt: 1, seed: 7)
    #expect(first.count { $0 == .left } == 10 && first == check.sides(of: "a", attempt: 1, seed: 7))
    #expect(first != check.sides(of: "a", attempt: 2, seed: 7) && first != check.sides(of: "b", attempt: 1, seed: 7))
    #expect(first != check.sides(of: "a", attempt: 1, seed: 8))
    check.rounds = 5
    let lefts = (0..<200).map { check.sides(of: "a", attempt: 1, seed: $0).count { $0 == .left } }
    #expect(Set(lefts) == [2, 3])
  }

  @Test("Every right answer passes, and the step is left")
  func passed() throws {
    var course = Course([Self.step(), .ending("end")])
    var actions = course.begin()
    for round in 1...2 {
      let side = try #require(Self.asked(actions))
      actions = course.press(Self.right(side))
      let answer = HeadphoneRound(attempt: 1, round: round, side: side, answer: side, tone: round)
      #expect(actions.contains(.note(step: 0, NotedValue(answer), at: course.now)))
    }
    let attempt = HeadphoneAttempt(attempt: 1, errors: 0, rounds: 2, isPassed: true)
    #expect(attempt.objection == nil && actions.contains(.note(step: 0, NotedValue(attempt), at: course.now)))
    #expect(actions.contains(.leave(step: 0, .finished)) && course.phase == .shown(step: 1))
  }

  @Test("A failed attempt is repeated after Return, and after the last one the trial goes on")
  func failed() throws {
    var course = Course([Self.step(), .ending("end")])
    var actions = course.begin()
    for attempt in 1...2 {
      for _ in 1...2 {
        actions = course.press(Self.wrong(try #require(Self.asked(actions))))
      }
      let checked = HeadphoneAttempt(attempt: attempt, errors: 2, rounds: 2, isPassed: false)
      #expect(checked.objection != nil && actions.contains(.note(step: 0, NotedValue(checked), at: course.now)))
      guard attempt == 1 else { continue }
      #expect(course.screen?.notice == .headphonesFailed && course.screen?.mainButton == .again)
      #expect(course.press(.arrow(.left)) == [])
      actions = course.press(.enter)
    }
    #expect(course.phase == .shown(step: 1))
  }

  @Test("As many errors as are allowed pass")
  func allowed() throws {
    var course = Course([Self.step(maxErrors: 1), .ending("end")])
    let actions = course.press(Self.wrong(try #require(Self.asked(course.begin()))))
    _ = course.press(Self.right(try #require(Self.asked(actions))))
    #expect(course.phase == .shown(step: 1))
  }

  @Test("With a limit, a check that nobody answers comes to its end, also when nothing can be pressed any more")
  func limit() {
    var course = Course([Self.step(limit: .seconds(4)), .rest(seconds: 1) { $0.continuesAlone() }])
    var actions = course.begin()
    _ = course.take(.inputEnded)
    var errors: [Int] = []
    for _ in 0..<20 {
      guard case .shown(0) = course.phase else { break }
      let timer = course.runningTimers.max() ?? 0
      course.wait(.seconds(4))
      actions = course.take(.timeUp(timer: timer))
      for case .note(_, let note, _) in actions {
        if let attempt = note.value(as: HeadphoneAttempt.self), !attempt.isPassed { errors.append(attempt.errors) }
      }
    }
    #expect(errors == [2, 2] && course.phase == .running(step: 1))
  }

  @Test("However it is pushed, the step is left, and no timer is left behind", arguments: 0..<200)
  func any(seed: UInt64) {
    var choices = SplitMix64(seed: seed)
    let limit: Duration? = seed % 2 == 0 ? .seconds(2) : nil
    var course = Course([Self.step(limit: limit, isOptional: seed % 3 == 0), .rest(seconds: 1), Self.step()])
    _ = course.begin()
    for _ in 0..<80 {
      let timer = course.runningTimers.max() ?? 0
      let inputs: [(inout Course) -> [TrialAction]] = [
        { $0.press(.arrow(.left)) }, { $0.press(.letter("R")) }, { $0.press(.enter) }, { $0.take(.togglePause) },
        { $0.take(.skip) }, { $0.take(.timeUp(timer: timer)) },
        { $0.take(.tick(timer: timer, remaining: .seconds(1))) }, { $0.take(.command(.annotate("a", at: $0.now))) },
      ]
      course.wait(.milliseconds(300))
      _ = inputs[Int(choices.next() % UInt64(inputs.count))](&course)
    }
    _ = course.take(.stop)
    _ = course.take(.settled)
    #expect(course.phase == .closed && course.runningTimers.isEmpty)
  }

  @Test("Nobody is asked in a run without a participant")
  func unattended() {
    var course = Course([Self.step()], isUnattended: true)
    #expect(course.begin() == [.enter(step: 0), .leave(step: 0, .finished), .settle])
  }

  @Test("Each round is written down with its measured onset and its answer")
  func trial() async throws {
    var rehearsal = Rehearsal([Self.step(attempts: 1)], format: Rehearsal.toneFormat)
    rehearsal.isUnattended = false
    rehearsal.pace = { .milliseconds(50) }
    rehearsal.idlePace = .milliseconds(50)
    let answered = Mutex(0)
    let end = try await rehearsal.run { rehearsal, trial in
      let started = rehearsal.story.count { $0 == "sides noise tone" }
      guard started > answered.withLock({ $0 }) else { return }
      answered.withLock { $0 = started }
      trial.send(.pressed(.letter("l")))
    }
    #expect(end == .completed)
    let notes = rehearsal.journal.records.compactMap { record in
      if case .noted(_, let note) = record.event { note } else { nil }
    }
    #expect(notes.count { $0.value(as: HeadphoneAttempt.self) != nil } == 1)
    let rounds = notes.compactMap { $0.value(as: HeadphoneRound.self) }
    #expect(rounds.map(\.tone) == [1, 2])
    #expect(rounds.allSatisfy { $0.answer == .left } && Set(rounds.map(\.side)) == [.left, .right])
  }
}
