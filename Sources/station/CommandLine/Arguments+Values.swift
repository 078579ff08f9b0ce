import Basics

extension Arguments {
  /// The refusal of this call.
  func refusal(_ reason: String) -> UsageError { UsageError(command: syntax, reason: reason) }

  /// What an option's word stands for; `nil` when it was not given.
  ///
  /// - Parameters:
  ///   - option: the option's name.
  ///   - choices: the words there are, with what they stand for.
  /// - Returns: what was chosen.
  /// - Throws: ``UsageError`` for another word, with the nearest and all that there are.
  func choice<Value>(_ option: String, among choices: [(name: String, value: Value)]) throws(UsageError) -> Value? {
    guard let word = self[option] else { return nil }
    return try choice(word, among: choices, or: Self.impossible(word, option))
  }

  /// The case that an option's word names; `nil` when it was not given.
  func choice<Kind: RawRepresentable<String> & CaseIterable>(
    _ option: String, _ kind: Kind.Type
  ) throws(UsageError) -> Kind? {
    try choice(option, among: Kind.allCases.map { ($0.rawValue, $0) })
  }

  /// The case that an operand names.
  ///
  /// - Parameters:
  ///   - word: the operand.
  ///   - kind: what it names a case of.
  ///   - noun: what a case is called: `chart`.
  /// - Returns: the case.
  /// - Throws: ``UsageError`` for another word, with the nearest and all that there are.
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

  /// An option's number; `nil` when it was not given.
  ///
  /// - Parameters:
  ///   - option: the option's name.
  ///   - range: the numbers that it takes.
  ///   - unit: what they count, in the plural.
  /// - Returns: the number.
  /// - Throws: ``UsageError`` for what is no number, or not in the range.
  func number(
    _ option: String, _ range: ClosedRange<Double>, _ unit: String = "seconds"
  ) throws(UsageError) -> Double? {
    guard let text = self[option] else { return nil }
    let unit = unit == "numbers" ? "" : " of \(unit)"
    guard let number = Double(text), range.contains(number) else {
      throw refusal("\(Self.impossible(text, option)): expected a number\(unit) from \(range.people)")
    }
    return number
  }

  /// An option's whole number; `nil` when it was not given.
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

  /// The one of the options that was given; `nil` when none was.
  ///
  /// - Throws: ``UsageError`` where two were, since an answer has one form.
  func atMostOne(of options: [String]) throws(UsageError) -> String? {
    let given = options.filter(has)
    guard given.count < 2 else { throw refusal("--\(given[0]) and --\(given[1]) cannot be combined") }
    return given.first
  }

  /// How the refusal of an option's value begins; what is expected follows.
  static func impossible(_ text: String, _ option: String) -> String { "invalid value “\(text)” for --\(option)" }
}

/// For whom an answer is written: `--json`, `--csv`, or neither.
enum OutputForm: Sendable {
  case people
  case json
  case csv

  init(_ arguments: Arguments) throws(UsageError) {
    switch try arguments.atMostOne(of: ["json", "csv"]) {
    case "json": self = .json
    case "csv": self = .csv
    default: self = .people
    }
  }
}
