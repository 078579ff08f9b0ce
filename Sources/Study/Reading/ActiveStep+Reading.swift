import Basics
import Quantities

extension ActiveStep {
  /// The keys of every active step, in their recommended order.
  static let keys: [String] = [
    "stepDuration", "shouldShowDefaultTimer", "shouldSpeakCountDown", "shouldSpeakRemainingTimeAtHalfway",
    "shouldStartTimerAutomatically", "shouldPlaySoundOnStart", "shouldPlaySoundOnFinish", "shouldVibrateOnStart",
    "shouldVibrateOnFinish", "shouldUseNextAsSkipButton", "shouldContinueOnFinish", "spokenInstruction",
    "finishedSpokenInstruction", "keys", "recorderConfigurations",
  ]

  /// The longest duration of a step: one day, in seconds.
  static let longest: Double = 86_400

  /// Reads the properties of every active step; missing or invalid ones keep ResearchKit's defaults.
  ///
  /// - Parameters:
  ///   - object: the step.
  ///   - defaults: the defaults of the kind of step.
  /// - Returns: the properties.
  static func read(_ object: LocatedObject, defaults: ActiveStep = ActiveStep()) -> ActiveStep {
    var active = defaults
    if let place = object["stepDuration"] { active.readDuration(place) }
    for (key, property) in truthValues {
      if let value = object[key]?.bool() { active[keyPath: property] = value }
    }
    active.spokenInstruction = object["spokenInstruction"]?.string()
    active.finishedSpokenInstruction = object["finishedSpokenInstruction"]?.string()
    active.readKeys(object)
    let recorders = object["recorderConfigurations"]?
      .elements("an array of recorders", atMost: StudyProtocolReader.mostRecorders)
    active.recorderConfigurations = recorders?.compactMap(RecorderConfiguration.read) ?? []
    active.checkRating(object)
    return active
  }

  private mutating func readDuration(_ place: Located) {
    guard case .object = place.node.content else {
      if let duration = place.seconds(in: 0...Self.longest) { stepDuration = duration }
      return
    }
    guard let jitter = Jitter.read(place, longest: Self.longest) else { return }
    self.jitter = jitter
    stepDuration = jitter.maximum
  }

  private static var truthValues: [(String, WritableKeyPath<ActiveStep, Bool>)] {
    [
      ("shouldShowDefaultTimer", \.shouldShowDefaultTimer),
      ("shouldSpeakCountDown", \.shouldSpeakCountDown),
      ("shouldSpeakRemainingTimeAtHalfway", \.shouldSpeakRemainingTimeAtHalfway),
      ("shouldStartTimerAutomatically", \.shouldStartTimerAutomatically),
      ("shouldPlaySoundOnStart", \.shouldPlaySoundOnStart),
      ("shouldPlaySoundOnFinish", \.shouldPlaySoundOnFinish),
      ("shouldVibrateOnStart", \.shouldVibrateOnStart),
      ("shouldVibrateOnFinish", \.shouldVibrateOnFinish),
      ("shouldUseNextAsSkipButton", \.shouldUseNextAsSkipButton),
      ("shouldContinueOnFinish", \.shouldContinueOnFinish),
    ]
  }
}
