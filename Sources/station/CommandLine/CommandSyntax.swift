import Basics
import Sensors

/// The name, operands and options of one command.
struct CommandSyntax: Sendable {
  /// One option: `--name VALUE`, or `--name` alone.
  struct Option: Sendable {
    let name: String
    let value: String?
    let summary: String
    let repeats: Bool
    let isRequired: Bool
    /// The allowed words, for shell completion; those in `value`, such as `ms|s`, need not be repeated.
    let choices: [String]

    init(
      _ name: String, value: String? = nil, repeats: Bool = false, isRequired: Bool = false, choices: [String] = [],
      _ summary: String
    ) {
      self.name = name
      self.value = value
      self.repeats = repeats
      self.isRequired = isRequired
      self.choices = choices
      self.summary = summary
    }
  }

  /// A further section of the help screen: the forms of a value, keys, an example.
  struct Section: Sendable {
    let title: String
    let rows: [HelpLayout.Row]
  }

  let name: String
  let summary: String
  let operands: String
  let operandCount: ClosedRange<Int>
  private let makeOptions: @Sendable () -> [Option]
  private let makeSections: @Sendable () -> [Section]

  /// The options and sections are made when they are needed: a call needs those of one command.
  init(
    _ name: String, operands: String = "", count: ClosedRange<Int> = 0...0, _ summary: String,
    options: @autoclosure @escaping @Sendable () -> [Option] = [],
    sections: @autoclosure @escaping @Sendable () -> [Section] = []
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    operandCount = count
    makeOptions = options
    makeSections = sections
  }

  var options: [Option] { makeOptions() }

  var sections: [Section] { makeSections() }

  /// Parses the arguments of a call into operands and options.
  ///
  /// Options may be given anywhere, as `--name VALUE` or `--name=VALUE`; what follows `--` is an operand.
  ///
  /// - Parameters:
  ///   - words: what follows the command's name.
  ///   - others: the other commands whose names begin with the same word.
  /// - Returns: the parsed arguments.
  /// - Throws: ``UsageError``.
  func parse(_ words: [String], beside others: [CommandSyntax] = []) throws(UsageError) -> Arguments {
    let options = options
    var arguments = Arguments(syntax: self)
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      if word == "--" {
        arguments.operands += words[index...]
        break
      }
      guard word.hasPrefix("--") else {
        // A negative number is an operand: options begin with two dashes.
        guard word == "-" || !word.hasPrefix("-") || word.dropFirst().first?.isNumber ?? false else {
          throw UsageError(command: self, reason: "unknown option “\(word)”; options begin with --")
        }
        arguments.operands.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = options.first(where: { $0.name == name }) else {
        throw UsageError(command: self, reason: unknown(name, others))
      }
      guard let value = option.value else {
        guard parts.count == 1 else { throw UsageError(command: self, reason: "--\(name) takes no value") }
        arguments.values[name] = [""]
        continue
      }
      let given: String
      if parts.count == 2 {
        given = String(parts[1])
      } else {
        guard index < words.count else {
          throw UsageError(command: self, reason: "missing \(value) after --\(name)")
        }
        given = words[index]
        index += 1
      }
      guard !given.isEmpty else { throw UsageError(command: self, reason: "empty \(value) after --\(name)") }
      guard option.repeats || arguments.values[name] == nil else {
        throw UsageError(command: self, reason: "--\(name) is given twice")
      }
      arguments.values[name, default: []].append(given)
    }
    guard operandCount.contains(arguments.operands.count) else {
      let missing = arguments.operands.count < operandCount.lowerBound
      throw UsageError(
        command: self,
        reason: missing
          ? "missing \(operands)" : "unexpected argument “\(arguments.operands[operandCount.upperBound])”")
    }
    return arguments
  }

  private func unknown(_ option: String, _ others: [CommandSyntax]) -> String {
    let owners = others.filter { $0.options.contains { $0.name == option } }.map { "“\($0.name)”" }
    guard owners.isEmpty else {
      return
        "“\(name)” has no option --\(option); \(owners.joined(separator: ", ")) \(owners.count == 1 ? "has" : "have")"
    }
    let nearest = Spelling.nearest(to: option, among: options.map(\.name))
    return "unknown option “--\(option)”" + (nearest.map { "; did you mean “--\($0)”?" } ?? "")
  }
}

/// The parsed arguments of a call.
struct Arguments: Sendable {
  /// The syntax of the command.
  let syntax: CommandSyntax
  fileprivate(set) var operands: [String] = []
  fileprivate var values: [String: [String]] = [:]

  fileprivate init(syntax: CommandSyntax) { self.syntax = syntax }

  /// Whether the option was given.
  func has(_ option: String) -> Bool { values[option] != nil }

  /// The option's value; `nil` if it was not given.
  subscript(option: String) -> String? { values[option]?.last }

  /// Every value of an option that may be repeated.
  func all(_ option: String) -> [String] { values[option] ?? [] }
}

/// A call that does not fit a command's syntax.
struct UsageError: Error, CustomStringConvertible {
  let command: CommandSyntax?
  let reason: String

  var description: String {
    "\(reason)\n" + (command.map { "usage: \($0.usage)\nsee “station \($0.name) --help”" } ?? "see “station --help”")
  }
}

extension CommandSyntax.Option {
  /// Lets others read what a command writes.
  static let shared = Self("shared", "let others read what is written, as the umask allows (default: only you)")
}

extension CommandSyntax {
  /// `station run PROTOCOL --participant ID [options]`, as the help and the errors show it.
  var usage: String { "station \(usageWords.joined(separator: " "))" }

  /// The words of the usage line after the program's name.
  var usageWords: [String] {
    let required = options.filter(\.isRequired).map(\.spelling)
    let rest = required.count == options.count ? "" : "[options]"
    return ([name, operands] + required + [rest]).filter { !$0.isEmpty }
  }

  /// The help screen, with lines of at most `width` columns unless a single word is longer.
  func help(width: Int) -> String {
    let layout = HelpLayout(width: width)
    var lines = layout.wrapped("usage: \(usage)", indent: 0, hanging: 7)
    lines += [""] + layout.wrapped(summary)
    let rows = options.map { HelpLayout.Row($0.shown, $0.summary) }
    if !rows.isEmpty { lines += [""] + layout.table(rows) }
    for section in sections { lines += [""] + layout.wrapped(section.title) + layout.table(section.rows) }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension CommandSyntax.Option {
  /// `--sensor NAME=SENSOR…`, in a help screen: “…” marks an option that may be given several times.
  var shown: String { spelling + (repeats ? "…" : "") }

  /// `--participant ID`.
  var spelling: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
}

extension CommandSyntax.Section {
  /// The forms that a sensor's address has.
  static let sensors = CommandSyntax.Section(
    title: "SENSOR in --sensor NAME=SENSOR, where NAME is a recorder of the protocol or a quantity type (heartRate):",
    rows: SensorAddress.forms.map { HelpLayout.Row($0.text, $0.meaning) })

  /// The keys during a running trial.
  static let keys = CommandSyntax.Section(
    title: "Keys during a trial, on a terminal:",
    rows: [
      .init("Return", "continue, if a step waits"),
      .init("p", "pause or resume"),
      .init("s", "skip a step that the protocol marks as optional"),
      .init("Ctrl-C", "end the trial and write its bundle; pressed again, offer to discard it"),
    ])
}
