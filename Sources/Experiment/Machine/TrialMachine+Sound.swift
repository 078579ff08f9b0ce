import Quantities
import Study

extension TrialMachine {
  /// How long after its due start or end the sound may still be reported to have started or ended.
  private static let soundPatience = Duration.seconds(10)

  /// A timer that is so late shows that the process or the computer stood still.
  private static let lateness = Duration.seconds(1)

  func isMusic(_ step: Int) -> Bool { steps[step].kind is MusicStep }

  // MARK: Asking for sounds

  /// Plays what is left of a step's stimulus, as the segment that runs.
  mutating func play(_ step: Int, at now: Moment) -> [TrialAction] {
    let sound = SoundID(step: step, .stimulus(segment: run.segment))
    run.sound = sound
    run.isSoundDone = false
    // The heartbeat that it follows may have to be found first.
    let isLocked = run.framesPlayed == 0 && steps[step].music?.music.onset != nil
    return [.play(sound, fromFrame: run.framesPlayed)]
      + expect(sound, by: isLocked ? now.advanced(by: HeartLock.limit) : now)
  }

  /// Gives a step's tone.
  mutating func playTone(_ kind: SoundID.Kind, of step: Int) -> TrialAction {
    let tone = SoundID(step: step, kind)
    tones.append(tone)
    return .playTone(tone)
  }

  /// The sound of the step that runs is to end now.
  mutating func stopSound(at now: Moment) -> [TrialAction] {
    guard let sound = run.sound else { return [] }
    return [.stopSound(sound)] + expect(sound, by: now)
  }

  /// The tones that were asked for and are not over are to end now: those of a step, or all.
  func stopTones(of step: Int? = nil) -> [TrialAction] {
    tones.filter { step == nil || $0.step == step }.map { .stopSound($0) }
  }

  /// A sound is given up when the speaker reports nothing of it for too long after this moment.
  mutating func expect(_ sound: SoundID, by moment: Moment) -> [TrialAction] {
    let due = moment.advanced(by: Self.soundPatience)
    stimuli[sound] = due
    return [.startSoundTimer(sound, until: due)]
  }

  // MARK: What became of them

  mutating func soundStarted(_ sound: SoundID, at onset: Moment) -> [TrialAction] {
    // A step that is paused already learns from the sound's end how much of it was played.
    guard case .running = phase, run.sound == sound, run.timerEnd == nil else { return [] }
    return startTimer(from: onset) + expect(sound, by: onset.advanced(by: run.timeLeft))
  }

  mutating func soundEnded(_ sound: SoundID, _ frames: Int, _ played: Duration, at now: Moment) -> [TrialAction] {
    let actions = forget(sound) + leaveWhenSpoken(sound, at: now)
    guard run.sound == sound else { return actions }
    run.sound = nil
    run.framesPlayed += frames
    run.played += played
    switch phase {
    case .running(let step):
      run.isSoundDone = true
      // Where nothing was left to play, the rest of the step is silence.
      let timer = run.timerEnd == nil && !run.isTimeUp ? startTimer(from: now) : []
      return actions + timer + finishWhenDone(step, at: now)
    case .suspended(let step):
      // The step lasts as long as its stimulus, to the frame, however long the speaker took to report and to stop it.
      if let active = steps[step].active { run.timeLeft = max(.zero, active.stepDuration - run.played) }
      guard run.resumesAfterFade else { return actions }
      run.resumesAfterFade = false
      return actions + resume(step, at: now)
    default: return actions
    }
  }

  mutating func soundFailed(_ sound: SoundID, _ reason: String, at now: Moment) -> [TrialAction] {
    let actions = forget(sound) + leaveWhenSpoken(sound, at: now)
    // The trial goes on without a tone or speech, and its verdict says so.
    guard sound.isStimulus else { return actions }
    if run.sound == sound {
      run.sound = nil
      run.isSoundDone = true
    }
    return actions + end(.soundLost(reason: reason), at: now)
  }

  mutating func soundOverdue(_ sound: SoundID, at now: Moment) -> [TrialAction] {
    // An earlier moment may have passed before it was put off.
    guard let due = stimuli[sound], now >= due else { return [] }
    // Where the timer came late, the station stood still itself, and reports may be waiting to be read.
    guard due.duration(to: now) < Self.lateness else { return expect(sound, by: now) }
    return [.giveUpSound(sound, reason: Self.noReport)] + soundFailed(sound, Self.noReport, at: now)
  }

  private mutating func forget(_ sound: SoundID) -> [TrialAction] {
    tones.removeAll { $0 == sound }
    return stimuli.removeValue(forKey: sound) == nil ? [] : [.stopSoundTimer(sound)]
  }
}
