package import Basics
package import Quantities

/// The design of an experiment as its researcher wrote it, parsed and validated.
package struct StudyProtocol: Hashable, Sendable {
  /// The protocol's identifier: `MusicTask`.
  package var identifier: String

  /// The protocol's version, numbered by the researcher.
  package var version: String

  /// The protocol's human-readable title.
  package var title: String?

  /// The language of its texts, as a BCP 47 tag; `nil` for the station's own.
  package var language: String?

  /// No stimulus is louder than this where the speaker is calibrated, in dB SPL.
  package var maximumLevel: Double { namedMaximumLevel ?? Self.maximumLevel }

  /// The highest level as the protocol says it; `nil` for the default.
  package var namedMaximumLevel: Double?

  /// The default of that level.
  package static let maximumLevel = 85.0

  /// How many sessions each participant has.
  package var sessions = 1

  /// The folder of its clips; `nil` for a protocol without music.
  package var clips: ClipsSource?

  /// The groups that participants are assigned to; `nil` for a study without groups.
  package var groups: StudyGroups?

  /// How long the station waits before the trial for a plausible sample of every recorder; zero disables the check.
  package var sensorCheck: Duration

  /// The default of that time.
  package static let sensorCheck = Duration.seconds(10)

  /// The audience of the screen during a trial, for each step.
  package var display: Displays

  /// The station's own texts for the participant.
  package var phrases: Phrases

  /// The thresholds for a good trial.
  package var verdict = VerdictThresholds()

  /// The steps in order; identifiers are unique in the whole protocol, and a trial has at most one music step.
  package var steps: [Step]

  /// The recorders that run through whole trials or sessions; identifiers are unique among all recorders.
  package var recorderConfigurations: [RecorderConfiguration] = []

  /// All steps with those inside of others, and where each is in the file.
  package var allSteps: [(step: Step, path: JSONPointer)] {
    func located(_ steps: [Step], _ path: JSONPointer) -> [(step: Step, path: JSONPointer)] {
      steps.enumerated().map { ($1, path.appending($0)) }
    }
    return located(steps, JSONPointer(["steps"])).flatMap { step, path in
      guard let trials = step.trials else { return [(step, path)] }
      let breaks = located(trials.breaks?.steps ?? [], path.appending("breaks").appending("steps"))
      return [(step, path)] + located(trials.steps, path.appending("steps")) + breaks
    }
  }

  /// Whether it is a session of trials, and not a single one.
  package var hasTrials: Bool { steps.contains { $0.trials != nil } }

  /// Whether its participants are enrolled, with an index, numbered sessions and one seed for all.
  ///
  /// A single trial without groups and further sessions enrols no one.
  package var enrolsParticipants: Bool { hasTrials || groups != nil || sessions > 1 }

  /// The steps that play music, each with the clips of a library that it may play.
  package func music(among clips: [Clip]) -> [(music: MusicStep, clips: [Clip])] {
    let ofConditions = steps.compactMap(\.trials).flatMap { trials -> [(music: MusicStep, clips: [Clip])] in
      guard let music = trials.music?.music, music.clip == .condition else { return [] }
      let pools = trials.design.conditions.compactMap(\.pool)
      let all = Set(pools + [trials.practice?.clips].compactMap(\.self)).flatMap { $0.clips(among: clips) }
      let unique = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }.values
      return [(music, unique.sorted { $0.name.precedes($1.name) })]
    }
    let own = allSteps.compactMap { $0.step.music?.music }.filter { $0.clip != .condition }
    return own.map { ($0, Draw.candidates(for: $0, among: clips)) } + ofConditions
  }

  /// What clips are drawn from.
  private var pools: [ClipPool] {
    allSteps.flatMap { step, _ -> [ClipPool] in
      if case .random(let pool)? = step.music?.music.clip { return [pool] }
      guard let trials = step.trials else { return [] }
      return trials.design.conditions.compactMap(\.pool) + [trials.practice?.clips].compactMap(\.self)
    }
  }

  /// The folders inside the folder of clips that clips are drawn from, sorted by their UTF-8 bytes.
  package var clipFolders: [String] { Set(pools.compactMap(\.folder)).sorted { $0.precedes($1) } }

  /// Whether clips are drawn that do not depend on the participant.
  package var hasSharedPools: Bool { pools.contains { !$0.isPersonal } }

  /// Whether any step waits for Return.
  package var waitsForReturn: Bool { allSteps.contains { $0.step.waitsForReturn } }

  /// Creates a protocol.
  package init(
    identifier: String, version: String, title: String? = nil, sessions: Int = 1,
    clips: ClipsSource? = nil, groups: StudyGroups? = nil, display: Displays = Displays(.participant),
    phrases: Phrases = Phrases(),
    sensorCheck: Duration = StudyProtocol.sensorCheck,
    verdict: VerdictThresholds = VerdictThresholds(), steps: [Step]
  ) {
    self.sessions = sessions
    self.display = display
    self.phrases = phrases
    self.verdict = verdict
    self.identifier = identifier
    self.version = version
    self.title = title
    self.clips = clips
    self.groups = groups
    self.sensorCheck = sensorCheck
    self.steps = steps
  }
}

/// The folder of clips that a protocol draws from.
package struct ClipsSource: Hashable, Sendable {
  /// The folder as written in the protocol: absolute, or relative to the protocol's own folder.
  package var folder: String

  /// Whether the drawn file is copied into the bundle.
  package var embed: Bool

  /// Creates a source of clips.
  package init(folder: String, embed: Bool = false) {
    self.folder = folder
    self.embed = embed
  }
}

/// One step of a trial, with ResearchKit's property names.
package struct Step: Hashable, Sendable {
  /// The step's identifier, unique in its protocol.
  package var identifier: String

  /// The heading shown to the participant.
  package var title: String?

  /// The text shown below the heading.
  package var text: String?

  /// Smaller print below the text.
  package var detailText: String?

  /// Whether the participant may skip it (`optional` in the file).
  package var isOptional: Bool

  /// The groups whose participants perform it; `nil` for everyone.
  package var groups: [String]?

  /// Whether a session that is resumed performs it again, if something after it is left (`repeatOnResume` in the file).
  package var isRepeatedOnResume = false

  /// When it is not shown; `nil` for never.
  package var skipWhen: Rule?

  /// Where the trial goes on after it, by the first rule that applies; with the next step if none does.
  package var navigation: [NavigationRule]

  /// What the step does.
  package var kind: any StepContent {
    get { held.content }
    set { held = HeldContent(content: newValue) }
  }

  private var held: HeldContent

  /// The kind's name in protocols.
  package var kindName: String { type(of: kind).kind }

  /// Creates a step.
  package init(
    identifier: String, title: String? = nil, text: String? = nil, detailText: String? = nil, isOptional: Bool = false,
    skipWhen: Rule? = nil, navigation: [NavigationRule] = [], kind: any StepContent
  ) {
    self.identifier = identifier
    self.title = title
    self.text = text
    self.detailText = detailText
    self.isOptional = isOptional
    self.skipWhen = skipWhen
    self.navigation = navigation
    held = HeldContent(content: kind)
  }

  /// The properties of ResearchKit's `ORKActiveStep`; `nil` for a step that only shows text.
  package var active: ActiveStep? { kind.active }

  /// The step with other properties of an active step, if it is one.
  package func with(_ active: ActiveStep) -> Step {
    var step = self
    step.kind = kind.with(active)
    return step
  }

  /// Whether the step waits for Return, before it starts or at its end, when there is a person to press it.
  package var waitsForReturn: Bool { kind.waitsForReturn }
}

/// A content that can be compared.
private struct HeldContent: Hashable, Sendable {
  let content: any StepContent

  static func == (left: HeldContent, right: HeldContent) -> Bool {
    AnyHashable(left.content) == AnyHashable(right.content)
  }

  func hash(into hasher: inout Hasher) { AnyHashable(content).hash(into: &hasher) }
}

/// ResearchKit's `ORKActiveStep`: the same properties with the same defaults.
package struct ActiveStep: Hashable, Sendable {
  /// The step's duration; zero means no timer: the step counts as finished from its start and waits for Return.
  ///
  /// The longest one, where ``jitter`` draws it for each trial.
  package var stepDuration: Duration = .zero
  /// How its duration is drawn; `nil` for a fixed one.
  package var jitter: Jitter?
  /// Whether the remaining time is shown; only with a duration.
  package var shouldShowDefaultTimer = true
  /// Whether “3, 2, 1” is spoken before the end.
  package var shouldSpeakCountDown = false
  /// Whether the remaining time is spoken once, at half of the duration.
  package var shouldSpeakRemainingTimeAtHalfway = false
  /// Whether the step starts when it appears; otherwise it waits for Return.
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
  /// Whether the next step follows automatically when this one has finished.
  package var shouldContinueOnFinish = false
  /// The text spoken at its start.
  package var spokenInstruction: String?
  /// The text spoken at its end.
  package var finishedSpokenInstruction: String?
  /// The keys whose presses are recorded during the step, by ``KeyName``.
  package var keys: [String] = []
  /// The recorders that run during the step; identifiers are unique in the protocol.
  package var recorderConfigurations: [RecorderConfiguration] = []

  /// Creates a step with ResearchKit's defaults.
  package init() {}

  /// Whether it waits for Return, before it starts or at its end.
  var waitsForReturn: Bool { !shouldStartTimerAutomatically || !shouldContinueOnFinish || stepDuration == .zero }
}

/// A step that plays one clip.
package struct MusicStep: Hashable, Sendable {
  /// The properties of every active step; the duration is above zero: the stimulus lasts exactly that long.
  package var activeStep: ActiveStep
  /// The choice of the clip.
  package var clip: ClipChoice
  /// The treatment of a clip that is shorter than the step.
  package var whenShorter: WhenShorter
  /// The length of the rise from silence (a raised-cosine ramp within the step's duration).
  package var fadeIn: Duration
  /// The length of the fall to silence (a raised-cosine ramp within the step's duration).
  package var fadeOut: Duration
  /// The loudness target; `nil` plays the file as it is.
  package var loudness: LoudnessTarget?
  /// The heartbeat that its onset follows; `nil` for an onset as soon as possible.
  package var onset: OnsetLock?

  /// The maximum number of a clip's samples in memory, over all channels.
  ///
  /// They take 2 GiB: an hour and 40 minutes of CD stereo. A shorter clip may be looped for as long as the step lasts.
  package static let maxSamples = 1 << 29

  /// The treatment of a clip that is shorter than the step.
  package enum WhenShorter: String, Sendable, CaseIterable {
    /// The protocol is rejected for that clip.
    case refuse
    /// The clip repeats without a gap.
    case loop
    /// The clip ends, and silence follows until the step's end.
    case end
  }

  /// Creates a music step.
  package init(
    active: ActiveStep, clip: ClipChoice = .random(ClipPool()), whenShorter: WhenShorter = .refuse,
    fadeIn: Duration = .zero, fadeOut: Duration = .zero, loudness: LoudnessTarget? = nil
  ) {
    activeStep = active
    self.clip = clip
    self.whenShorter = whenShorter
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.loudness = loudness
  }
}

/// The choice of a music step's clip.
package enum ClipChoice: Hashable, Sendable {
  /// The clip with that name.
  case named(String)
  /// A random draw from a pool.
  case random(ClipPool)
  /// As the trial's condition says; in the template of a ``TrialsStep`` only.
  case condition
}

/// A loudness that a clip is brought to by a constant gain (ITU-R BS.1770-4, EBU R 128).
package struct LoudnessTarget: Hashable, Sendable, Codable {
  /// The integrated loudness of the played sound, in LUFS.
  package var integrated: Double
  /// The limit for the true peak, in dBTP; the gain is lowered to respect it.
  package var truePeakLimit: Double

  private enum CodingKeys: String, CodingKey {
    case integrated = "integrated_LUFS"
    case truePeakLimit = "truePeakLimit_dBTP"
  }

  /// The largest deviation from the target, in LU, that still counts as meeting it.
  package static let negligible = 0.05

  /// Creates a target.
  package init(integrated: Double, truePeakLimit: Double = -1) {
    self.integrated = integrated
    self.truePeakLimit = truePeakLimit
  }
}

/// A recording during a step; the station determines its sensor.
package struct RecorderConfiguration: Hashable, Sendable {
  /// The recorder's identifier, unique in its protocol.
  package var identifier: String
  /// The quantity to record.
  package var quantityType: QuantityType
  /// The unit of the written values.
  package var unit: Unit
  /// How long after the step's end the recorder accepts samples whose time lies within the step.
  package var settle: Duration
  /// The participant's motion context, as the protocol declares it: the station does not measure it.
  package var motionContext: Metadata.MotionContext
  /// How long it records.
  package var scope = Scope.step
  /// The words at the ends of the scale of a continuous rating, by percent.
  package var anchors: [Int: String] = [:]

  /// How long a recorder records.
  package enum Scope: String, Sendable, CaseIterable, Codable {
    /// While its step is active.
    case step
    /// From the beginning of a trial to its end.
    case trial
    /// From the beginning of a session to its end, through all its trials.
    case session
  }

  /// Whether it records heart rates or RR intervals, which share a file of the bundle.
  package var isOfHeartbeats: Bool { QuantityType.ofHeartbeats.contains(quantityType) }

  /// The names of a bundle's own files, in lower case: what is recorded in a file of its own cannot have them.
  package static let reservedNames = ["heart", "result", "events", "journal", "protocol", "clip", "waveforms"]

  /// Whether a bundle can have a file of the recorder's name.
  package var namesFile: Bool {
    isOfHeartbeats
      || !Self.reservedNames.contains(identifier.lowercased()) && !identifier.contains("/")
        && !identifier.hasPrefix(".") && identifier.utf8.count <= 64
  }

  /// Creates a configuration.
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
