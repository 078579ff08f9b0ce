/// The station's own texts for a participant, by the keys under which a protocol may replace them.
package enum Phrase: String, Hashable, Sendable, CaseIterable {
  /// The prompt that Return continues.
  case goOn = "continue"
  /// The prompt that Return starts the step.
  case start
  /// The prompt that Return ends a step without a timer.
  case finish
  /// The prompt below a question with a scale.
  case answer
  /// The prompt below a question whose answer is typed.
  case answerText
  /// The prompt below a question with one answer to choose.
  case answerChoice
  /// The prompt below a question with several answers to choose.
  case answerChoices
  /// The prompt below a line on which a mark is moved.
  case answerLine
  /// The prompt while an answer is pointed at, but not chosen yet.
  case choose
  /// The prompt once an answer is chosen.
  case confirm
  /// The mark below a text whose end is not on the screen.
  case more
  /// The prompt above the level of a volume step.
  case volume
  /// The prompt below it: with which keys it is changed.
  case volumeKeys
  /// The question of a headphone check.
  case headphones
  /// The prompt below it: with which keys it is answered.
  case headphonesKeys
  /// The notice that a headphone check failed.
  case headphonesFailed
  /// The question whether the participant consents.
  case agreement
  /// The prompt for a signature.
  case signature
  /// The label of the box in which a signature is drawn, beside the line where a name is typed.
  case draw
  /// The question whether a participant who does not agree means to end the session.
  case refusal
  /// The notice that the session ends without consent.
  case declined
  /// The word for an affirmative answer.
  case yes
  /// The word for a negative answer.
  case no
  /// The notice that a question needs an answer.
  case missing
  /// The notice that a number is needed, or is out of range; `{minimum}` and `{maximum}` are replaced by the numbers.
  case outOfRange
  /// The notice that a number is below its only limit, which replaces `{minimum}`.
  case tooSmall
  /// The notice that a number is above its only limit, which replaces `{maximum}`.
  case tooLarge
  /// The notice that a whole number is needed.
  case wholeNumber
  /// The notice that a number is needed.
  case number
  /// The notice that a date is needed.
  case date
  /// The notice that a date is too early; the earliest replaces `{minimum}`.
  case tooEarly
  /// The notice that a date is too late; the latest replaces `{maximum}`.
  case tooLate
  /// The notice that a time is needed.
  case time
  /// The notice that a text is longer than `{maximum}` characters.
  case tooLong
  /// The notice that fewer than `{minimum}` answers are chosen.
  case tooFew
  /// The notice that more than `{maximum}` answers are chosen.
  case tooMany
  /// The notice that the trial is paused.
  case paused
  /// The notice that the participant is to wait, while the operator attends to something.
  case wait
  /// The announcement at half of a step's time; `{seconds}` is replaced by the number.
  case secondsRemaining
  /// The announcement of the last second.
  case secondRemaining
  /// The notice that the trial is over.
  case end
  /// The button of a page that confirms, or goes on.
  case next
  /// The button of a page that leads to the question before.
  case back
  /// The button that starts a step.
  case begin
  /// The button that ends a step without a timer.
  case done
  /// The button that skips a step.
  case skip
  /// The button that repeats a check.
  case again
  /// The button that calls the operator.
  case help
  /// The notice that the operator was called.
  case helpCalled
  /// The button of a participant who wants to stop.
  case stop
  /// The question whether the participant wants to stop.
  case stopAsk
  /// The answer that the participant does.
  case stopConfirm
  /// The answer that the participant does not.
  case stopCancel
  /// The notice that the operator was told that the participant wants to stop.
  case stopCalled
  /// The notice that the page is open in another window.
  case taken
  /// The key that deletes the last digit.
  case delete
  /// The left side of the headphones.
  case left
  /// The right side of the headphones.
  case right
  /// The notice that there is no day like the one that was entered in three fields.
  case noDay
  /// The notice that there is no time like the one that was entered in two fields.
  case noTime
  /// The words above the fields of a date and of a time.
  case day, month, year, hours, minutes
  /// The place of a question in its form; `{number}` and `{count}` are replaced.
  case questionNumber
  /// The place of a trial in its session; `{number}` and `{count}` are replaced.
  case partNumber
}

/// A protocol's own texts, with the station's in a language for the others.
package struct Phrases: Hashable, Sendable {
  private var own: [Phrase: String]

  /// The language of the texts that the protocol does not replace.
  package var language: Language

  /// The language of the protocol's own texts, as a BCP 47 tag; `nil` for a protocol that names none.
  var ownLanguage: String?

  /// The language of what the participant reads, as a BCP 47 tag: the protocol's, else the station's.
  package var tag: String { ownLanguage ?? language.rawValue }

  /// Whether that language is written from right to left.
  package var isRightToLeft: Bool {
    let parts = tag.lowercased().split(separator: "-").map(String.init)
    if let script = parts.dropFirst().first(where: { $0.count == 4 }) {
      return Self.rightToLeftScripts.contains(script)
    }
    return parts.first.map(Self.rightToLeftLanguages.contains) ?? false
  }

  /// The digits from 0 to 9 as the language writes them; `nil` for 0123456789.
  ///
  /// After the numbering systems of the Unicode CLDR.
  package var digits: String? {
    let parts = tag.lowercased().split(separator: "-").map(String.init)
    let writesLatin = parts.dropFirst().contains { ["ae", "dz", "eh", "ly", "ma", "tn"].contains($0) }
    switch parts.first {
    case "ar" where !writesLatin, "ckb": return "٠١٢٣٤٥٦٧٨٩"
    case "fa", "ps": return "۰۱۲۳۴۵۶۷۸۹"
    default: return nil
    }
  }

  /// A number with the digits of the language.
  func written(_ number: String) -> String {
    guard let digits = digits.map(Array.init) else { return number }
    return String(number.map { $0.isASCII ? $0.wholeNumberValue.map { digits[$0] } ?? $0 : $0 })
  }

  /// The scripts that are written from right to left, by their code in ISO 15924.
  private static let rightToLeftScripts: Set<String> = ["adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"]

  /// The languages that are written in such a script unless their tag names another.
  private static let rightToLeftLanguages: Set<String> = [
    "ar", "arc", "ckb", "dv", "fa", "he", "nqo", "ps", "sd", "syr", "ug", "ur", "yi",
  ]

  /// Creates texts for some phrases; the others are the station's, in a language.
  package init(_ own: [Phrase: String] = [:], language: Language = .english) {
    self.own = own
    self.language = language
  }

  /// The texts with those of the station in the language of what the participant reads, where the station has it.
  ///
  /// - Parameter language: the station's language, for a protocol in another one or in none.
  /// - Returns: the texts.
  package func completed(in language: Language) -> Phrases {
    var phrases = self
    phrases.language = ownLanguage.flatMap(Language.init(tag:)) ?? language
    return phrases
  }

  /// What to know about the station's own words, where some are read: that no native reader has checked
  /// them, or that they are in another language than the protocol's; `nil` for nothing.
  package var note: String? {
    guard Phrase.allCases.contains(where: { own[$0] == nil }) else { return nil }
    if let ownLanguage, Language(tag: ownLanguage) == nil {
      return
        "the station has no words of its own in “\(ownLanguage)”, so those are in “\(language.rawValue)”; give them in "
        + "“phrases”"
    }
    return language.isChecked
      ? nil : "\(Self.unchecked) “\(language.rawValue)”; have them checked, and replace them with “phrases”"
  }

  /// The beginning of a note on a language.
  package static let unchecked = "no native reader has checked the station's own words in"

  /// What is missing of the texts in a language that the station does not have; `nil` for nothing.
  func missingTexts(in language: String) -> String? {
    let missing = Phrase.allCases.filter { own[$0] == nil }
    guard Language(tag: language) == nil, !missing.isEmpty else { return nil }
    let (list, first) = (Language.allCases.map(\.rawValue).joined(separator: ", "), missing.prefix(5).map(\.rawValue))
    return "the station itself has no texts in “\(language)”, only in \(list); add to “phrases”: "
      + first.joined(separator: ", ") + (missing.count > 5 ? " and \(missing.count - 5) more" : "")
  }

  /// The text of a phrase.
  package subscript(phrase: Phrase) -> String { own[phrase] ?? language.text(of: phrase) }

  /// A phrase with a place among so many.
  package func place(_ phrase: Phrase, _ number: Int, of count: Int) -> String {
    self[phrase].replacing("{number}", with: written("\(number)")).replacing("{count}", with: written("\(count)"))
  }

  /// The announcement of the remaining seconds.
  package func remaining(seconds: Int) -> String {
    if seconds == 1, own[.secondsRemaining] == nil || own[.secondRemaining] != nil { return self[.secondRemaining] }
    return self[.secondsRemaining].replacing("{seconds}", with: "\(seconds)")
  }
}
