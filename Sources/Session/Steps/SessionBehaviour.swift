import Bundles
import Quantities
import Study

extension TrialsStep: StepWithBehaviour {
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour {
    SessionBehaviour(request: .trials(numbers ?? []), hasScreen: false)
  }
}

extension SensorCheckStep: StepWithBehaviour {
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour {
    SessionBehaviour(request: .sensors(within: limit), hasScreen: true)
  }
}

/// A step that lasts until the session has done something: performed trials, or checked the sensors.
struct SessionBehaviour: StepBehaviour {
  let request: SessionRequest
  let hasScreen: Bool

  var waitsForPerson: Bool { false }

  mutating func begin(_ trial: inout StepContext) { trial.perform(.request(request)) }

  mutating func take(_ event: StepEvent, _ trial: inout StepContext) {
    if event == .performed { trial.leave(.finished) }
  }

  mutating func skip(_ trial: inout StepContext) {}
}
