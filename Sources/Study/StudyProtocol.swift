import Basics
package import Quantities

/// What an experiment does, as its researcher wrote it: a value that was read and found valid.
package struct StudyProtocol: Hashable, Sendable {
  /// The protocol's identifier: `MusicTask`.
  package var identifier: String

  /// The protocol's version, in the researcher's own counting.
  package var version: String

  /// What people call it.
  package var title: String?

  /// Where its clips come from; `nil` for a protocol without music.
  package var clips: ClipsSource?

  /// How long the station waits before the trial for a plausible sample of every recorder; zero where it does not.
  package var sensorCheck: Duration

  /// How long that is unless the protocol says otherwise.
  package static let sensorCheck = Duration.seconds(10)

  /// Who the screen is for while a trial runs.
  package var display: Display

  /// What the station itself says to the participant.
  package var phrases: Phrases

  /// What its trials must reach to be good.
  package var verdict = VerdictThresholds()

  /// The steps in their order; identifiers are unique, and at most one is a music step.
  package var steps: [Step]

  /// Whether some step waits for Return.
  package var waitsForReturn: Bool { steps.contains(where: \.waitsForReturn) }

  /// A protocol.
  package init(
    identifier: String, version: String, title: String? = nil, clips: ClipsSource? = nil,
    display: Display = .participant, phrases: Phrases = Phrases(), sensorCheck: Duration = StudyProtocol.sensorCheck,
    verdict: VerdictThresholds = VerdictThresholds(), steps: [Step]
  ) {
    self.display = display
    self.phrases = phrases
    self.verdict = verdict
    self.identifier = identifier
    self.version = version
    self.title = title
    self.clips = clips
    self.sensorCheck = sensorCheck
    self.steps = steps
  }
}

/// The folder of clips that a protocol draws from.
package struct ClipsSource: Hashable, Sendable {
  /// The folder as the protocol writes it: absolute, or seen from the protocol's own folder.
  package var folder: String

  /// Whether the drawn file is copied into the bundle.
  package var embed: Bool

  /// A source of clips.
  package init(folder: String, embed: Bool = false) {
    self.folder = folder
    self.embed = embed
  }
}

/// One step of a trial, in ResearchKit's words.
package struct Step: Hashable, Sendable {
  /// The step's identifier, unique in its protocol.
  package var identifier: String

  /// What the participant reads first.
  package var title: String?

  /// What the participant reads next.
  package var text: String?

  /// Smaller print under the text.
  package var detailText: String?

  /// Whether the participant may skip it (`optional` in the file).
  package var isOptional: Bool

  /// What it does.
  package var kind: Kind

  /// The kinds of step.
  package enum Kind: Hashable, Sendable {
    /// Something to read; Return goes on.
    case instruction
    /// A clip is played while recorders run.
    case music(MusicStep)
    /// Silence while recorders run.
    case rest(ActiveStep)
    /// The end; Return closes the trial.
    case completion
  }

  /// A step.
  package init(
    identifier: String, title: String? = nil, text: String? = nil, detailText: String? = nil, isOptional: Bool = false,
    kind: Kind
  ) {
    self.identifier = identifier
    self.title = title
    self.text = text
    self.detailText = detailText
    self.isOptional = isOptional
    self.kind = kind
  }

  /// What it has in common with ResearchKit's `ORKActiveStep`; `nil` for a step that only shows text.
  package var active: ActiveStep? {
    switch kind {
    case .instruction, .completion: nil
    case .music(let music): music.active
    case .rest(let active): active
    }
  }

  /// Whether the step waits for Return, before it starts or in the end, where somebody is there to press it.
  package var waitsForReturn: Bool {
    active.map { !$0.shouldStartTimerAutomatically || !$0.shouldContinueOnFinish || $0.stepDuration == .zero } ?? true
  }
}

/// ResearchKit's `ORKActiveStep`: the same properties with the same defaults.
package struct ActiveStep: Hashable, Sendable {
  /// How long the step lasts; zero means no timer: the step is finished from its start and waits for Return.
  package var stepDuration: Duration = .zero
  /// Whether the time that is left is shown; only with a duration.
  package var shouldShowDefaultTimer = true
  /// Whether 3, 2, 1 is said before the end.
  package var shouldSpeakCountDown = false
  /// Whether the remaining time is said once at half of it.
  package var shouldSpeakRemainingTimeAtHalfway = false
  /// Whether the step starts when it appears, or waits for Return.
  package var shouldStartTimerAutomatically = false
  /// Whether a short tone is played at its start.
  package var shouldPlaySoundOnStart = false
  /// Whether a short tone is played at its end.
  package var shouldPlaySoundOnFinish = false
  /// Whether the presenter gives a tactile or visible signal at its start.
  package var shouldVibrateOnStart = false
  /// Whether the presenter gives a tactile or visible signal at its end.
  package var shouldVibrateOnFinish = false
  /// Whether Return before the end skips the rest of the step.
  package var shouldUseNextAsSkipButton = false
  /// Whether the next step follows by itself when this one has finished.
  package var shouldContinueOnFinish = false
  /// What is said at its start.
  package var spokenInstruction: String?
  /// What is said at its end.
  package var finishedSpokenInstruction: String?
  /// What is recorded while it runs; identifiers are unique in the protocol.
  package var recorderConfigurations: [RecorderConfiguration] = []

  /// ResearchKit's defaults.
  package init() {}
}

/// A step that plays one clip.
package struct MusicStep: Hashable, Sendable {
  /// The properties of every active step; the duration is above zero: the stimulus lasts exactly that long.
  package var active: ActiveStep
  /// Which clip.
  package var clip: ClipChoice
  /// What happens when the clip is shorter than the step.
  package var whenShorter: WhenShorter
  /// How long the sound takes to rise from silence (a raised-cosine ramp inside the step's duration).
  package var fadeIn: Duration
  /// How long the sound takes to fall to silence (a raised-cosine ramp inside the step's duration).
  package var fadeOut: Duration
  /// The loudness that the clip is brought to; `nil` plays the file as it is.
  package var loudness: LoudnessTarget?

  /// How many samples of a clip are held in memory at most, all channels counted.
  ///
  /// They take 2 GiB: an hour and 40 minutes of CD stereo. A shorter clip may be looped for as long as the step lasts.
  package static let mostSamples = 1 << 29

  /// What happens when the clip is shorter than the step.
  package enum WhenShorter: String, Sendable, CaseIterable {
    /// The protocol is refused for that clip.
    case refuse
    /// The clip begins again, without a gap.
    case loop
    /// The clip ends, and silence follows until the step's end.
    case end
  }

  /// A music step.
  package init(
    active: ActiveStep, clip: ClipChoice = .random(from: nil, mood: nil), whenShorter: WhenShorter = .refuse,
    fadeIn: Duration = .zero, fadeOut: Duration = .zero, loudness: LoudnessTarget? = nil
  ) {
    self.active = active
    self.clip = clip
    self.whenShorter = whenShorter
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.loudness = loudness
  }
}

/// Which clip a music step plays.
package enum ClipChoice: Hashable, Sendable {
  /// The clip of that name.
  case named(String)
  /// One drawn at random: from the names, or from all clips of the folder; of one mood, where it is given.
  case random(from: [String]?, mood: String?)
}

/// The loudness that a clip is brought to by a constant gain (ITU-R BS.1770-4, EBU R 128).
package struct LoudnessTarget: Hashable, Sendable, Codable {
  /// The integrated loudness of what is played, in LUFS.
  package var integrated: Double
  /// The true peak that the gain may not exceed, in dBTP; the gain is lowered to respect it.
  package var truePeakLimit: Double

  private enum CodingKeys: String, CodingKey {
    case integrated = "integrated_LUFS"
    case truePeakLimit = "truePeakLimit_dBTP"
  }

  /// A loudness that misses the target by no more than this, in LU, meets it.
  package static let negligible = 0.05

  /// A target.
  package init(integrated: Double, truePeakLimit: Double = -1) {
    self.integrated = integrated
    self.truePeakLimit = truePeakLimit
  }
}

/// What is recorded during a step; which sensor it comes from is the station's business.
package struct RecorderConfiguration: Hashable, Sendable {
  /// The recorder's identifier, unique in its protocol.
  package var identifier: String
  /// What is recorded.
  package var quantityType: QuantityType
  /// The unit in which it is written.
  package var unit: Unit
  /// How long after the step's end a sample may still arrive whose time lies inside it.
  package var settle: Duration
  /// How active the participant is meanwhile, as the protocol asks it of them: the station does not measure it.
  package var motionContext: Metadata.MotionContext

  /// A recorder's configuration.
  package init(
    identifier: String, quantityType: QuantityType, unit: Unit, settle: Duration = .seconds(3),
    motionContext: Metadata.MotionContext = .notSet
  ) {
    self.motionContext = motionContext
    self.identifier = identifier
    self.quantityType = quantityType
    self.unit = unit
    self.settle = settle
  }
}
