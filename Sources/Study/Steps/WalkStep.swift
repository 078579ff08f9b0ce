import Quantities

/// The content of a walk step, ResearchKit's `ORKFitnessStep`: that of every active step, and the recorders of an active
/// participant.
enum WalkStep: StepContent {
  static let keys: [String] = ActiveStep.keys

  static func readKind(_ object: LocatedObject) -> Step.Kind? {
    var active = ActiveStep.read(object)
    for index in active.recorderConfigurations.indices
    where active.recorderConfigurations[index].motionContext == .notSet {
      active.recorderConfigurations[index].motionContext = .active
    }
    return .walk(active)
  }
}
