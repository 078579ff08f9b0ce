package import Bundles
package import Quantities
package import Study

/// Something that shows a step to the people in the room.
///
/// It is called from the trial and must return at once; what takes time it does elsewhere.
package protocol Presenter: Sendable {
  /// Shows what happens in a step.
  func present(_ event: PresentedEvent, of step: Step)

  /// Asks a question of a step.
  ///
  /// - Parameters:
  ///   - question: the question; it is open until the next one, or until the step is left.
  ///   - step: its step.
  ///   - painted: is told when it was painted, where that is known.
  ///   - reply: takes an answer that does not come from a key of the station, such as one from a page, from anywhere and
  ///     at any time; one that is out of range is refused, and one that comes too late is ignored.
  func ask(
    _ question: Question, of step: Step, painted: @escaping @Sendable (Moment) -> Void,
    reply: @escaping @Sendable (AnswerValue) -> Void)

  /// Whether a key that was pressed at a moment counts: what the step shows was there before, and needs no other key first.
  func admits(_ key: OperatorKey, at moment: Moment, of step: Step) -> Bool

  /// Whether letters are commands where no question is open.
  var takesCommands: Bool { get }

  /// Offers a key of the station while a question is open.
  func take(_ key: OperatorKey, of step: Step) -> KeyUse

  /// Whether it shows what changes while a step runs: the time that is left, and what sensors measure.
  var showsProgress: Bool { get }
}

extension Presenter {
  /// Asks nothing: the step can only be skipped or stopped.
  package func ask(
    _ question: Question, of step: Step, painted: @escaping @Sendable (Moment) -> Void,
    reply: @escaping @Sendable (AnswerValue) -> Void
  ) {}

  /// Every key counts that is pressed.
  package func admits(_ key: OperatorKey, at moment: Moment, of step: Step) -> Bool { key == key.pressed }

  /// They are.
  package var takesCommands: Bool { true }

  /// Uses no key.
  package func take(_ key: OperatorKey, of step: Step) -> KeyUse { .unused }

  /// Shows all of it.
  package var showsProgress: Bool { true }
}

/// What a presenter makes of a key.
package enum KeyUse: Hashable, Sendable {
  /// Nothing: the trial takes it as a command.
  case unused
  /// It changed what is shown.
  case used
  /// It gives the answer to the open question.
  case answers(AnswerValue)
}

/// What there is to show.
package enum PresentedEvent: Hashable, Sendable {
  /// The step appears, as number `index` (from 0) of `count`; `waits` says that Return goes on or starts it.
  case appeared(index: Int, count: Int, waits: Bool)
  /// The step has started: its recorders run.
  case started
  /// The stimulus sounds.
  case sounded
  /// So much time is left.
  case remaining(Duration)
  /// A sensor says how fast the heart beats, in beats a minute; `nil` when it lost the heart.
  case heartRate(Double?)
  /// A sensor says how much another quantity is, in a unit.
  case sampled(QuantityType, Double, Unit)
  /// The step is rated so many percent, between these words.
  case rated(Int, anchors: [Int: String])
  /// The participant chooses this gain, in decibels.
  case volume(Double)
  /// Noise sounds on this side, and the participant says on which.
  case listens(HeadphoneCheckStep.Side)
  /// A headphone check has failed, and Return repeats it.
  case headphonesFailed
  /// A signal is given.
  case signalled(Signal)
  /// The trial pauses, or goes on.
  case paused(Bool)
  /// The step is done and waits for Return.
  case awaitsNext
  /// Something that the operator should know.
  case noticed(String)
  /// The open question has this answer.
  case answered(AnswerValue)
  /// The open question needs an answer, or another one.
  case refused(AnswerProblem)
  /// The step is over.
  case left(StepEnd)
  /// It was the last one, and late samples are waited for.
  case concluded
}

/// Which presenter shows which step: by its identifier, else by its kind, else the one for all.
package struct Presenters: Sendable {
  private let general: any Presenter
  private var byKind: [String: any Presenter] = [:]
  private var byIdentifier: [String: any Presenter] = [:]

  /// One presenter for every step.
  package init(_ general: any Presenter) { self.general = general }

  /// The same with another presenter for the steps of a kind.
  package func with(_ presenter: any Presenter, for kind: String) -> Presenters {
    var copy = self
    copy.byKind[kind] = presenter
    return copy
  }

  /// The same with another presenter for the step of that identifier.
  package func with(_ presenter: any Presenter, forStep identifier: String) -> Presenters {
    var copy = self
    copy.byIdentifier[identifier] = presenter
    return copy
  }

  /// Whether one of them shows what changes while a step runs.
  var showProgress: Bool {
    general.showsProgress || byKind.values.contains(where: \.showsProgress)
      || byIdentifier.values.contains(where: \.showsProgress)
  }

  /// The presenter of a step.
  package func presenter(for step: Step) -> any Presenter {
    byIdentifier[step.identifier] ?? byKind[step.kindName] ?? general
  }
}
