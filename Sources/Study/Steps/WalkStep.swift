import Quantities

/// ResearchKit's `ORKFitnessStep`: the participant walks, and recorders of an active participant run.
package struct WalkStep: ActiveStepReading {
  package static let kind = "walk"
  static let summary = "the participant walks while recorders run"

  var activeStep: ActiveStep

  static func read(_ object: LocatedObject) -> Self? {
    var active = ActiveStep.read(object)
    for index in active.recorderConfigurations.indices
    where active.recorderConfigurations[index].motionContext == .notSet {
      active.recorderConfigurations[index].motionContext = .active
    }
    return WalkStep(activeStep: active)
  }
}
