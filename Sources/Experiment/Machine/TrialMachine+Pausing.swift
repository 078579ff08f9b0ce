import Quantities

extension TrialMachine {
  mutating func suspend(_ step: Int, at now: Moment) -> [TrialAction] {
    guard !startsFinished(step) else { return [] }
    phase = .suspended(step: step)
    if let end = run.timerEnd { run.timeLeft = max(.zero, now.duration(to: end)) }
    var actions = stopTimer() + stopSound(at: now) + stopCounting(at: now)
    actions += [.stopRecorders(step: step, segment: run.segment), .pause(true)]
    return actions
  }

  mutating func resume(_ step: Int, at now: Moment) -> [TrialAction] {
    guard run.sound == nil else {
      // The sound still fades, so where it stopped is not known yet; another key takes it back.
      run.resumesAfterFade.toggle()
      return []
    }
    phase = .running(step: step)
    run.segment += 1
    // A stimulus that lasts as long as its step may have sounded to its end before the pause took effect.
    if isMusic(step), run.timeLeft == .zero { (run.isSoundDone, run.isTimeUp) = (true, true) }
    var actions: [TrialAction] = [.pause(false)]
    if !run.isTimeUp, !isMusic(step) || run.isSoundDone { actions += startTimer(from: now) }
    actions.append(.startRecorders(step: step, segment: run.segment))
    if isMusic(step), !run.isSoundDone { actions += play(step, at: now) }
    return actions + finishWhenDone(step, at: now)
  }
}
