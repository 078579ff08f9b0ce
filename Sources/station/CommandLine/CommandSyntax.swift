import Spelling

/// The words that one command takes.
struct CommandSyntax: Sendable {
  /// One option: `--name VALUE`, or `--name` alone.
  struct Option: Sendable {
    let name: String
    let value: String?
    let summary: String
    let repeats: Bool
    let isRequired: Bool

    init(
      _ name: String, value: String? = nil, repeats: Bool = false, isRequired: Bool = false, _ summary: String
    ) {
      self.name = name
      self.value = value
      self.repeats = repeats
      self.isRequired = isRequired
      self.summary = summary
    }
  }

  let name: String
  let summary: String
  let operands: String
  let operandCount: ClosedRange<Int>
  let options: [Option]

  init(
    _ name: String, operands: String = "", count: ClosedRange<Int> = 0...0, _ summary: String, options: [Option] = []
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    operandCount = count
    self.options = options
  }

  /// `station run PROTOCOL --participant ID [options]`, as the help and the errors show it.
  var usage: String {
    let required = options.filter(\.isRequired).map(\.spelling)
    let rest = required.count == options.count ? "" : "[options]"
    return (["station", name, operands] + required + [rest]).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The help screen.
  var help: String {
    let width = options.map(\.shown.count).max() ?? 0
    let lines = options.map { option in
      "  \(option.shown)\(String(repeating: " ", count: width - option.shown.count))  \(option.summary)"
    }
    return (["usage: \(usage)", "", summary] + (lines.isEmpty ? [] : [""] + lines)).joined(separator: "\n") + "\n"
  }

  /// Sorts the words of a call into operands and options.
  ///
  /// Options may stand anywhere, as `--name VALUE` or `--name=VALUE`; what follows `--` is an operand.
  ///
  /// - Parameters:
  ///   - words: what follows the command's name.
  ///   - others: commands that somebody may have meant, because their names begin alike.
  /// - Returns: the words, sorted.
  /// - Throws: ``UsageError``.
  func parse(_ words: [String], beside others: [CommandSyntax] = []) throws(UsageError) -> Arguments {
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
        // A number below zero is none of the options, which begin with two dashes.
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
        guard parts.count == 1 else { throw UsageError(command: self, reason: "“--\(name)” takes no value") }
        arguments.values[name] = [""]
        continue
      }
      let given: String
      if parts.count == 2 {
        given = String(parts[1])
      } else {
        guard index < words.count else {
          throw UsageError(command: self, reason: "“--\(name)” needs \(value) after it")
        }
        given = words[index]
        index += 1
      }
      guard !given.isEmpty else { throw UsageError(command: self, reason: "“--\(name)” is given an empty \(value)") }
      guard option.repeats || arguments.values[name] == nil else {
        throw UsageError(command: self, reason: "“--\(name)” stands twice")
      }
      arguments.values[name, default: []].append(given)
    }
    guard operandCount.contains(arguments.operands.count) else {
      let missing = arguments.operands.count < operandCount.lowerBound
      throw UsageError(
        command: self,
        reason: missing
          ? "\(operands) is missing" : "unexpected “\(arguments.operands[operandCount.upperBound])”")
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

extension CommandSyntax.Option {
  /// `--sensor NAME=SENSOR…`, in a help screen: the dots say that it may be given several times.
  fileprivate var shown: String { spelling + (repeats ? "…" : "") }

  /// `--participant ID`.
  fileprivate var spelling: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
}

/// The words of a call, sorted.
struct Arguments: Sendable {
  /// The syntax that they were sorted by.
  let syntax: CommandSyntax
  fileprivate(set) var operands: [String] = []
  fileprivate var values: [String: [String]] = [:]

  fileprivate init(syntax: CommandSyntax) { self.syntax = syntax }

  /// Whether the option was given.
  func has(_ option: String) -> Bool { values[option] != nil }

  /// The option's value; `nil` when it was not given.
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
