import Study

/// Where a trial is and was: its steps, answers and pauses, folded from the journal.
///
/// The result, the running trial of `station show --live` and its caveats are all made from it. Its phases are those of
/// the machine that runs the trial; a test compares the two after every input.
package struct TrialCourse: Sendable {
  /// Where the trial is.
  enum Phase: Hashable, Sendable {
    /// No step is shown: before the first one, between two, or after the last.
    case between
    /// A step is shown and waits to be started, read or answered.
    case shown(String)
    /// The active part of a step runs.
    case running(String)
    /// A step is paused.
    case suspended(String)
    /// The active part of a step is finished, and the step waits for Return.
    case done(String)
    /// The trial is over.
    case closed
  }

  /// The steps that were shown, in order.
  private(set) var steps: [TrialRecord.Step] = []
  /// The answers, in order.
  private(set) var answers: [TrialRecord.Answer] = []
  /// The index of the first answer that can be one to the step that is shown.
  private var firstAnswer = 0
  /// When screens were painted, in order.
  private(set) var screens: [TrialRecord.Screen] = []
  /// The operator's annotations, in order.
  private(set) var annotations: [TrialRecord.Annotation] = []
  /// The recorded presses of keys, in order.
  private(set) var keyPresses: [TrialRecord.KeyPress] = []
  /// What steps noted beside answers, in order.
  private(set) var notes: [TrialRecord.Note] = []
  /// The required questions that were left without an answer.
  private(set) var unanswered: [(step: String, question: String)] = []
  /// The question that is asked and not answered yet; `nil` while none is.
  package private(set) var openQuestion: String?
  /// How many times the trial was paused.
  private(set) var suspensions = 0
  /// What happened to the participant's page.
  private(set) var page = PageCourse()
  package private(set) var isPaused = false
  private var isClosed = false

  init() {}

  /// The step that is shown; `nil` before the first, between two, and after the last.
  package var current: TrialRecord.Step? { steps.last.flatMap { $0.left == nil ? $0 : nil } }

  var phase: Phase {
    guard !isClosed else { return .closed }
    guard let step = current else { return .between }
    if isPaused { return .suspended(step.identifier) }
    if step.finished != nil { return .done(step.identifier) }
    return step.begun == nil ? .shown(step.identifier) : .running(step.identifier)
  }

  /// Takes the next event of the journal, at its time since the trial's zero.
  mutating func take(_ event: JournalEvent, at time: Duration) {
    switch event {
    case .stepStarted(let step):
      steps.append(TrialRecord.Step(identifier: step, shown: time))
      firstAnswer = answers.count
    case .stepBegan(let step): amend(step) { $0.begun = $0.begun ?? time }
    case .stepFinished(let step): amend(step) { $0.finished = $0.finished ?? time }
    case .stepEnded(let step, let reason):
      amend(step) { ($0.left, $0.end) = (time, reason) }
      (isPaused, openQuestion) = (false, nil)
    case .asked(_, let question): openQuestion = question
    case .answered(let step, let question, let value?, let shown, let input):
      openQuestion = nil
      var answer = TrialRecord.Answer(
        step: step, question: question, value: value, shown: shown, answered: time, input: input)
      if let earlier = takeAnswer(to: question, of: step) { answer.revised = earlier.revised + 1 }
      answers.append(answer)
    case .withdrawn(let step, let question): _ = takeAnswer(to: question, of: step)
    case .painted(let screen): screens.append(screen)
    case .answered(let step, let question, nil, _, _): unanswered.append((step, question))
    case .annotated(let text): annotations.append(TrialRecord.Annotation(text: text, time: time))
    case .keyPressed(let step, let key, let made):
      keyPresses.append(TrialRecord.KeyPress(step: step, key: key, made: made))
    case .noted(let step, let value): notes.append(TrialRecord.Note(step: step, time: time, value: value))
    case .suspended:
      suspensions += 1
      isPaused = true
    case .resumed: isPaused = false
    case .pageChanged(let incident): page.take(incident, at: time)
    case .trialClosed:
      isClosed = true
      page.show(at: time)
    default: break
    }
  }

  /// Removes the answer that was given since the step was shown.
  private mutating func takeAnswer(to question: String, of step: String) -> TrialRecord.Answer? {
    answers[firstAnswer...].lastIndex { $0.step == step && $0.question == question }.map { answers.remove(at: $0) }
  }

  private mutating func amend(_ step: String, _ change: (inout TrialRecord.Step) -> Void) {
    guard let index = steps.lastIndex(where: { $0.identifier == step && $0.left == nil }) else { return }
    change(&steps[index])
  }
}
