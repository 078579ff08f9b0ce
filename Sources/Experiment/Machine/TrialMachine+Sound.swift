import Quantities
import Study

extension TrialMachine {
  /// How long after its due start or end the sound may still be reported to have started or ended.
  private static let soundPatience = Duration.seconds(10)

  func isMusic(_ step: Int) -> Bool {
    if case .music = steps[step].kind { true } else { false }
  }

  mutating func soundStarted(at onset: Moment) -> [TrialAction] {
    guard case .running(let step) = phase, isMusic(step), run.isSounding else { return [] }
    let timer = startTimer(from: onset)
    return timer + expectSound(by: onset.advanced(by: run.timeLeft))
  }

  mutating func soundFailed(_ reason: String, at now: Moment) -> [TrialAction] {
    run.isSounding = false
    run.isSoundDone = true
    return end(.failed(reason: reason), at: now)
  }

  /// The sound is to end now.
  mutating func stopSound(at now: Moment) -> [TrialAction] {
    run.isSounding ? [.stopSound] + expectSound(by: now) : []
  }

  /// The sound is given up when the speaker says nothing of it for too long after this moment.
  mutating func expectSound(by moment: Moment) -> [TrialAction] {
    run.soundTimer += 1
    return [.startSoundTimer(run.soundTimer, until: moment.advanced(by: Self.soundPatience))]
  }

  mutating func soundEnded(_ frames: Int, at now: Moment) -> [TrialAction] {
    run.isSounding = false
    run.framesPlayed += frames
    switch phase {
    case .running(let step):
      run.isSoundDone = true
      return finishWhenDone(step, at: now)
    case .suspended(let step) where run.resumesAfterFade:
      run.resumesAfterFade = false
      return resume(step, at: now)
    default: return []
    }
  }
}
