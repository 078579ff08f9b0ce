import Basics
package import Study

extension TrialRecord {
  /// The answer to a question, with its times since the trial's zero.
  package struct Answer: Hashable, Sendable, Codable {
    /// The step that asked.
    package let step: String
    /// The question's identifier.
    package let question: String
    /// The answer.
    package let value: AnswerValue
    /// When the question was shown.
    package let shown: Duration
    /// When the answer was confirmed.
    package let answered: Duration

    /// What tables call the answer: the step, and the question where it has another name.
    package var name: String { Self.name(step: step, question: question) }

    /// What tables call an answer.
    static func name(step: String, question: String) -> String {
      step == question ? step : "\(step)_\(question)"
    }
  }

  /// The member `answers` of a result; results from before there were questions do not have it.
  package struct GivenAnswers: Hashable, Sendable, FlatInJSON {
    /// The answers, in the order of time.
    package let answers: [Answer]

    private enum CodingKeys: String, CodingKey { case answers }

    init(_ answers: [Answer]) { self.answers = answers }

    /// Decodes the member, if it is there.
    package init(from decoder: any Decoder) throws {
      answers = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent([Answer].self, forKey: .answers) ?? []
    }
  }
}

/// With what an input was made.
package enum InputDevice: String, Hashable, Sendable, CaseIterable, Codable {
  /// A keyboard.
  case key
  /// A mouse, a pen or a trackpad.
  case pointer
  /// A finger on a screen.
  case touch
  /// A line of a program or a file, through a pipe.
  case line
}
