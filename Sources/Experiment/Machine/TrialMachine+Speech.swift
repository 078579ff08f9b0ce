import Bundles
import Quantities
import Sound
import Study

// What steps say aloud. It sounds while its step is shown, and never delays what the next step plays: a step that goes on
// by itself is left when its last sentence has been said, and one that is left by hand takes its speech with it.
extension TrialMachine {
  /// Says something, not before a moment.
  mutating func speak(
    _ utterance: Utterance, of step: Int, notBefore moment: Moment? = nil, at now: Moment
  ) -> [TrialAction] {
    guard steps[step].active?.text(of: utterance, phrases) != nil else { return [] }
    let speech = SoundID(step: step, .speech(utterance, segment: run.segment))
    return [.speak(speech, at: moment)] + expect(speech, by: (moment ?? now).advanced(by: Speech.longest))
  }

  /// What a step says, or every step, is to end now.
  mutating func stopSpeech(of step: Int? = nil, at now: Moment) -> [TrialAction] {
    stopSpeech(at: now) { step == nil || $0.step == step }
  }

  private mutating func stopSpeech(at now: Moment, where isMeant: (SoundID) -> Bool) -> [TrialAction] {
    stimuli.keys.filter { $0.isSpeech && isMeant($0) }.sorted { $0.order < $1.order }.flatMap { speech in
      [.stopSound(speech)] + expect(speech, by: now)
    }
  }

  /// Whether what the step says at its finish is not over.
  func isSpeakingAtFinish(of step: Int) -> Bool {
    stimuli.keys.contains { $0.step == step && $0.utterance == .finished }
  }

  /// Leaves a step that waits for the end of what it says.
  mutating func leaveWhenSpoken(_ sound: SoundID, at now: Moment) -> [TrialAction] {
    guard case .done(sound.step) = phase, run.leavesWhenSpoken, sound.utterance == .finished else { return [] }
    return leave(sound.step, .finished, at: now)
  }

  /// Asks for the numbers that are due within the next second, each for its own moment.
  mutating func countDown(_ step: Int, _ remaining: Duration, at now: Moment) -> [TrialAction] {
    guard steps[step].active?.shouldSpeakCountDown ?? false, let end = run.timerEnd else { return [] }
    return Utterance.countDown.flatMap { utterance, due -> [TrialAction] in
      guard due <= remaining, remaining <= due + .seconds(1), run.counted.insert(utterance).inserted else { return [] }
      return speak(utterance, of: step, notBefore: end.advanced(by: .zero - due), at: now)
    }
  }

  /// Says the remaining time at halfway, unless that would take the time of the countdown.
  mutating func sayRemaining(_ step: Int, _ remaining: Duration, at now: Moment) -> [TrialAction] {
    guard let active = steps[step].active, let seconds = active.secondsAtHalfway, remaining == .seconds(seconds),
      !active.shouldSpeakCountDown || seconds > Self.secondsToSayRemaining
    else { return [] }
    return speak(.remaining, of: step, at: now)
  }

  /// From so many seconds on, the remaining time has been said before the countdown begins.
  private static let secondsToSayRemaining = 6

  /// Takes back the numbers that have not sounded when a step is paused: they are due at other moments.
  mutating func stopCounting(at now: Moment) -> [TrialAction] {
    let counted = run.counted
    run.counted = []
    return stopSpeech(at: now) { $0.utterance.map(counted.contains) ?? false }
  }
}

extension SoundID {
  /// What is said; `nil` for other sounds.
  var utterance: Utterance? {
    if case .speech(let utterance, _) = kind { utterance } else { nil }
  }

  fileprivate var order: String { "\(step) \(utterance?.rawValue ?? "")" }
}
