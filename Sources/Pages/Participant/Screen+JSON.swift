import Basics
import Bundles
import Quantities
import Session
import Study

extension Screen {
  /// All that a page needs to draw the screen; nothing of it is about clips, conditions, sensors or verdicts.
  ///
  /// - Parameters:
  ///   - number: the screen's number on the page.
  ///   - phrases: the station's words.
  ///   - monitor: the monitor that shows the page.
  ///   - draft: what was entered before the page was loaded again.
  ///   - asksToStop: whether the participant wants to stop, and the operator has not decided.
  /// - Returns: a line of the stream.
  func json(
    number: Int, _ phrases: Phrases, _ monitor: MonitorFacts = MonitorFacts(), draft: JSONValue?, asksToStop: Bool
  ) -> JSONValue {
    var members: [String: JSONValue] = [
      "kind": "screen", "number": .integer(number), "language": .string(language),
      "direction": isRightToLeft ? "rtl" : "ltr", "texts": .array(texts.map { .string($0) }), "help": true,
      "stop": true,
    ]
    members["title"] = title.map { .string($0) }
    if !document.isEmpty {
      members["document"] = .array(
        document.map { .object(["title": .string($0.title ?? ""), "text": .string($0.text)]) })
    }
    members["spoken"] = spoken.map { .string($0) }
    members["trial"] = trial.map { .string(phrases.place(.partNumber, $0.number, of: $0.count)) }
    members["question"] = question.map { .string(phrases.place(.questionNumber, $0.number, of: $0.count)) }
    switch look {
    case .time(let end, let length):
      members["look"] = "ring"
      (members["deadline_ns"], members["length_ms"]) = (.string("\(end.nanoseconds)"), .number(length.seconds * 1000))
    case .cross: members["look"] = "cross"
    case .field(let isBright): members["look"] = isBright ? "white" : "black"
    case nil: break
    }
    members["picture"] = picture?.json(on: monitor)
    members["entry"] = entry?.json(phrases, isRequired: !buttons.contains(.goOn))
    members["draft"] = draft ?? self.draft.flatMap { try? JSONValue(encoding: $0) }.map { ["value": $0, "changes": 0] }
    if asksToStop { members["asksToStop"] = true }
    members["notice"] = asksToStop ? .string(phrases[.stopCalled]) : notice.map { .string(words(of: $0, phrases)) }
    members["buttons"] = .array(
      buttons.map { ["do": .string($0.deed), "text": .string(phrases[$0.phrase])] })
    if !keys.isEmpty { members["keys"] = .array(keys.map { .string($0) }) }
    if isPaused {
      (members["paused"], members["pausedText"]) = (true, .string(phrases[asksToStop ? .stopCalled : .paused]))
    }
    return .object(members)
  }

  /// Whether the answer to a question was refused.
  private func isRefused(_ question: Question) -> Bool {
    if case .form(_, let refused) = entry { refused[question.identifier] != nil } else { true }
  }

  private func words(of notice: Notice, _ phrases: Phrases) -> String {
    switch notice {
    case .headphonesFailed: phrases[.headphonesFailed]
    case .refused(let problem, _):
      questions.first { isRefused($0) }.map { phrases.words(of: problem, for: $0.format) } ?? phrases[.missing]
    }
  }
}

extension Phrases {
  /// The notice that an answer was refused.
  fileprivate func words(of problem: AnswerProblem, for format: AnswerFormat) -> String {
    switch (problem, format) {
    case (.wrongType, .date), (.wrongType, .time): incomplete(format)
    default: notice(of: problem, for: format)
    }
  }

  /// The notice for an entry that is not a valid answer yet.
  fileprivate func incomplete(_ format: AnswerFormat) -> String {
    switch format {
    // A page has fields for the parts of a day or a time, so the participant need not know the format.
    case .date: self[.noDay]
    case .time: self[.noTime]
    case .choices: notice(of: .wrongCount(0), for: format)
    default: notice(of: .wrongType(.text("")), for: format)
    }
  }
}

extension Screen.Button {
  /// What it does on the page.
  fileprivate var deed: String {
    switch self {
    case .skip: "skip"
    case .back: "back"
    case .goOn, .start, .finish, .next, .again: "goOn"
    }
  }

  /// The word on it.
  fileprivate var phrase: Phrase {
    switch self {
    case .goOn, .next: .next
    case .start: .begin
    case .finish: .done
    case .again: .again
    case .skip: .skip
    case .back: .back
    }
  }
}

extension Screen.Entry {
  fileprivate func json(_ phrases: Phrases, isRequired: Bool) -> JSONValue {
    var members: [String: JSONValue]
    switch self {
    case .question(let question): members = question.members(phrases, isRequired: isRequired)
    case .signature(let question):
      members = question.members(phrases, isRequired: isRequired)
      members["kind"] = "signature"
    case .form(let questions, let refused):
      let parts = questions.map { question -> JSONValue in
        var members = question.members(phrases, isRequired: question.isRequired)
        members["name"] = .string(question.identifier)
        members["notice"] = refused[question.identifier].map { .string(phrases.words(of: $0, for: question.format)) }
        return .object(members.filter { $0.value != .null })
      }
      members = ["kind": "form", "questions": .array(parts)]
    case .line(let percent, let anchors):
      members = ["kind": "rating", "value": .integer(percent), "anchors": anchors.json]
    case .volume(let gain, let range, let step):
      members = [
        "kind": "volume", "prompt": .string(phrases[.volume]), "value": .number(gain),
        "minimum": .number(range.lowerBound),
        "maximum": .number(range.upperBound), "step": .number(step),
      ]
    case .side:
      members = [
        "kind": "side", "prompt": .string(phrases[.headphones]), "left": .string(phrases[.left]),
        "right": .string(phrases[.right]),
      ]
    }
    return .object(members.filter { $0.value != .null })
  }
}

extension Question {
  fileprivate func members(_ phrases: Phrases, isRequired: Bool) -> [String: JSONValue] {
    var members = format.members(phrases)
    members["prompt"] = prompt.map { .string($0) }
    members["required"] = .bool(isRequired)
    members["problem"] = .string(phrases.incomplete(format))
    return members
  }
}

extension AnswerFormat {
  fileprivate func members(_ phrases: Phrases) -> [String: JSONValue] {
    switch self {
    case .text(let most): ["kind": "text", "maximum": .integer(most)]
    case .integer(let limits): limits.members("integer")
    case .decimal(let limits): limits.members("decimal")
    case .boolean: ["kind": "boolean", "yes": .string(phrases[.yes]), "no": .string(phrases[.no])]
    case .choice(let choices): ["kind": "choice", "choices": .array(choices.map(\.json))]
    case .choices(let choices, let count):
      [
        "kind": "choices", "choices": .array(choices.map(\.json)), "minimum": .integer(count.lowerBound),
        "maximum": .integer(count.upperBound), "tooMany": .string(phrases.notice(of: .wrongCount(.max), for: self)),
      ]
    case .date: ["kind": "date"]
    case .time: ["kind": "time"]
    case .scale(let scale):
      [
        "kind": "scale", "minimum": .integer(scale.minimum), "maximum": .integer(scale.maximum),
        "anchors": scale.anchors.json,
      ]
    case .visualAnalogue(let scale): ["kind": "line", "anchors": scale.anchors.json]
    }
  }
}

extension NumberAnswerFormat {
  fileprivate func members(_ kind: JSONValue) -> [String: JSONValue] {
    ["kind": kind, "minimum": .finite(minimum), "maximum": .finite(maximum), "unit": .text(unit)]
  }
}

extension AnswerChoice {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["value": .string(value)]
    if showsText { members["text"] = .string(text) }
    members["picture"] = picture?.json
    return .object(members)
  }
}

extension Screen.Picture {
  fileprivate func json(on monitor: MonitorFacts) -> JSONValue {
    var members = picture.members
    // The light is meant, so that its frame comes earlier by the monitor's delay.
    members["from_ns"] = from.map { from in
      .string("\(from.advanced(by: .zero - (monitor.delay?.median ?? .zero)).nanoseconds)")
    }
    return .object(members)
  }
}

extension StudyPicture {
  fileprivate var json: JSONValue { .object(members) }

  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "address": .string(PageFiles.address(of: self)), "alt": .string(alternative), "sha256": .string(sha256),
    ]
    members["width_mm"] = width.map { .number($0) }
    return members
  }
}

extension [Int: String] {
  fileprivate var json: JSONValue {
    .object([String: JSONValue](uniqueKeysWithValues: map { ("\($0.key)", .string($0.value)) }))
  }
}
