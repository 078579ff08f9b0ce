import Bundles
import Sound
import Study

/// Everything that a session gives to a trial, or to the steps around its trials.
struct TrialContext: Sendable {
  let steps: [Step]
  /// What was done of the steps before an interruption; `nil` begins with the first.
  var course: StepCourse?
  /// What is played, decoded and shaped; `nil` for a trial without music.
  var stimulus: Stimulus?
  /// The heartbeats that the stimulus follows; `nil` for one that follows none.
  var lock: HeartLock.Settings?
  /// What earlier trials learnt about the participant's heartbeats.
  var heartbeats = HeartLockMemory()
  /// Determines the stimulus's level.
  var level = LevelControl()
  /// The markers that are sent to other devices.
  var marking = TrialMarking()
  /// The session's seed.
  var seed: UInt64 = 0
  /// The number of the trial in its session, if participants are to see it.
  var trial: Screen.Count?
  /// Rendered speech, by its text.
  var speech: [String: PreparedSpeech] = [:]
  /// The name of the sensor's source behind each recorder, by the recorder's identifier.
  var sensors: [String: String] = [:]
  /// The recorders that run from the trial's beginning to its end.
  var recorders: [RecorderConfiguration] = []
  /// Whether the trial runs unattended, with no one to press Return.
  var isUnattended = true
  /// What the station itself says to the participant.
  var phrases = Phrases()
  /// Where events are written; the journal's first record is there already.
  let log: TrialLog
  /// Where waveforms are written.
  var waveforms = TrialWaveforms()
  /// The session's sensors, which the session runs.
  let hub: SensorHub
  /// What plays; `nil` for a trial without sound.
  var speaker: (any Speaker)?
  /// Who shows the steps.
  let presenters: Presenters
  /// Performs trials and checks of sensors for this trial's steps.
  let session: any TrialSession
}

/// What a trial asks of the session that it is part of.
protocol TrialSession: Sendable {
  /// Does what a step asks for.
  ///
  /// - Returns: the input for the trial; `nil` for none.
  func answer(_ request: SessionRequest) async -> TrialInput?
}

/// A text that is ready to be spoken in a trial.
struct PreparedSpeech: Sendable {
  /// What a trial records of it.
  let facts: SpeechFacts
  /// The sound, in the format of the trial's other sounds.
  let sound: Stimulus

  /// The format of tones and speech in a trial without a stimulus.
  static let format = SoundFormat(sampleRate: 48_000, channels: 2)

  init(_ facts: SpeechFacts, _ sound: Stimulus) { (self.facts, self.sound) = (facts, sound) }

  /// A speech beside sounds of a format.
  ///
  /// - Parameters:
  ///   - speech: the speech.
  ///   - format: the format; `nil` where there is no stimulus.
  ///   - gain: a further gain, in decibels.
  init(_ speech: Speech, beside format: SoundFormat?, gain: Double = 0) {
    sound = speech.stimulus(in: format ?? Self.format).amplified(decibels: gain)
    facts = SpeechFacts(
      text: speech.text, language: speech.language, program: speech.program, version: speech.version,
      duration: speech.duration, gain: speech.gain + gain, loudness: speech.loudness.map { $0 + gain })
  }
}
