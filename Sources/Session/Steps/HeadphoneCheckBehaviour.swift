import Bundles
import Quantities
import Study

extension HeadphoneCheckStep: StepWithBehaviour {
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour {
    HeadphoneCheckBehaviour(check: self, attempt: 1, tones: 0, trial)
  }
}

/// Rounds of noise on one side, which the participant answers; a failed attempt is repeated, and the last one goes on.
struct HeadphoneCheckBehaviour: StepBehaviour {
  private let check: HeadphoneCheckStep
  private let attempt: Int
  private let sides: [HeadphoneCheckStep.Side]
  /// The answers that were given, and how many are wrong.
  private var answered = 0
  private var errors = 0
  /// When the round began.
  private var began = Moment(nanoseconds: 0)
  /// The number of noises that were asked for in all attempts.
  private var tones: Int

  init(check: HeadphoneCheckStep, attempt: Int, tones: Int, _ trial: StepContext) {
    (self.check, self.attempt, self.tones) = (check, attempt, tones)
    sides = check.sides(of: trial.step.identifier, attempt: attempt, seed: trial.seed)
  }

  /// Whether all answers are given, and Return begins the next attempt.
  private var hasFailed: Bool { answered == sides.count }

  // A check with a limit goes on without an answer.
  var waitsForPerson: Bool { check.limit == nil }

  mutating func begin(_ trial: inout StepContext) {
    // Without a person nothing is checked.
    guard !trial.isUnattended else { return trial.leave(.finished) }
    play(&trial)
  }

  private mutating func play(_ trial: inout StepContext) {
    tones += 1
    began = trial.now
    trial.playTone(.noise(tones, of: sides[answered]))
    startLimit(&trial)
  }

  private func startLimit(_ trial: inout StepContext) {
    if let limit = check.limit { trial.startTimer(until: trial.now.advanced(by: limit)) }
  }

  mutating func take(_ deed: ScreenAnswer.Deed, _ input: AnswerInput, _ trial: inout StepContext) {
    switch deed {
    case .side(let side): if !hasFailed { answer(side, at: input.made.moment, &trial) }
    case .goOn: if hasFailed { listenAgain(&trial) }
    case .skip, .back, .value, .answers, .gain, .drawing: break
    }
  }

  /// The limit has passed: of a round, or of the pause before the next attempt.
  mutating func take(_ event: StepEvent, _ trial: inout StepContext) {
    guard event == .timeUp else { return }
    if hasFailed { listenAgain(&trial) } else { answer(nil, at: trial.now, &trial) }
  }

  /// Takes the answer of a round; `nil` for none within the limit.
  private mutating func answer(
    _ answer: HeadphoneCheckStep.Side?, at moment: Moment, _ trial: inout StepContext
  ) {
    let side = sides[answered]
    answered += 1
    if answer != side { errors += 1 }
    stop(&trial)
    trial.note(
      HeadphoneRound(attempt: attempt, round: answered, side: side, answer: answer, tone: tones), at: max(began, moment)
    )
    trial.beginScreen()
    if answered < sides.count { play(&trial) } else { endAttempt(&trial) }
  }

  private func endAttempt(_ trial: inout StepContext) {
    let isPassed = errors <= check.maxErrors
    trial.note(HeadphoneAttempt(attempt: attempt, errors: errors, rounds: sides.count, isPassed: isPassed))
    if isPassed || attempt == check.attempts { trial.leave(.finished) } else { startLimit(&trial) }
  }

  private mutating func listenAgain(_ trial: inout StepContext) {
    trial.stopTimer()
    trial.beginScreen()
    self = HeadphoneCheckBehaviour(check: check, attempt: attempt + 1, tones: tones, trial)
    play(&trial)
  }

  private func stop(_ trial: inout StepContext) {
    trial.stopTimer()
    trial.stopTones { [step = trial.index] in $0.step == step }
  }

  mutating func end(_ outcome: StepEnd, _ trial: inout StepContext) { stop(&trial) }

  func draw(_ screen: inout Screen, _ trial: StepContext) {
    if hasFailed {
      screen.notice = .headphonesFailed
      screen.buttons.insert(.again, at: 0)
    } else {
      screen.entry = .side
    }
  }
}
