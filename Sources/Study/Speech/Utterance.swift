import Basics
import Quantities

/// What an active step says aloud.
package enum Utterance: String, Hashable, Sendable, CaseIterable, Codable {
  /// Its `spokenInstruction`, at its start.
  case instruction
  /// Its `finishedSpokenInstruction`, when it has finished.
  case finished
  /// The remaining time, at half of it.
  case remaining
  /// The number of the third second before its end.
  case three = "3"
  /// The number of the second second before its end.
  case two = "2"
  /// The number of the last second before its end.
  case one = "1"

  /// What it is called in a sentence.
  package var title: String {
    switch self {
    case .instruction: "the spoken instruction"
    case .finished: "the spoken instruction at the finish"
    case .remaining: "the spoken remaining time"
    case .three, .two, .one: "the spoken number \(rawValue)"
    }
  }

  /// The numbers that are counted down, in their order, each with the time that is left when it is due.
  package static let countDown: [(utterance: Utterance, due: Duration)] = [
    (.three, .seconds(3)), (.two, .seconds(2)), (.one, .seconds(1)),
  ]
}

extension ActiveStep {
  /// The longest text that is spoken, in Unicode scalars.
  package static let maxSpeech = 2000

  /// The remaining time that is said at halfway: the first whole second after it; `nil` if there is none.
  package var secondsAtHalfway: Int? {
    let seconds = Int((stepDuration.nanoseconds - 1) / 2_000_000_000)
    return shouldSpeakRemainingTimeAtHalfway && seconds > 0 ? seconds : nil
  }

  /// The text of what the step says aloud; `nil` for what it does not say.
  package func text(of utterance: Utterance, _ phrases: Phrases) -> String? {
    switch utterance {
    case .instruction: spokenInstruction
    case .finished: stepDuration > .zero ? finishedSpokenInstruction : nil
    case .remaining: secondsAtHalfway.map(phrases.remaining)
    case .three, .two, .one: shouldSpeakCountDown && stepDuration > .zero ? utterance.rawValue : nil
    }
  }

  /// Everything that the step says aloud.
  package func speech(_ phrases: Phrases) -> [(utterance: Utterance, text: String)] {
    Utterance.allCases.compactMap { utterance in text(of: utterance, phrases).map { (utterance, $0) } }
  }
}
