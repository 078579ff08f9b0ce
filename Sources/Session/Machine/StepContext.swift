import Bundles
import Quantities
import Sound
import Study

/// What a trial gives to the step that runs, and what the step wants done.
struct StepContext: Sendable {
  /// How a step goes on.
  enum Exit: Hashable, Sendable {
    /// The step is left.
    case leave(StepEnd)
    /// The trial ends with it.
    case end(TrialEnd)
  }

  let isUnattended: Bool
  /// Whether the step is shown on a page.
  var hasPage: Bool { pageSteps.contains(step.identifier) }
  /// The steps that are shown on a page, by their identifiers.
  let pageSteps: Set<String>
  /// What the station itself says to the participant.
  let phrases: Phrases
  /// The session's seed.
  let seed: UInt64
  /// The highest gain of noise that the limit of the level allows.
  let highestNoise: Double
  /// The number of the trial in its session, if it has one.
  let trial: Screen.Count?
  /// What the rules of steps and questions see.
  var facts: RuleFacts

  /// The step that runs.
  private(set) var index = 0
  private(set) var step = Step(identifier: "", kind: InstructionStep())
  /// The time of what happens.
  var now = Moment(nanoseconds: 0)
  /// What is to be done, in this order.
  var actions: [TrialAction] = []
  /// How the step goes on; `nil` while it does.
  private(set) var exit: Exit?
  /// The number of the screen that is shown.
  private(set) var screen = 0

  /// The stimuli and the speech that were asked for and are not over, those of left steps included, and when each is given
  /// up.
  private(set) var stimuli: [SoundID: Moment] = [:]
  /// The tones that were asked for and are not over.
  private(set) var tones: [SoundID] = []
  /// The number of the step's timer, and when it ends; `nil` while none runs.
  private(set) var timerEnd: Moment?
  private var timer = 0

  /// How long after its due start or end the sound may still be reported to have started or ended.
  private static let soundPatience = Duration.seconds(10)

  /// A timer that is so late shows that the process or the computer stood still.
  private static let maxLateness = Duration.seconds(1)

  init(
    isUnattended: Bool, phrases: Phrases, seed: UInt64, highestNoise: Double, trial: Screen.Count?, facts: RuleFacts,
    pageSteps: Set<String> = []
  ) {
    self.pageSteps = pageSteps
    (self.isUnattended, self.phrases, self.seed) = (isUnattended, phrases, seed)
    (self.highestNoise, self.trial, self.facts) = (highestNoise, trial, facts)
  }

  /// Begins with a step.
  mutating func enter(_ index: Int, _ step: Step) {
    (self.index, self.step, exit) = (index, step, nil)
    beginScreen()
  }

  /// Another screen begins, of which no earlier answer counts.
  mutating func beginScreen() { screen += 1 }

  mutating func leave(_ outcome: StepEnd) { exit = exit ?? .leave(outcome) }

  /// Ends the trial.
  mutating func end(_ end: TrialEnd) { exit = exit ?? .end(end) }

  /// Asks for something.
  mutating func perform(_ action: TrialAction) { actions.append(action) }

  /// Notes something in the journal, now or for a moment that has passed.
  mutating func note(_ note: some StepNote, at moment: Moment? = nil) {
    actions.append(.note(step: index, NotedValue(note), at: moment ?? now))
  }

  // MARK: Time

  /// Starts the step's timer.
  mutating func startTimer(until end: Moment) {
    timer += 1
    timerEnd = end
    actions.append(.startTimer(timer, until: end))
  }

  /// Cancels the timer; what it has sent already carries an old number and is ignored.
  mutating func stopTimer() {
    guard timerEnd != nil else { return }
    timerEnd = nil
    timer += 1
    actions.append(.stopTimer(timer - 1))
  }

  /// Whether this is the timer that runs.
  func isCurrent(_ timer: Int) -> Bool { timerEnd != nil && timer == self.timer }

  /// The timer that runs has come to its end.
  mutating func timerEnded() { timerEnd = nil }

  // MARK: Sounds

  /// Plays a stimulus.
  ///
  /// - Parameters:
  ///   - segment: which part of it, after a pause.
  ///   - frame: the frame from which on.
  ///   - isLocked: whether the heartbeat that it follows has to be found first.
  /// - Returns: the sound.
  mutating func play(segment: Int, fromFrame frame: Int, isLocked: Bool) -> SoundID {
    let sound = SoundID(step: index, .stimulus(segment: segment))
    actions.append(.play(sound, fromFrame: frame))
    expect(sound, by: isLocked ? now.advanced(by: HeartLock.limit) : now)
    return sound
  }

  /// Gives a tone, or noise with a gain.
  mutating func playTone(_ kind: SoundID.Kind, gain: Double? = nil) {
    let tone = SoundID(step: index, kind)
    tones.append(tone)
    actions.append(.playTone(tone, gain: gain))
  }

  /// Says something, not before a moment.
  mutating func speak(_ utterance: Utterance, segment: Int, notBefore moment: Moment? = nil) {
    guard step.active?.text(of: utterance, phrases) != nil else { return }
    let speech = SoundID(step: index, .speech(utterance, segment: segment))
    actions.append(.speak(speech, at: moment))
    expect(speech, by: (moment ?? now).advanced(by: Speech.maxLength))
  }

  /// Lets a stimulus end now.
  mutating func stop(_ sound: SoundID) {
    actions.append(.stopSound(sound))
    expect(sound, by: now)
  }

  /// Lets speech end now.
  mutating func stopSpeech(where isMeant: (SoundID) -> Bool = { _ in true }) {
    for speech in stimuli.keys.filter({ $0.isSpeech && isMeant($0) }).sorted(by: { $0.order < $1.order }) {
      stop(speech)
    }
  }

  /// Lets tones end now.
  mutating func stopTones(where isMeant: (SoundID) -> Bool = { _ in true }) {
    actions += tones.filter(isMeant).map { .stopSound($0) }
  }

  /// A sound is given up when the speaker reports nothing of it for too long after this moment.
  mutating func expect(_ sound: SoundID, by moment: Moment) {
    let due = moment.advanced(by: Self.soundPatience)
    stimuli[sound] = due
    actions.append(.startSoundTimer(sound, until: due))
  }

  /// A sound is over.
  mutating func forget(_ sound: SoundID) {
    tones.removeAll { $0 == sound }
    if stimuli.removeValue(forKey: sound) != nil { actions.append(.stopSoundTimer(sound)) }
  }

  /// Whether a sound is given up now: not if an earlier moment was put off, and not if the timer came late, since the
  /// station itself stood still then and reports may be waiting to be read.
  mutating func givesUp(_ sound: SoundID) -> Bool {
    guard let due = stimuli[sound], now >= due else { return false }
    guard due.duration(to: now) < Self.maxLateness else {
      expect(sound, by: now)
      return false
    }
    return true
  }
}

extension SoundID {
  /// What is said; `nil` for other sounds.
  var utterance: Utterance? {
    if case .speech(let utterance, _) = kind { utterance } else { nil }
  }

  fileprivate var order: String { "\(step) \(utterance?.rawValue ?? "")" }
}
