import Basics
import Quantities

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
  /// Whether a fixation cross is shown, in the place of the time that is left.
  package var shouldShowFixationCross = false
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

  /// Whether the time that is left is shown.
  package var showsTime: Bool { shouldShowDefaultTimer && !shouldShowFixationCross }

  /// Whether it waits for Return, before it starts or at its end.
  var waitsForReturn: Bool { !shouldStartTimerAutomatically || !shouldContinueOnFinish || stepDuration == .zero }
}

extension ActiveStep {
  /// Reads which keys are recorded.
  mutating func readKeys(_ object: LocatedObject) {
    guard let place = object["keys"], let elements = place.filledElements("an array of keys", atMost: 100) else {
      return
    }
    Located.refuseRepetition(elements, of: "key")
    keys = elements.compactMap { element in
      guard let name = element.name("a key, such as “a” or “space”") else { return nil }
      guard KeyName(rawValue: name) != nil || name.count == 1 && name != " " else {
        element.report(
          "\(element.node.phrase) is not a key: a single character, or "
            + KeyName.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", "))
        return nil
      }
      return name
    }
    if keys.contains(KeyName.enter.rawValue), shouldUseNextAsSkipButton || stepDuration == .zero {
      place.report("Return ends this step, and is not recorded; leave “enter” out")
    }
  }

  /// Reports a second rating, and keys that move the mark of the first.
  func checkRating(_ object: LocatedObject) {
    let ratings = recorderConfigurations.filter { $0.quantityType == .continuousRating }
    if ratings.count > 1 {
      object["recorderConfigurations"]?
        .report("a step has one continuousRating, since the arrow keys move a single mark")
    } else if !ratings.isEmpty, keys.contains(where: KeyName.arrows.contains) {
      object["keys"]?.report("the arrow keys move the mark of the continuousRating; leave them out")
    }
  }
}

extension ActiveStep {
  /// The keys of every active step, in their recommended order.
  static let keys: [StepKey] = [
    "stepDuration", "shouldShowDefaultTimer", "shouldShowFixationCross", "shouldSpeakCountDown",
    "shouldSpeakRemainingTimeAtHalfway", "shouldStartTimerAutomatically", "shouldPlaySoundOnStart",
    "shouldPlaySoundOnFinish", "shouldVibrateOnStart", "shouldVibrateOnFinish", "shouldUseNextAsSkipButton",
    "shouldContinueOnFinish", "spokenInstruction", "finishedSpokenInstruction", "keys", "recorderConfigurations",
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
      .elements("an array of recorders", atMost: RecorderConfiguration.maxCount)
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
      ("shouldShowFixationCross", \.shouldShowFixationCross),
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
