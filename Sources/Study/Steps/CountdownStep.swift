/// Seconds that are counted down, with the defaults of ResearchKit's `ORKCountdownStep`.
package struct CountdownStep: ActiveStepReading {
  package static let kind = "countdown"
  static let summary = "counts seconds down"

  /// ResearchKit's shortest countdown.
  private static let minDuration = Duration.seconds(3)

  /// Five seconds that begin and end by themselves.
  private static let defaults: ActiveStep = {
    var active = ActiveStep()
    active.stepDuration = .seconds(5)
    active.shouldStartTimerAutomatically = true
    active.shouldContinueOnFinish = true
    return active
  }()

  var activeStep: ActiveStep

  static func read(_ object: LocatedObject) -> Self? {
    let active = ActiveStep.read(object, defaults: defaults)
    if (active.jitter?.minimum ?? active.stepDuration) < minDuration {
      object["stepDuration"]?.report("a countdown lasts at least 3 s")
    }
    return CountdownStep(activeStep: active)
  }
}
