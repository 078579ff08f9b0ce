import Basics
import Quantities

extension Arguments {
  /// A usage error of this call.
  func refusal(_ reason: String) -> UsageError { UsageError(command: syntax, reason: reason) }

  /// The value that an option's word names; `nil` if the option was not given.
  ///
  /// - Parameters:
  ///   - option: the option's name.
  ///   - choices: the allowed words, with their values.
  /// - Returns: the chosen value.
  /// - Throws: ``UsageError`` for any other word, with the nearest one or all allowed words.
  func choice<Value>(_ option: String, among choices: [(name: String, value: Value)]) throws(UsageError) -> Value? {
    guard let word = self[option] else { return nil }
    return try choice(word, among: choices, or: Self.impossible(word, option))
  }

  /// The case that an option's word names; `nil` if the option was not given.
  func choice<Kind: RawRepresentable<String> & CaseIterable>(
    _ option: String, _ kind: Kind.Type
  ) throws(UsageError) -> Kind? {
    try choice(option, among: Kind.allCases.map { ($0.rawValue, $0) })
  }

  /// The cases that a repeated option's words name.
  func choices<Kind: RawRepresentable<String> & CaseIterable>(
    _ option: String, _ kind: Kind.Type
  ) throws(UsageError) -> [Kind] {
    var chosen: [Kind] = []
    for word in all(option) {
      chosen.append(
        try choice(word, among: Kind.allCases.map { ($0.rawValue, $0) }, or: Self.impossible(word, option)))
    }
    return chosen
  }

  /// The case that an operand names.
  ///
  /// - Parameters:
  ///   - word: the operand.
  ///   - kind: the type of the case.
  ///   - noun: the word for a case in messages: `chart`.
  /// - Returns: the case.
  /// - Throws: ``UsageError`` for any other word, with the nearest one or all allowed words.
  func choice<Kind: RawRepresentable<String> & CaseIterable>(
    operand word: String, _ kind: Kind.Type, called noun: String
  ) throws(UsageError) -> Kind {
    try choice(word, among: Kind.allCases.map { ($0.rawValue, $0) }, or: "there is no \(noun) “\(word)”")
  }

  private func choice<Value>(
    _ word: String, among choices: [(name: String, value: Value)], or reason: String
  ) throws(UsageError) -> Value {
    guard let chosen = choices.first(where: { $0.name == word }) else {
      throw refusal("\(reason); \(Spelling.advice(for: word, among: choices.map(\.name)))")
    }
    return chosen.value
  }

  /// An option's duration with its unit, in seconds if it has none; `nil` if the option was not given.
  ///
  /// - Parameters:
  ///   - option: the option's name.
  ///   - range: the allowed durations in seconds.
  ///   - expectation: what is expected, for messages.
  /// - Returns: the duration.
  /// - Throws: ``UsageError`` for text that is not a duration in the range.
  func duration(
    _ option: String, _ range: ClosedRange<Double>, _ expectation: String
  ) throws(UsageError) -> Duration? {
    guard let text = self[option] else { return nil }
    let units = [("ms", 0.001), ("min", 60), ("s", 1), ("h", 3600)]
    let unit = units.first { text.hasSuffix($0.0) }
    let number = text.dropLast(unit?.0.count ?? 0)
    guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let value = Double(number),
      case let seconds = value * (unit?.1 ?? 1), range.contains(seconds)
    else { throw refusal("invalid value “\(text)” for --\(option): expected \(expectation)") }
    return Duration(seconds: seconds)
  }

  /// An option's number; `nil` if the option was not given.
  ///
  /// - Parameters:
  ///   - option: the option's name.
  ///   - range: the allowed numbers.
  ///   - unit: the unit in messages, in the plural.
  /// - Returns: the number.
  /// - Throws: ``UsageError`` for text that is not a number in the range.
  func number(
    _ option: String, _ range: ClosedRange<Double>, _ unit: String = "seconds"
  ) throws(UsageError) -> Double? {
    guard let text = self[option] else { return nil }
    let unit = unit == "numbers" ? "" : " of \(unit)"
    guard let number = Double(text), range.contains(number) else {
      throw refusal("\(Self.impossible(text, option)): expected a number\(unit) from \(range.brief)")
    }
    return number
  }

  /// An option's integer; `nil` if the option was not given.
  func wholeNumber<Number: FixedWidthInteger>(
    _ option: String, _ range: ClosedRange<Number>
  ) throws(UsageError) -> Number? {
    guard let text = self[option] else { return nil }
    guard let number = Number(text), range.contains(number) else {
      let expected =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw refusal("\(Self.impossible(text, option)): expected an integer \(expected)")
    }
    return number
  }

  /// Which of the options was given; `nil` if none was.
  ///
  /// - Throws: ``UsageError`` if two were given.
  func atMostOne(of options: [String]) throws(UsageError) -> String? {
    let given = options.filter(has)
    guard given.count < 2 else { throw refusal("--\(given[0]) and --\(given[1]) cannot be combined") }
    return given.first
  }

  /// A code of the study, such as a participant's, that an option names; `nil` if the option was not given.
  func code(_ option: String) throws(UsageError) -> String? {
    guard let text = self[option], let reason = StudyCode.problem(with: text, of: option) else {
      return self[option]
    }
    throw refusal("\(Self.impossible(text.visible, option)): \(reason)")
  }

  /// The results folder, which an operand RESULTS or an option names; `results` by default.
  func results() throws(UsageError) -> String {
    guard operands.isEmpty || !has("results") else { throw refusal("RESULTS and --results cannot be combined") }
    return operands.first ?? self["results"] ?? "results"
  }

  /// The beginning of the error for an invalid option value; the expected values follow.
  static func impossible(_ text: String, _ option: String) -> String { "invalid value “\(text)” for --\(option)" }
}

extension OutputForm {
  /// The requested form: JSON (`--json`), a table (`--csv`), or text for people.
  init(_ arguments: Arguments) throws(UsageError) {
    switch try arguments.atMostOne(of: ["json", "csv"]) {
    case "json": self = .json
    case "csv": self = .csv
    default: self = .people
    }
  }
}
