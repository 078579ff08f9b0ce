import Bundles
import Quantities
import Study

// A volume step: noise sounds while the participant changes its level, and Return accepts it.
extension TrialMachine {
  /// The level that is being chosen.
  struct Adjustment: Sendable {
    var gain: Double
    /// How often noise was asked for.
    var sounds = 0
  }

  mutating func enter(_ step: Int, _ volume: VolumeStep, at now: Moment) -> [TrialAction] {
    let show = TrialAction.show(step: step, waits: false)
    // Without a person nothing is chosen.
    guard !isUnattended else { return [show] + leave(step, .finished, at: now) }
    adjusting = Adjustment(gain: min(volume.start, highestNoise))
    return [show] + playNoise(step)
  }

  /// Changes the level by a key; `nil` for one that does not, or where none is chosen.
  mutating func adjust(_ step: Int, _ key: OperatorKey) -> [TrialAction]? {
    guard let volume = steps[step].kind as? VolumeStep, let adjusting, let sign = key.volumeChange else { return nil }
    let gain = max(volume.lowest, min(adjusting.gain + sign * volume.step, volume.highest))
    let limited = min(gain, highestNoise)
    guard limited != adjusting.gain else { return [] }
    self.adjusting?.gain = limited
    return stopTones(of: step) + playNoise(step)
  }

  mutating func acceptVolume(_ step: Int, at now: Moment) -> [TrialAction] {
    guard let adjusting else { return [] }
    return [.chooseVolume(step: step, gain: adjusting.gain)] + leave(step, .finished, at: now)
  }

  /// Ends the noise of a step that is left.
  mutating func stopAdjusting(_ step: Int) -> [TrialAction] {
    guard adjusting != nil else { return [] }
    adjusting = nil
    return stopTones(of: step)
  }

  private mutating func playNoise(_ step: Int) -> [TrialAction] {
    guard var adjusting else { return [] }
    adjusting.sounds += 1
    self.adjusting = adjusting
    let noise = SoundID(step: step, .noise(adjusting.sounds))
    tones.append(noise)
    return [.playNoise(noise, gain: adjusting.gain), .showVolume(step: step, gain: adjusting.gain)]
  }
}

extension OperatorKey {
  /// In which direction the key changes a level; `nil` for one that does not.
  fileprivate var volumeChange: Double? {
    switch self {
    case .arrow(.up), .arrow(.right), .letter("+"), .letter("="): 1
    case .arrow(.down), .arrow(.left), .letter("-"), .letter("−"), .letter("_"): -1
    default: nil
    }
  }
}
