/// The kinds of step, by the names that protocols use.
///
/// A new kind is a file beside this one, which holds its value and conforms to `StepContent`, and its rows here.
package enum StepKind: String, Sendable, CaseIterable {
  /// Text to read.
  case instruction
  /// A clip is played.
  case music
  /// Silence.
  case rest
  /// Seconds are counted down.
  case countdown
  /// The participant walks.
  case walk
  /// Questions.
  case form
  /// Informed consent.
  case consent
  /// Sensors are waited for.
  case sensorCheck
  /// The participant chooses the volume.
  case volume
  /// The participant says on which side noise sounds.
  case headphoneCheck
  /// Trials.
  case trials
  /// The end.
  case completion

  /// What such a step may say, and how it is read.
  var content: any StepContent.Type {
    switch self {
    case .instruction: InstructionStep.self
    case .music: MusicStep.self
    case .rest: RestStep.self
    case .countdown: CountdownStep.self
    case .walk: WalkStep.self
    case .form: FormStep.self
    case .consent: ConsentStep.self
    case .sensorCheck: SensorCheckStep.self
    case .volume: VolumeStep.self
    case .headphoneCheck: HeadphoneCheckStep.self
    case .trials: TrialsStep.self
    case .completion: CompletionStep.self
    }
  }
}

extension Step {
  /// What a step does, with the settings of its kind.
  package enum Kind: Hashable, Sendable {
    /// Text to read; Return continues.
    case instruction
    /// Plays a clip while recorders run.
    case music(MusicStep)
    /// Silence while recorders run.
    case rest(ActiveStep)
    /// Counts seconds down.
    case countdown(ActiveStep)
    /// The participant walks while recorders run.
    case walk(ActiveStep)
    /// Asks questions.
    case form(FormStep)
    /// Asks for informed consent.
    case consent(ConsentStep)
    /// Waits until every sensor has sent a plausible sample.
    case sensorCheck(SensorCheckStep)
    /// Lets the participant choose the volume.
    case volume(VolumeStep)
    /// Checks whether headphones are on the right way round.
    case headphoneCheck(HeadphoneCheckStep)
    /// Performs trials.
    case trials(TrialsStep)
    /// The end; Return closes the trial.
    case completion

    /// The kind's name in protocols.
    package var name: StepKind {
      switch self {
      case .instruction: .instruction
      case .music: .music
      case .rest: .rest
      case .countdown: .countdown
      case .walk: .walk
      case .form: .form
      case .consent: .consent
      case .sensorCheck: .sensorCheck
      case .volume: .volume
      case .headphoneCheck: .headphoneCheck
      case .trials: .trials
      case .completion: .completion
      }
    }
  }
}

/// What steps of a kind may say in a protocol, and how it is read.
protocol StepContent {
  /// The keys beyond those of every step, in their recommended order.
  static var keys: [String] { get }

  /// The objects inside such a step that only this kind has.
  static var objects: [ProtocolObject] { get }

  /// Reads the kind's own keys; `nil` after reporting a problem.
  static func readKind(_ object: LocatedObject) -> Step.Kind?
}

extension StepContent {
  static var keys: [String] { [] }
  static var objects: [ProtocolObject] { [] }
}

/// The content of an instruction step: nothing beyond what every step has.
enum InstructionStep: StepContent {
  static func readKind(_ object: LocatedObject) -> Step.Kind? { .instruction }
}

/// The content of a completion step: nothing beyond what every step has.
enum CompletionStep: StepContent {
  static func readKind(_ object: LocatedObject) -> Step.Kind? { .completion }
}

/// The content of a rest step: that of every active step.
enum RestStep: StepContent {
  static let keys: [String] = ActiveStep.keys

  static func readKind(_ object: LocatedObject) -> Step.Kind? { .rest(ActiveStep.read(object)) }
}

extension MusicStep: StepContent {
  static let keys: [String] = ["clip", "whenShorter", "fadeIn_ms", "fadeOut_ms", "loudness", "onset"] + ActiveStep.keys
  static let objects: [ProtocolObject] = [.clip, .loudness, .onset]

  static func readKind(_ object: LocatedObject) -> Step.Kind? { read(object).map(Step.Kind.music) }
}
