package import Basics

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

  /// Its texts in further languages.
  var translations: [StudyTexts] = []

  /// The languages in which it can be shown, its own first.
  package var languages: [String] { [language].compactMap(\.self) + translations.map(\.language) }

  /// What to know about the station's own words in each language.
  ///
  /// - Parameter station: the station's language, for a protocol that names none.
  /// - Returns: the notes.
  package func languageNotes(_ station: Language) -> [String] {
    ([phrases] + translations.map(\.phrases)).compactMap { $0.completed(in: station).note }
  }

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

  /// Whether a trial in which the participant has asked to stop is discarded, as the consent document says.
  package var discardsWhenStopped: Bool { steps.contains { $0.consent?.discardsWhenStopped ?? false } }

  /// The pictures that it can show.
  package var pictures: [StudyPicture] {
    allSteps.flatMap { step, _ in
      [step.picture].compactMap(\.self) + step.kind.questions.flatMap(\.pictures)
        + (step.trials?.design.conditions.compactMap(\.picture) ?? [])
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

  init(
    identifier: String, version: String, title: String? = nil, sessions: Int = 1,
    clips: ClipsSource? = nil, groups: StudyGroups? = nil, display: Displays = Displays(.participant),
    phrases: Phrases = Phrases(),
    sensorCheck: Duration = SensorCheckStep.defaultLimit,
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

  init(folder: String, embed: Bool = false) {
    self.folder = folder
    self.embed = embed
  }
}

extension StudyProtocol {
  package var markerCodes: MarkerCodes { MarkerCodes(of: steps.compactMap(\.trials).flatMap(\.design.conditions)) }
}

extension StudyProtocol {
  /// The steps with what each shows to the participant, and the phrases of no step.
  ///
  /// - Parameter phrases: what the station itself says.
  /// - Returns: the texts, by the identifier of their step; `nil` for the phrases.
  package func shownTexts(_ phrases: Phrases) -> [(step: String?, texts: [String])] {
    [(nil, Phrase.allCases.map { phrases[$0] })] + allSteps.map { ($0.step.identifier, $0.step.shownTexts(phrases)) }
  }
}

extension Step {
  /// Everything that it shows to the participant.
  fileprivate func shownTexts(_ phrases: Phrases) -> [String] {
    var texts = [
      title, text, detailText, picture?.alternative, active?.spokenInstruction, active?.finishedSpokenInstruction,
    ]
    texts += active?.recorderConfigurations.flatMap { Array($0.anchors.values) } ?? []
    texts += kind.shownTexts(phrases)
    return texts.compactMap(\.self)
  }
}

extension Question {
  /// The question itself, and the words of its answers.
  var shownTexts: [String] {
    let ofAnswers: [String?] =
      switch format {
      case .scale(let scale), .visualAnalogue(let scale): Array(scale.anchors.values)
      case .choice(let choices), .choices(let choices, _): choices.map(\.text)
      case .integer(let number), .decimal(let number): [number.unit]
      case .boolean, .text, .date, .time: []
      }
    return ([prompt] + ofAnswers).compactMap(\.self)
  }
}
