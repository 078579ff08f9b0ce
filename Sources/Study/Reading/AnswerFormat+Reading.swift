import Basics

extension QuestionKind {
  /// The keys beyond those of every question, in their recommended order.
  var keys: [String] {
    switch self {
    case .text: ["maximumLength"]
    case .integer, .decimal: ["minimum", "maximum", "unit"]
    case .boolean, .time: []
    case .choice: ["choices"]
    case .choices: ["choices", "minimum", "maximum"]
    case .date: ["earliest", "latest"]
    case .scale: ["minimum", "maximum", "anchors"]
    case .visualAnalogue: ["anchors"]
    }
  }
}

extension AnswerFormat {
  /// Reads the keys of a question's kind; `nil` after reporting a problem.
  static func read(_ kind: QuestionKind, _ object: LocatedObject) -> AnswerFormat? {
    switch kind {
    case .text:
      .text(maximumLength: object["maximumLength"]?.whole(in: 1...maxTextLength) ?? 1000)
    case .integer: NumberAnswerFormat.read(object, isWhole: true).map(integer)
    case .decimal: NumberAnswerFormat.read(object, isWhole: false).map(decimal)
    case .boolean: .boolean
    case .choice: AnswerChoice.read(object, atLeast: 2).map(choice)
    case .choices: readChoices(object)
    case .date: DateAnswerFormat.read(object).map(date)
    case .time: .time
    case .scale: ScaleAnswerFormat.read(object).map(scale)
    case .visualAnalogue: ScaleAnswerFormat.readLine(object).map(visualAnalogue)
    }
  }

  private static func readChoices(_ object: LocatedObject) -> AnswerFormat? {
    let choices = AnswerChoice.read(object, atLeast: 1)
    let limits = 0...AnswerChoice.maxCount
    let minimum = object["minimum"].map { $0.whole(in: limits) } ?? 1
    let maximum = object["maximum"].map { $0.whole(in: 1...AnswerChoice.maxCount) } ?? choices?.count
    guard let choices, let minimum, let maximum else { return nil }
    if minimum > choices.count {
      object["minimum"]?.report("\(minimum) choices are required, and there are only \(choices.count)")
      return nil
    }
    if maximum > choices.count {
      object["maximum"]?.report("\(maximum) choices are allowed, and there are only \(choices.count)")
      return nil
    }
    guard minimum <= maximum else {
      object["maximum"]?.report("the maximum (\(maximum)) must not be below the minimum (\(minimum))")
      return nil
    }
    return .choices(choices, count: minimum...maximum)
  }
}

extension AnswerChoice {
  /// The maximum number of choices of a question.
  static let maxCount = 100

  fileprivate static func read(_ object: LocatedObject, atLeast least: Int) -> [AnswerChoice]? {
    let place = object.required("choices", "what there is to choose: [\"yes\", \"no\", …]")
    guard let place, let elements = place.elements("an array of choices", atMost: maxCount) else { return nil }
    guard elements.count >= least else {
      place.report("expected at least \(least.counted("choice")), found \(elements.count)")
      return nil
    }
    let choices = elements.map(read)
    let values = elements.map { $0.quietMember("value") ?? $0 }
    Located.checkUnique(values) { value, path in
      "“\(value)” is already a choice at \(path); results could not tell them apart"
    }
    return choices.contains(nil) ? nil : choices.compactMap(\.self)
  }

  private static func read(_ place: Located) -> AnswerChoice? {
    if case .string = place.node.content { return place.name("a choice").map { AnswerChoice($0) } }
    guard let object = place.object("a choice as a string or as {\"value\": …, \"text\": …}") else { return nil }
    object.refuseKeys(beside: .answerChoice)
    let value = object.required("value", "what results call this choice")?.name("the choice in results")
    let picture = object["picture"].map(StudyPicture.read)
    let text =
      picture == nil
      ? object.required("text", "what the participant reads")?.name("the choice as it is shown")
      : object["text"]?.name("the choice as it is shown")
    if let with = object["picture"]?.quietMember("with") {
      with.report("the picture of a choice appears with the question")
    }
    guard let value, picture != .some(nil), picture != nil || text != nil else { return nil }
    return AnswerChoice(value, text: text, picture: picture ?? nil)
  }
}

extension NumberAnswerFormat {
  fileprivate static func read(_ object: LocatedObject, isWhole: Bool) -> NumberAnswerFormat? {
    let limits = -maxSize...maxSize
    func number(_ place: Located) -> Double? {
      isWhole ? place.whole(in: limits) : place.number("a number", in: limits)
    }
    let format = NumberAnswerFormat(
      minimum: object["minimum"].flatMap(number), maximum: object["maximum"].flatMap(number),
      unit: object["unit"]?.name("the unit as it is shown"))
    if let least = format.minimum, let most = format.maximum, least > most {
      object["maximum"]?.report("the maximum must not be below the minimum")
      return nil
    }
    return format
  }
}

extension DateAnswerFormat {
  fileprivate static func read(_ object: LocatedObject) -> DateAnswerFormat? {
    func date(_ key: String) -> CalendarDate? {
      guard let place = object[key], let text = place.string("a date") else { return nil }
      if let date = CalendarDate(text) { return date }
      place.report("\(place.node.phrase) is not a date of the calendar; write it as YYYY-MM-DD")
      return nil
    }
    let format = DateAnswerFormat(earliest: date("earliest"), latest: date("latest"))
    if let earliest = format.earliest, let latest = format.latest, earliest > latest {
      object["latest"]?.report("the latest date must not be before the earliest (\(earliest))")
      return nil
    }
    return format
  }
}

extension Located {
  /// A whole number in a closed range.
  fileprivate func whole(in range: ClosedRange<Int>) -> Int? {
    whole(in: Double(range.lowerBound)...Double(range.upperBound)).map { Int($0) }
  }

  fileprivate func whole(in range: ClosedRange<Double>) -> Double? {
    guard let value = number("a whole number", in: range) else { return nil }
    guard value == value.rounded() else {
      expected("a whole number")
      return nil
    }
    return value
  }
}

// MARK: Scales

extension ScaleAnswerFormat {
  fileprivate static func read(_ object: LocatedObject) -> ScaleAnswerFormat? {
    let minimum = object.required("minimum", "the smallest number of the scale").flatMap { $0.whole(in: 0...maxSize) }
    let maximum = object.required("maximum", "the largest number of the scale").flatMap { $0.whole(in: 1...maxSize) }
    let anchors = object["anchors"].map(readAnchors) ?? [:]
    guard let minimum, let maximum else { return nil }
    guard minimum < maximum else {
      object["maximum"]?.report("the maximum (\(maximum)) must be above the minimum (\(minimum))")
      return nil
    }
    for anchor in anchors.keys.sorted() where !(minimum...maximum).contains(anchor) {
      object["anchors"]?.quietMember("\(anchor)")?
        .report("\(anchor) is not on the scale, which goes from \(minimum) to \(maximum)")
    }
    return ScaleAnswerFormat(minimum: minimum, maximum: maximum, anchors: anchors)
  }

  /// Reads the anchors of a line, those of its two ends.
  fileprivate static func readLine(_ object: LocatedObject) -> ScaleAnswerFormat? {
    let meaning = "the words at both ends of the line: {\"0\": \"not at all\", \"100\": \"extremely\"}"
    guard let place = object.required("anchors", meaning) else { return nil }
    let anchors = readAnchors(place)
    for anchor in anchors.keys.sorted() where anchor != 0 && anchor != 100 {
      place.quietMember("\(anchor)")?.report("a line has words at its ends only: “0” and “100”")
    }
    guard case .object(let members) = place.node.content else { return nil }
    for end in ["0", "100"] where !members.contains(where: { $0.key == end }) {
      place.report(
        "the key “\(end)” is missing; it says the words at the \(end == "0" ? "left" : "right") end of the line")
    }
    return ScaleAnswerFormat(minimum: 0, maximum: 100, anchors: anchors)
  }

  private static func readAnchors(_ place: Located) -> [Int: String] {
    guard let object = place.object("an object with words for numbers of the scale: {\"1\": \"unpleasant\"}") else {
      return [:]
    }
    var anchors: [Int: String] = [:]
    for member in object.members {
      guard let number = Int(member.key), 0...maxSize ~= number, "\(number)" == member.key else {
        place.problems.add(at: member.keyOffset, place.path.appending(member.key)) {
          "expected a number of the scale as the key, such as \"1\""
        }
        continue
      }
      if let words = object[member.key]?.name("the words for this number") { anchors[number] = words }
    }
    return anchors
  }
}
