package import Bundles
package import Quantities
package import Study

/// All that a participant can see at a moment.
///
/// A presenter draws it and knows no kind of step. It is complete: nothing of an earlier screen is needed to draw it.
package struct Screen: Hashable, Sendable {
  /// Its number in the trial, from 1; what changes on a screen while it is shown keeps its number.
  package var number: Int
  /// The step that it belongs to, by its identifier.
  package var step: String
  /// The number of the step among those of the trial.
  package var place: Count
  /// The number of the trial in its session; `nil` for a single trial, and for what lies around trials.
  package var trial: Count?
  /// The number of the question in its form; `nil` for a screen that asks none.
  package var question: Count?
  package var title: String?
  /// The texts below it.
  package var texts: [String]
  /// The document that is to be read to its end before the entry counts; empty for none.
  package var document: [ConsentStep.Section] = []
  /// What is being said.
  package var spoken: String?
  /// What a step that lasts shows in the middle; `nil` for nothing.
  package var look: Look?
  /// What takes an answer.
  package var entry: Entry?
  /// The keys whose presses are recorded, by `KeyName`.
  package var keys: [String] = []
  /// What the question was answered with before, where it is asked again to be changed.
  package var draft: AnswerValue?
  /// The picture above the entry; `nil` for none, and before it appears.
  package var picture: Picture?
  /// What can be done beside the entry.
  package var buttons: [Button]
  /// Why something has to be done again.
  package var notice: Notice?
  /// The language of the texts, as a BCP 47 tag.
  package var language = Language.english.rawValue
  /// Whether they are written from right to left.
  package var isRightToLeft = false
  /// Whether it is hidden, since the trial is paused.
  package var isPaused = false

  /// A number among a count: question 1 of 2.
  package struct Count: Hashable, Sendable {
    /// The number, from 1.
    package var number: Int
    package var count: Int
  }

  /// What a step that lasts shows in the middle.
  package enum Look: Hashable, Sendable {
    /// The time that is left until a moment, of so much in all.
    case time(until: Moment, of: Duration)
    /// A fixation cross.
    case cross
    /// Nothing but white or black over all of the screen, by which the monitor is measured.
    case field(isBright: Bool)
  }

  /// A picture, and when it appears.
  package struct Picture: Hashable, Sendable {
    package var picture: StudyPicture
    /// The moment at which it is to appear; `nil` for with the screen.
    package var from: Moment?
  }

  /// What takes an answer.
  package enum Entry: Hashable, Sendable {
    /// A question, by the format of its answer.
    case question(Question)
    /// All questions of a form at once, with why each refused answer was.
    case form([Question], refused: [String: AnswerProblem])
    /// The name with which a consent is signed.
    case signature(Question)
    /// The mark of a continuous rating, in percent, between the words at the ends of its line.
    case line(Int, anchors: [Int: String])
    /// A gain in decibels, within a range and in steps.
    case volume(Double, range: ClosedRange<Double>, step: Double)
    /// A side of the headphones.
    case side
  }

  /// What can be done beside the entry.
  package enum Button: Hashable, Sendable {
    case goOn
    /// Start the step.
    case start
    /// Finish a step without a time of its own.
    case finish
    /// Leave out the rest of the step.
    case next
    /// Go back to the question before.
    case back
    /// Do a failed check again.
    case again
    /// Skip the step.
    case skip
  }

  /// Why something has to be done again.
  package enum Notice: Hashable, Sendable {
    /// The answer was not accepted, and neither were those before it, so many times in all.
    case refused(AnswerProblem, times: Int)
    /// A headphone check failed.
    case headphonesFailed
  }
}

extension Screen {
  /// A screen outside of any trial, by which the monitor is measured.
  package static func check(
    _ number: Int, title: String? = nil, texts: [String] = [], look: Look, buttons: [Button] = []
  ) -> Screen {
    Screen(
      number: number, step: "check", place: Count(number: 1, count: 1), title: title, texts: texts, look: look,
      buttons: buttons)
  }

  /// The question that is asked; `nil` where none is.
  package var asked: Question? {
    switch entry {
    case .question(let question), .signature(let question): question
    case .form, .line, .volume, .side, nil: nil
    }
  }

  /// The questions on it.
  package var questions: [Question] {
    if case .form(let questions, _) = entry { questions } else { [asked].compactMap(\.self) }
  }

  /// The texts, and those of the document.
  var allTexts: [String] { texts + document.flatMap { [$0.title, $0.text].compactMap(\.self) } }

  /// Whether the time that is left is shown.
  package var showsTime: Bool { if case .time = look { true } else { false } }

  /// The button that Return presses; `nil` where Return does nothing.
  package var mainButton: Button? { buttons.first { ![.skip, .back].contains($0) } }

  /// The pictures of the screen, and of the choices of its question.
  package var pictures: [StudyPicture] { [picture?.picture].compactMap(\.self) + questions.flatMap(\.pictures) }
}

/// What a participant did on a screen.
package struct ScreenAnswer: Hashable, Sendable {
  /// The number of the screen that it answers: an answer to one that is gone has no effect.
  package var screen: Int
  package var deed: Deed
  /// When and how it was entered.
  package var input: AnswerInput

  package init(screen: Int, _ deed: Deed, _ input: AnswerInput) {
    (self.screen, self.deed, self.input) = (screen, deed, input)
  }

  /// What can be done on a screen.
  package enum Deed: Hashable, Sendable {
    /// The main button was pressed.
    case goOn
    /// The step was skipped.
    case skip
    /// The participant goes back to the question before.
    case back
    /// The question was answered.
    case value(AnswerValue)
    /// The questions of a form were answered, by their identifiers; the others were left without an answer.
    case answers([String: FormAnswer])
    /// A side of the headphones was chosen.
    case side(HeadphoneCheckStep.Side)
    /// The volume was changed to this gain, in decibels.
    case gain(Double)
    /// A consent was signed by hand.
    case drawing(SignatureDrawing)
  }
}

/// The answer to one of the questions that are asked at once.
package struct FormAnswer: Hashable, Sendable {
  package var value: AnswerValue
  /// When its entry was touched for the first time; `nil` where that is not known.
  package var firstContact: Moment?
  /// How often its entry was changed.
  package var changes: Int
  package var device: InputDevice

  package init(value: AnswerValue, firstContact: Moment?, changes: Int, device: InputDevice) {
    (self.value, self.firstContact, self.changes, self.device) = (value, firstContact, changes, device)
  }
}

/// When and how an answer was entered.
package struct AnswerInput: Hashable, Sendable {
  /// When the screen was painted; `nil` where it was not measured.
  package var painted: MeasuredMoment?
  /// When the input was made.
  package var made: MeasuredMoment
  package var device: InputDevice
  /// When the entry was touched for the first time; `nil` where the answer was the first contact.
  package var firstContact: Moment?
  /// How often the entry was changed before the answer was confirmed.
  package var changes: Int

  package init(
    painted: MeasuredMoment? = nil, made: MeasuredMoment, device: InputDevice = .key, firstContact: Moment? = nil,
    changes: Int = 0
  ) {
    (self.painted, self.made, self.device) = (painted, made, device)
    (self.firstContact, self.changes) = (firstContact, changes)
  }
}
