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
