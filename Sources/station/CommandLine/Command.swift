import Basics

/// A command of `station`: its name, operands and options, and what it does.
struct Command: Sendable {
  /// A further section of the help screen: the forms of a value, keys, an example.
  struct Section: Sendable {
    let title: String
    let rows: [HelpLayout.Row]
  }

  /// One word, or two for a command of a group: `chart poincare`.
  let name: String
  let summary: String
  let operands: String
  let operandCount: ClosedRange<Int>
  private let takesInterrupts: Bool
  private let makeOptions: @Sendable () -> [Option]
  private let makeSections: @Sendable () -> [Section]
  private let body: @Sendable (Arguments) async throws -> ExitStatus

  /// Declares a command; its options and sections are made when they are needed: a call needs those of one command.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - operands: the operands as the help shows them; “[…]” marks those that may be left out, “…” many.
  ///   - count: the number of operands, if that does not follow from `operands`.
  ///   - summary: what it does, in a line.
  ///   - takesInterrupts: whether it handles Ctrl-C itself; otherwise Ctrl-C ends the process.
  ///   - options: the options.
  ///   - sections: further sections of the help screen.
  ///   - body: rejects invalid arguments before it does anything, and returns the exit status of the process.
  init(
    _ name: String, operands: String = "", count: ClosedRange<Int>? = nil, _ summary: String,
    takesInterrupts: Bool = false, options: @autoclosure @escaping @Sendable () -> [Option] = [],
    sections: @autoclosure @escaping @Sendable () -> [Section] = [],
    body: @escaping @Sendable (Arguments) async throws -> ExitStatus
  ) {
    let words = operands.split(separator: " ")
    self.name = name
    self.summary = summary
    self.operands = operands
    operandCount =
      count ?? words.count {
        !$0.hasPrefix("[") && !$0.hasSuffix("]")
      }...(operands.contains("…") ? 1_000_000 : words.count)
    self.takesInterrupts = takesInterrupts
    makeOptions = options
    makeSections = sections
    self.body = body
  }

  var options: [Option] { makeOptions() }

  var sections: [Section] { makeSections() }

  func perform(_ arguments: Arguments) async throws -> ExitStatus {
    if arguments.has(Option.shared.name) { NewFiles.share() }
    if !takesInterrupts { Interrupts.release() }
    return try await body(arguments)
  }
}

/// An option of a command: `--name VALUE`, or `--name` alone.
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

  static func json(_ answer: String = "one JSON object") -> Option { Option("json", "print \(answer)") }

  /// Lets others read what a command writes.
  static let shared = Option("shared", "let others read what is written, as the umask allows (default: only you)")

  static let results = Option("results", value: "FOLDER", "the results folder (default: results)")

  /// The folder of trials that are named by their identifiers.
  static let resultsOfTrials = Option(
    "results", value: "FOLDER", "the results folder of trials named by identifier (default: results)")

  /// The folder from which a command takes only settings.
  static let resultsOfSettings = Option(
    "results", value: "FOLDER", "the results folder, whose station.json applies (default: results)")
}

/// A call that does not fit a command's syntax.
struct UsageError: Error, CustomStringConvertible {
  let command: Command?
  let reason: String

  var description: String {
    "\(reason)\n" + (command.map { "usage: \($0.usage)\nsee “station \($0.name) --help”" } ?? "see “station --help”")
  }
}

/// What went wrong, worded for the person at the bench.
struct Failure: Error, CustomStringConvertible {
  let description: String
  let status: ExitStatus

  init(_ description: String, status: ExitStatus = .failed) {
    self.description = description
    self.status = status
  }
}

/// The exit status of the process.
enum ExitStatus: Int32, Error, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case wrongUsage = 2
  case invalidProtocol = 3
  case suspect = 4

  var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "failed"
    case .wrongUsage: "wrong usage"
    case .invalidProtocol: "invalid protocol or settings"
    case .suspect: "finished, but a trial is suspect or bad"
    }
  }
}

/// The program's version.
enum Version: Sendable {
  static let current = "0.1.0"
}
