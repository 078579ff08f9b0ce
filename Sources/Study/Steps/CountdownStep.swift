/// The content of a countdown step, with the defaults of ResearchKit's `ORKCountdownStep`.
enum CountdownStep: StepContent {
  static let keys: [String] = ActiveStep.keys

  /// ResearchKit's shortest countdown.
  static let shortest = Duration.seconds(3)

  /// Five seconds that begin and end by themselves.
  static let defaults: ActiveStep = {
    var active = ActiveStep()
    active.stepDuration = .seconds(5)
    active.shouldStartTimerAutomatically = true
    active.shouldContinueOnFinish = true
    return active
  }()

  static func readKind(_ object: LocatedObject) -> Step.Kind? {
    let active = ActiveStep.read(object, defaults: defaults)
    if (active.jitter?.minimum ?? active.stepDuration) < shortest {
      object["stepDuration"]?.report("a countdown lasts at least 3 s")
    }
    return .countdown(active)
  }
}
