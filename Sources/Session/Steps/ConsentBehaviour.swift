import Bundles
import Quantities
import Study

extension ConsentStep: StepWithBehaviour {
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour {
    ConsentBehaviour(consent: self, asking: QuestionCourse(form(trial.phrases).questions, trial))
  }
}

/// A form whose first answer decides whether the session goes on, and whose second one is kept apart from results.
struct ConsentBehaviour: StepBehaviour {
  let consent: ConsentStep
  /// The agreement and the signature.
  var asking: QuestionCourse
  /// The refusal that the participant is asked to confirm, and the question whether it is meant.
  private var refusal: (answer: TrialAnswer, asking: QuestionCourse)?

  init(consent: ConsentStep, asking: QuestionCourse) { (self.consent, self.asking) = (consent, asking) }

  var isPaused: Bool { refusal?.asking.isPaused ?? asking.isPaused }

  mutating func begin(_ trial: inout StepContext) {
    asking.forgetAnswers(&trial)
    if trial.isUnattended || !asking.ask(from: 0, &trial) { trial.leave(.finished) }
  }

  mutating func take(_ deed: ScreenAnswer.Deed, _ input: AnswerInput, _ trial: inout StepContext) {
    if var refusal {
      guard let answer = refusal.asking.answer(to: deed, input, &trial) else {
        self.refusal = refusal
        return
      }
      self.refusal = nil
      guard answer.value == .boolean(true) else {
        trial.beginScreen()
        _ = asking.ask(from: 0, &trial)
        return
      }
      trial.perform(.record(refusal.answer))
      note(isGiven: false, &trial)
      asking.close()
      return trial.end(.declined)
    }
    // To the question, a drawing is a name like any other.
    let drawing: SignatureDrawing? = if case .drawing(let drawing) = deed { drawing } else { nil }
    let name = ScreenAnswer.Deed.value(.text(SignatureDrawing.name))
    guard let answer = asking.answer(to: drawing == nil ? deed : name, input, &trial) else { return }
    switch (answer.question, answer.value) {
    case (ConsentStep.agreementQuestion, .boolean(false)):
      var question = QuestionCourse([consent.refusal(trial.phrases)], trial)
      trial.beginScreen()
      _ = question.ask(from: 0, &trial)
      refusal = (answer, question)
      return
    case (ConsentStep.signatureQuestion, .text(let name)):
      trial.perform(.request(.signature(drawing.map { .drawn($0) } ?? .typed(name), consent)))
    default: asking.record(answer, &trial)
    }
    guard !asking.askNext(&trial) else { return }
    note(isGiven: true, &trial)
    trial.perform(.startRecording)
    trial.leave(.finished)
  }

  private func note(isGiven: Bool, _ trial: inout StepContext) {
    trial.note(Consent(version: consent.document.version, sha256: consent.sha256, isGiven: isGiven))
  }

  mutating func pause(_ isPaused: Bool, _ trial: inout StepContext) -> Bool {
    guard var refusal else { return asking.pause(isPaused, &trial) }
    defer { self.refusal = refusal }
    return refusal.asking.pause(isPaused, &trial)
  }

  mutating func end(_ outcome: StepEnd, _ trial: inout StepContext) {
    if outcome == .finished || outcome == .skipped { asking.recordMissing(&trial) }
  }

  func draw(_ screen: inout Screen, _ trial: StepContext) {
    (refusal?.asking ?? asking).draw(&screen, trial) {
      $0.identifier == ConsentStep.signatureQuestion ? .signature($0) : .question($0)
    }
    if screen.asked?.identifier == ConsentStep.agreementQuestion { screen.document = consent.document.sections }
  }
}
