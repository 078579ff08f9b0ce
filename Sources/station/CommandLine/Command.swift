import Basics

/// A command of `station`.
protocol Command: Sendable {
  /// Its name, operands and options.
  static var syntax: CommandSyntax { get }

  /// Whether it handles Ctrl-C itself; otherwise Ctrl-C ends the process.
  static var takesInterrupts: Bool { get }

  /// Reads the arguments, and rejects invalid ones before the command does anything.
  init(_ arguments: Arguments) throws

  /// Runs the command and returns the exit status of the process.
  func run() async throws -> ExitStatus
}

extension Command {
  static var takesInterrupts: Bool { false }

  /// A usage error of this command.
  static func refusal(_ reason: String) -> UsageError { UsageError(command: syntax, reason: reason) }
}

/// A type-erased command, for the list of all commands.
struct AnyCommand: Sendable {
  let syntax: CommandSyntax
  let run: @Sendable (Arguments) async throws -> ExitStatus

  init<Chosen: Command>(_ command: Chosen.Type) {
    self.init(command.syntax, takesInterrupts: command.takesInterrupts) { try Chosen($0).run }
  }

  /// A command of a list of similar ones.
  ///
  /// - Parameters:
  ///   - syntax: its name, operands and options.
  ///   - takesInterrupts: whether it handles Ctrl-C itself.
  ///   - make: reads the arguments, and returns what runs the command.
  init(
    _ syntax: CommandSyntax, takesInterrupts: Bool = false,
    _ make: @escaping @Sendable (Arguments) throws -> @Sendable () async throws -> ExitStatus
  ) {
    self.syntax = syntax
    run = { arguments in
      let run = try make(arguments)
      if arguments.has(CommandSyntax.Option.shared.name) { NewFiles.share() }
      if !takesInterrupts { Interrupts.release() }
      return try await run()
    }
  }
}

/// The exit status of the process.
enum ExitStatus: Int32, Error, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case wrongUsage = 2
  case invalidProtocol = 3
  /// The command finished, but a trial is suspect or bad.
  case suspect = 4

  /// Its meaning in a few words.
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

/// What went wrong, worded for the person at the bench.
struct Failure: Error, CustomStringConvertible {
  let description: String
  let status: ExitStatus

  init(_ description: String, status: ExitStatus = .failed) {
    self.description = description
    self.status = status
  }
}

/// The program's version.
enum Version: Sendable {
  static let current = "0.1.0"
}
