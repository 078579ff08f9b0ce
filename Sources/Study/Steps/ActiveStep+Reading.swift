import Basics
import Quantities

extension ActiveStep {
  /// The keys of every active step, in their recommended order.
  static let keys: [StepKey] = [
    "stepDuration", "shouldShowDefaultTimer", "shouldSpeakCountDown", "shouldSpeakRemainingTimeAtHalfway",
    "shouldStartTimerAutomatically", "shouldPlaySoundOnStart", "shouldPlaySoundOnFinish", "shouldVibrateOnStart",
    "shouldVibrateOnFinish", "shouldUseNextAsSkipButton", "shouldContinueOnFinish", "spokenInstruction",
    "finishedSpokenInstruction", "keys", "recorderConfigurations",
  ]

  /// The longest duration of a step: one day, in seconds.
  static let maxLength: Double = 86_400

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
    active.spokenInstruction = object["spokenInstruction"].flatMap(readSpeech)
    active.finishedSpokenInstruction = object["finishedSpokenInstruction"].flatMap(readSpeech)
    active.readKeys(object)
    let recorders = object["recorderConfigurations"]?
      .elements("an array of recorders", atMost: StudyProtocolReader.maxRecorders)
    active.recorderConfigurations = recorders?.compactMap(RecorderConfiguration.read) ?? []
    active.checkRating(object)
    return active
  }

  /// Reads a text that is spoken; an empty one is none.
  private static func readSpeech(_ place: Located) -> String? {
    guard let text = place.string(), !text.isEmpty else { return nil }
    let count = text.unicodeScalars.count
    guard count <= maxSpeech else {
      place.report("it has \(count) characters, and at most \(maxSpeech) are spoken; shorten it")
      return nil
    }
    return text
  }

  /// Reports what would be spoken over the clip of a step that plays one.
  static func refuseSpeech(_ object: LocatedObject) {
    if let place = object["spokenInstruction"], place.quietString.map({ !$0.isEmpty }) ?? false {
      place.report("a music step plays its clip from its start; put the instruction into a step before it")
    }
    for key in ["shouldSpeakCountDown", "shouldSpeakRemainingTimeAtHalfway"] {
      guard let place = object[key], case .bool(true) = place.node.content else { continue }
      place.report("nothing is spoken over the clip of a music step; leave it out")
    }
  }

  private mutating func readDuration(_ place: Located) {
    guard case .object = place.node.content else {
      if let duration = place.seconds(in: 0...Self.maxLength) { stepDuration = duration }
      return
    }
    guard let jitter = Jitter.read(place, longest: Self.maxLength) else { return }
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
