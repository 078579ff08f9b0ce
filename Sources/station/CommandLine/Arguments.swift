import Basics
import Bundles
import Quantities

/// The parsed arguments of a call.
struct Arguments: Sendable {
  let command: Command
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Parses what follows a command's name into operands and options.
  ///
  /// Options may be given anywhere, as `--name VALUE` or `--name=VALUE`; what follows `--` is an operand.
  ///
  /// - Parameters:
  ///   - words: the words of the call.
  ///   - command: the command.
  ///   - others: the other commands whose names begin with the same word.
  /// - Throws: ``UsageError``.
  init(_ words: [String], of command: Command, beside others: [Command] = []) throws(UsageError) {
    self.command = command
    let options = command.options
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("--") else {
        // A negative number is an operand: options begin with two dashes.
        guard word == "-" || !word.hasPrefix("-") || word.dropFirst().first?.isNumber ?? false else {
          throw refusal("unknown option “\(word)”; options begin with --")
        }
        operands.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = options.first(where: { $0.name == name }) else {
        throw refusal(Self.unknown(name, of: command, beside: others))
      }
      guard let value = option.value else {
        guard parts.count == 1 else { throw refusal("--\(name) takes no value") }
        values[name] = [""]
        continue
      }
      guard let given = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw refusal("missing \(value) after --\(name)")
      }
      guard !given.isEmpty else { throw refusal("empty \(value) after --\(name)") }
      guard option.repeats || values[name] == nil else { throw refusal("--\(name) is given twice") }
      values[name, default: []].append(given)
    }
    guard !command.operandCount.contains(operands.count) else { return }
    throw refusal(
      operands.count < command.operandCount.lowerBound
        ? "missing \(command.operands)" : "unexpected argument “\(operands[command.operandCount.upperBound])”")
  }

  private static func unknown(_ option: String, of command: Command, beside others: [Command]) -> String {
    let owners = others.filter { $0.options.contains { $0.name == option } }.map { "“\($0.name)”" }
    guard owners.isEmpty else {
      let verb = owners.count == 1 ? "has" : "have"
      return "“\(command.name)” has no option --\(option); \(owners.joined(separator: ", ")) \(verb)"
    }
    let nearest = Spelling.nearest(to: option, among: command.options.map(\.name))
    return "unknown option “--\(option)”" + (nearest.map { "; did you mean “--\($0)”?" } ?? "")
  }

  func has(_ option: String) -> Bool { values[option] != nil }

  /// The option's value; `nil` if it was not given.
  subscript(option: String) -> String? { values[option]?.last }

  /// Every value of an option that may be repeated.
  func all(_ option: String) -> [String] { values[option] ?? [] }

  var isJSON: Bool { has("json") }

  /// A usage error of this call.
  func refusal(_ reason: String) -> UsageError { UsageError(command: command, reason: reason) }

  /// Does something with the arguments, whose failure is a usage error.
  func checked<Value, Problem: Error>(_ body: () throws(Problem) -> Value) throws(UsageError) -> Value {
    do { return try body() } catch {
      throw refusal("\(error)")
    }
  }

  /// A usage error for the value of an option, with what was expected: `expected a number`.
  func invalid(_ text: String, _ option: String, _ expected: String) -> UsageError {
    refusal("\(Self.impossible(text, option)): \(expected)")
  }

  /// The beginning of the error for an invalid option value; the expected values follow.
  static func impossible(_ text: String, _ option: String) -> String { "invalid value “\(text)” for --\(option)" }
}

// The values of options, all `nil` for an option that was not given; they throw `UsageError` for any other value.
extension Arguments {
  /// The value that an option's word names.
  func choice<Value>(_ option: String, among choices: [(name: String, value: Value)]) throws(UsageError) -> Value? {
    guard let word = self[option] else { return nil }
    return try choice(word, among: choices, or: Self.impossible(word, option))
  }

  /// The case that an option's word names.
  func choice<Kind: RawRepresentable<String> & CaseIterable>(
    _ option: String, _ kind: Kind.Type
  ) throws(UsageError) -> Kind? {
    try choice(option, among: Kind.allCases.map { ($0.rawValue, $0) })
  }

  /// The cases that a repeated option's words name.
  func choices<Kind: RawRepresentable<String> & CaseIterable>(
    _ option: String, _ kind: Kind.Type
  ) throws(UsageError) -> [Kind] {
    try all(option).map { word throws(UsageError) in
      try choice(word, among: Kind.allCases.map { ($0.rawValue, $0) }, or: Self.impossible(word, option))
    }
  }

  /// The case that an operand names, which messages call by a noun: `chart`.
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

  /// A value of an option's text, for which `words` are the allowed forms, as the advice names them.
  func value<Value>(_ option: String, among words: [String], _ read: (String) -> Value?) throws(UsageError) -> Value? {
    guard let text = self[option] else { return nil }
    guard let value = read(text) else {
      throw refusal("\(Self.impossible(text, option)); \(Spelling.advice(for: text, among: words))")
    }
    return value
  }

  /// An option's duration with its unit, in seconds if it has none; the range is in seconds.
  func duration(_ option: String, _ range: ClosedRange<Double>, _ expectation: String) throws(UsageError) -> Duration? {
    guard let text = self[option] else { return nil }
    let units = [("ms", 0.001), ("min", 60), ("s", 1), ("h", 3600)]
    let unit = units.first { text.hasSuffix($0.0) }
    let number = text.dropLast(unit?.0.count ?? 0)
    guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let value = Double(number),
      case let seconds = value * (unit?.1 ?? 1), range.contains(seconds)
    else { throw invalid(text, option, "expected \(expectation)") }
    return Duration(seconds: seconds)
  }

  /// An option's number, with its unit in messages, in the plural.
  func number(_ option: String, _ range: ClosedRange<Double>, _ unit: String = "seconds") throws(UsageError) -> Double?
  {
    guard let text = self[option] else { return nil }
    guard let number = Double(text), range.contains(number) else {
      let unit = unit == "numbers" ? "" : " of \(unit)"
      throw invalid(text, option, "expected a number\(unit) from \(range.brief)")
    }
    return number
  }

  func wholeNumber<Number: FixedWidthInteger>(
    _ option: String, _ range: ClosedRange<Number>
  ) throws(UsageError) -> Number? {
    guard let text = self[option] else { return nil }
    guard let number = Number(text), range.contains(number) else {
      let expected =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw invalid(text, option, "expected an integer \(expected)")
    }
    return number
  }

  /// Which of the options was given, of which no two can be combined.
  @discardableResult func atMostOne(of options: [String]) throws(UsageError) -> String? {
    let given = options.filter(has)
    guard given.count < 2 else { throw refusal("--\(given[0]) and --\(given[1]) cannot be combined") }
    return given.first
  }

  /// A code of the study, such as a participant's, that an option names.
  func code(_ option: String) throws(UsageError) -> String? {
    guard let text = self[option], let reason = StudyCode.problem(with: text, of: option) else { return self[option] }
    throw invalid(text.visible, option, reason)
  }

  /// The results folder that an option names; `results` by default.
  var results: String {
    self["results"] ?? "results"
  }

  /// The results folder, which an operand RESULTS or an option names.
  func resultsOperand() throws(UsageError) -> String {
    guard operands.isEmpty || !has("results") else { throw refusal("RESULTS and --results cannot be combined") }
    return operands.first ?? results
  }

  /// The operands, with trial identifiers replaced by the paths of their bundles.
  ///
  /// Corrections, which `bundles/*` names beside the bundles, are none of several.
  ///
  /// - Throws: `TrialNameError`.
  func trialOperands() throws -> [String] {
    let others = operands.filter { !CorrectionsFile.isNamed($0) }
    return try TrialNames(results: results).paths(of: others.isEmpty ? operands : others)
  }

  /// The form of the answer: JSON (`--json`), a table (`--csv`), or text for people.
  func form() throws(UsageError) -> OutputForm {
    switch try atMostOne(of: ["json", "csv"]) {
    case "json": .json
    case "csv": .csv
    default: .people
    }
  }
}
