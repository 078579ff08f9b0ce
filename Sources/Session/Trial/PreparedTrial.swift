package import Bundles
package import Sound
package import Study

/// Everything that a trial needs to have before its first step, or what a session does around its trials.
package struct PreparedTrial: Sendable {
  /// The steps.
  package var steps: [Step]
  /// What is played, decoded and shaped; `nil` for a trial without music.
  package var stimulus: Stimulus?
  /// What was done of the steps before an interruption; `nil` begins with the first.
  package var course: StepCourse?
  /// The heartbeats that the stimulus follows; `nil` for one that follows none.
  package var lock: HeartLock.Settings?
  /// What earlier trials of the session have learnt of them.
  package var heartbeats = HeartLockMemory()
  /// What decides at which level the stimulus is played.
  package var level = LevelControl()
  /// What is sent to other devices at its times.
  package var marking = TrialMarking()
  /// The session's seed.
  package var seed: UInt64 = 0
  /// The number of the trial in its session, if participants are to see it.
  package var trial: Screen.Count?
  /// What the steps say, by its text.
  package var speech: [String: PreparedSpeech] = [:]
  /// The name of the sensor's source behind each recorder, by the recorder's identifier.
  package var sensors: [String: String]
  /// The recorders that run from the trial's beginning to its end.
  package var recorders: [RecorderConfiguration] = []
  /// Whether the trial runs unattended, with no one to press Return.
  package var isUnattended: Bool
  /// What the station itself says to the participant.
  package var phrases: Phrases
  /// What the session does for the trial.
  package var services: Services

  /// What a session does inside of a trial.
  package struct Services: Sendable {
    /// Performs the trials of a session's `trials` step, and says how the last of them ended.
    package var performTrials: @Sendable ([Int]) async -> TrialEnd
    /// Waits for a plausible sample of every sensor no longer than this before the operator decides.
    package var checkSensors: @Sendable (Duration) async -> TrialEnd
    /// Keeps the signature of a consent step apart; what it throws ends the trial.
    package var keepSignature: @Sendable (_ name: String, _ consent: ConsentStep) throws -> Void

    /// Keeps the gain that the participant has chosen for the rest of the session.
    package var chooseVolume: @Sendable (_ gain: Double) async -> Void

    /// Services; by default a session without trials, sensors and signatures.
    package init(
      performTrials: @escaping @Sendable ([Int]) async -> TrialEnd = { _ in .completed },
      checkSensors: @escaping @Sendable (Duration) async -> TrialEnd = { _ in .completed },
      keepSignature: @escaping @Sendable (_ name: String, _ consent: ConsentStep) throws -> Void = { _, _ in },
      chooseVolume: @escaping @Sendable (_ gain: Double) async -> Void = { _ in }
    ) {
      self.chooseVolume = chooseVolume
      (self.performTrials, self.checkSensors, self.keepSignature) = (performTrials, checkSensors, keepSignature)
    }
  }

  /// A prepared trial.
  package init(
    steps: [Step], stimulus: Stimulus?, sensors: [String: String], isUnattended: Bool, phrases: Phrases = Phrases(),
    services: Services = Services()
  ) {
    self.services = services
    self.phrases = phrases
    self.steps = steps
    self.stimulus = stimulus
    self.sensors = sensors
    self.isUnattended = isUnattended
  }
}

/// A text that is ready to be spoken in a trial.
package struct PreparedSpeech: Sendable {
  /// What a trial records of it.
  package let facts: SpeechFacts
  /// The sound, in the format of the trial's other sounds.
  package let sound: Stimulus

  /// The format of tones and speech in a trial without a stimulus.
  static let format = SoundFormat(sampleRate: 48_000, channels: 2)

  /// A text with its sound.
  init(_ facts: SpeechFacts, _ sound: Stimulus) { (self.facts, self.sound) = (facts, sound) }

  /// A speech beside sounds of a format.
  ///
  /// - Parameters:
  ///   - speech: the speech.
  ///   - format: the format; `nil` where there is no stimulus.
  ///   - gain: a further gain, in decibels.
  package init(_ speech: Speech, beside format: SoundFormat?, gain: Double = 0) {
    sound = speech.stimulus(in: format ?? Self.format).amplified(decibels: gain)
    facts = SpeechFacts(
      text: speech.text, language: speech.language, program: speech.program, version: speech.version,
      duration: speech.duration, gain: speech.gain + gain, loudness: speech.loudness.map { $0 + gain })
  }
}
