package import Bundles
package import Quantities
package import Study

/// Something that shows a step to the people in the room.
///
/// It is called from the trial and must return at once; what takes time it does elsewhere.
package protocol Presenter: Sendable {
  /// Shows what happens in a step.
  func present(_ event: PresentedEvent, of step: Step)
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
  /// A signal is given.
  case signalled(Signal)
  /// The trial pauses, or goes on.
  case paused(Bool)
  /// The step is done and waits for Return.
  case awaitsNext
  /// Something that the operator should know.
  case noticed(String)
  /// The step is over.
  case left(StepEnd)
}

/// Which presenter shows which step: by its identifier, else by its kind, else the one for all.
package struct Presenters: Sendable {
  private let general: any Presenter
  private var byKind: [StepKind: any Presenter] = [:]
  private var byIdentifier: [String: any Presenter] = [:]

  /// One presenter for every step.
  package init(_ general: any Presenter) { self.general = general }

  /// The same with another presenter for the steps of a kind.
  package func with(_ presenter: any Presenter, for kind: StepKind) -> Presenters {
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

  /// The presenter of a step.
  package func presenter(for step: Step) -> any Presenter {
    byIdentifier[step.identifier] ?? byKind[StepKind(step)] ?? general
  }
}

/// The kinds of step, by the names that protocols use.
package enum StepKind: String, Sendable, CaseIterable {
  /// Something to read.
  case instruction
  /// A clip is played.
  case music
  /// Silence.
  case rest
  /// The end.
  case completion

  /// The kind of a step.
  package init(_ step: Step) {
    switch step.kind {
    case .instruction: self = .instruction
    case .music: self = .music
    case .rest: self = .rest
    case .completion: self = .completion
    }
  }
}
