package import Bundles
package import Quantities
package import Study

/// Something that shows screens to a person in the room, and takes that person's keys.
///
/// It knows no kind of step. It is called from the trial and must return at once; what takes time it does elsewhere.
/// Answers that do not come from a key of the station go to `Trial.send(_:)`, from anywhere and at any time.
package protocol Presenter: Sendable {
  /// Shows a screen in the place of the last one.
  func show(_ screen: Screen)

  /// Tells what happens in a step beside what its screen shows.
  func tell(_ event: PresentedEvent, of step: Step)

  /// Takes a key of the station that was pressed at a moment.
  func take(_ key: OperatorKey, at moment: Moment) -> KeyEffect

  /// Whether it shows what changes while a step runs: the time that is left, and what sensors measure.
  var showsProgress: Bool { get }

  /// Whether it is a page, which has room for several questions.
  var isPage: Bool { get }

  /// How far from the truth the time of a key of the station may be; `nil` where none is the participant's.
  var keyUncertainty: Duration? { get }
}

extension Presenter {
  /// Shows all of it.
  package var showsProgress: Bool { true }

  package var isPage: Bool { false }

  /// That of a keyboard.
  package var keyUncertainty: Duration? { ScreenInput.keyUncertainty(isKeyboard: true) }
}

/// What a presenter makes of a key.
package enum KeyEffect: Hashable, Sendable {
  case none
  /// It changed what is shown.
  case shown
  case answer(ScreenAnswer)
  /// It is the operator's.
  case command(OperatorCommand)
}

/// What happens in a step beside what its screen shows.
package enum PresentedEvent: Hashable, Sendable {
  /// The step has started: its recorders run.
  case started
  /// The stimulus sounds.
  case sounded
  /// The time that is left.
  case remaining(Duration)
  /// A sensor says how fast the heart beats, in beats a minute; `nil` when it lost the heart.
  case heartRate(Double?)
  /// A sensor says how much another quantity is, in a unit.
  case sampled(QuantityType, Double, Unit)
  case signalled(Signal)
  /// Noise sounds on this side, which a person hears and no screen shows.
  case noise(HeadphoneCheckStep.Side)
  /// Something that the operator should know.
  case noticed(String)
  /// The open question has this answer.
  case answered(AnswerValue)
  /// The step is over.
  case left(StepEnd)
  /// It was the last one, and late samples are waited for.
  case concluded
}

/// Which presenter shows which step.
package struct Presenters: Sendable {
  private let presenters: @Sendable (Step) -> any Presenter
  /// Sees every screen that one of them shows; `nil` where none is watched.
  package var watch: (@Sendable (Screen) -> Void)?
  /// Whether one of them shows what changes while a step runs.
  let showProgress: Bool

  package init(_ presenter: any Presenter) {
    (presenters, showProgress) = ({ _ in presenter }, presenter.showsProgress)
  }

  /// One for the steps of participants, and one for those of the operator.
  package init(_ displays: Displays, participant: any Presenter, operator: any Presenter) {
    presenters = { displays[$0] == .participant ? participant : `operator` }
    showProgress = participant.showsProgress || `operator`.showsProgress
  }

  func presenter(for step: Step) -> any Presenter { presenters(step) }
}
