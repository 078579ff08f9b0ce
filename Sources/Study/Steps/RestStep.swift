/// Silence while recorders run.
package struct RestStep: ActiveStepReading {
  package static let kind = "rest"
  static let summary = "silence while recorders run"

  var activeStep: ActiveStep

  init(_ active: ActiveStep) { activeStep = active }

  static func read(_ object: LocatedObject) -> Self? { RestStep(ActiveStep.read(object)) }
}
