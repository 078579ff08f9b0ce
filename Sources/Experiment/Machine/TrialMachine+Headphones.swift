import Bundles
import Quantities
import Study

// A headphone check: rounds of noise on one side, answered by a key; a failed attempt is repeated, the last one goes on.
extension TrialMachine {
  /// The attempt that is under way.
  struct Listening: Sendable {
    let check: HeadphoneCheckStep
    let attempt: Int
    let sides: [HeadphoneCheckStep.Side]
    /// The answers that were given, and how many are wrong.
    var answered = 0
    var errors = 0
    /// Whether all are given, and Return begins the next attempt.
    var hasFailed = false
  }

  mutating func enter(_ step: Int, _ check: HeadphoneCheckStep, at now: Moment) -> [TrialAction] {
    let show = TrialAction.show(step: step, waits: false)
    // Without a person nothing is checked.
    guard !isUnattended else { return [show] + leave(step, .finished, at: now) }
    return [show] + listen(step, check, attempt: 1, at: now)
  }

  private mutating func listen(
    _ step: Int, _ check: HeadphoneCheckStep, attempt: Int, at now: Moment
  ) -> [TrialAction] {
    let sides = check.sides(of: steps[step].identifier, attempt: attempt, seed: seed)
    listening = Listening(check: check, attempt: attempt, sides: sides)
    return playSide(step, at: now)
  }

  private mutating func playSide(_ step: Int, at now: Moment) -> [TrialAction] {
    guard let listening else { return [] }
    let side = listening.sides[listening.answered]
    let sound = SoundID(step: step, .side(side, attempt: listening.attempt, round: listening.answered + 1))
    tones.append(sound)
    return [.playSide(sound), .showListening(step: step, side)] + startLimit(at: now)
  }

  private mutating func startLimit(at now: Moment) -> [TrialAction] {
    guard let limit = listening?.check.limit else { return [] }
    run.timeLeft = limit
    return startTimer(from: now)
  }

  /// Takes a key as an answer; `nil` for one that is none.
  mutating func answerSide(_ step: Int, _ key: OperatorKey, at now: Moment) -> [TrialAction]? {
    guard let listening, !listening.hasFailed, let side = key.side else { return nil }
    return answerSide(step, side, at: now)
  }

  /// Takes the answer of a round; `nil` for none within the limit.
  private mutating func answerSide(
    _ step: Int, _ answer: HeadphoneCheckStep.Side?, at now: Moment
  ) -> [TrialAction] {
    guard var listening else { return [] }
    let side = listening.sides[listening.answered]
    listening.answered += 1
    if answer != side { listening.errors += 1 }
    self.listening = listening
    let record = HeadphoneAnswer(attempt: listening.attempt, round: listening.answered, side: side, answer: answer)
    let actions = stopTimer() + stopTones(of: step) + [.recordRound(step: step, record)]
    return actions + (listening.answered < listening.sides.count ? playSide(step, at: now) : endAttempt(step, at: now))
  }

  private mutating func endAttempt(_ step: Int, at now: Moment) -> [TrialAction] {
    guard let listening else { return [] }
    let isPassed = listening.errors <= listening.check.maxErrors
    let record = TrialAction.recordHeadphones(
      step: step, attempt: listening.attempt, errors: listening.errors, isPassed: isPassed)
    guard !isPassed, listening.attempt < listening.check.attempts else {
      return [record] + leave(step, .finished, at: now)
    }
    self.listening?.hasFailed = true
    return [record, .showListening(step: step, nil)] + startLimit(at: now)
  }

  /// Return begins the next attempt; nothing else can be gone on from.
  mutating func listenAgain(_ step: Int, at now: Moment) -> [TrialAction] {
    guard let listening, listening.hasFailed else { return [] }
    return stopTimer() + listen(step, listening.check, attempt: listening.attempt + 1, at: now)
  }

  /// The limit has passed: of a round, or of the pause before the next attempt.
  mutating func listeningTimedOut(_ step: Int, at now: Moment) -> [TrialAction] {
    guard let listening else { return [] }
    run.timerEnd = nil
    return listening.hasFailed ? listenAgain(step, at: now) : answerSide(step, nil, at: now)
  }

  /// Ends the noise of a step that is left.
  mutating func stopListening(_ step: Int) -> [TrialAction] {
    guard listening != nil else { return [] }
    listening = nil
    return stopTimer() + stopTones(of: step)
  }
}

extension OperatorKey {
  /// The side that the key means; `nil` for one that means none.
  fileprivate var side: HeadphoneCheckStep.Side? {
    switch self {
    case .arrow(.left), .letter("l"), .letter("L"): .left
    case .arrow(.right), .letter("r"), .letter("R"): .right
    default: nil
    }
  }
}
