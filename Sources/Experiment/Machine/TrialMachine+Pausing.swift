import Quantities

extension TrialMachine {
  mutating func suspend(_ step: Int, at now: Moment) -> [TrialAction] {
    guard !startsFinished(step) else { return [] }
    phase = .suspended(step: step)
    if let end = run.timerEnd { run.timeLeft = max(.zero, now.duration(to: end)) }
    stopTimer()
    var actions = stopSound(at: now)
    actions += [.stopRecorders(step: step, segment: run.segment), .pause(true)]
    return actions
  }

  mutating func resume(_ step: Int, at now: Moment) -> [TrialAction] {
    guard !run.isSounding else {
      // The sound still fades, so where it stopped is not known yet; another key takes it back.
      run.resumesAfterFade.toggle()
      return []
    }
    phase = .running(step: step)
    run.segment += 1
    var actions: [TrialAction] = [.pause(false)]
    if !isMusic(step) || run.isSoundDone { actions += startTimer(from: now) }
    actions.append(.startRecorders(step: step, segment: run.segment))
    if isMusic(step), !run.isSoundDone {
      run.isSounding = true
      actions.append(.play(step: step, segment: run.segment, fromFrame: run.framesPlayed))
      actions += expectSound(by: now)
    }
    return actions
  }
}
