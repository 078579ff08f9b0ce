import Bundles
import Quantities
import Study

extension VolumeStep: StepWithBehaviour {
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour {
    VolumeBehaviour(volume: self, gain: min(start, trial.highestNoise))
  }
}

/// Noise sounds while the participant changes its level, and Return accepts it.
struct VolumeBehaviour: StepBehaviour {
  let volume: VolumeStep
  /// The level that is being chosen.
  var gain: Double
  /// How often noise was asked for.
  private var sounds = 0
  /// When the level was chosen that is accepted.
  private var began = Moment(nanoseconds: 0)

  init(volume: VolumeStep, gain: Double) { (self.volume, self.gain) = (volume, gain) }

  mutating func begin(_ trial: inout StepContext) {
    // Without a person nothing is chosen.
    guard !trial.isUnattended else { return trial.leave(.finished) }
    play(&trial)
  }

  mutating func take(_ deed: ScreenAnswer.Deed, _ input: AnswerInput, _ trial: inout StepContext) {
    switch deed {
    case .gain(let wanted):
      let limited = min(max(volume.lowest, min(wanted, volume.highest)), trial.highestNoise)
      guard limited != gain else { return }
      gain = limited
      trial.stopTones { [step = trial.index] in $0.step == step }
      play(&trial)
    case .goOn:
      trial.note(ChosenVolume(gain: gain), at: max(began, input.made.moment))
      trial.perform(.request(.volume(gain)))
      trial.leave(.finished)
    case .skip, .back, .value, .answers, .side, .drawing: break
    }
  }

  private mutating func play(_ trial: inout StepContext) {
    sounds += 1
    began = trial.now
    trial.playTone(.noise(sounds), gain: gain)
  }

  mutating func end(_ outcome: StepEnd, _ trial: inout StepContext) {
    trial.stopTones { [step = trial.index] in $0.step == step }
  }

  func draw(_ screen: inout Screen, _ trial: StepContext) {
    let highest = max(volume.lowest, min(volume.highest, trial.highestNoise))
    screen.entry = .volume(gain, range: volume.lowest...highest, step: volume.step)
    screen.buttons.insert(.goOn, at: 0)
  }
}
