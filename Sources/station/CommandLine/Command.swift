/// One of the things that `station` does.
protocol Command: Sendable {
  /// The words that it takes.
  static var syntax: CommandSyntax { get }

  /// Whether it takes Ctrl-C itself; otherwise Ctrl-C ends the process.
  static var takesInterrupts: Bool { get }

  /// Reads the words; wrong ones are refused before anything is done.
  init(_ arguments: Arguments) throws

  /// Does it, and says how the process is to end.
  func run() async throws -> ExitStatus
}

extension Command {
  static var takesInterrupts: Bool { false }
}

/// A command whose type is forgotten, for the list of all.
struct AnyCommand: Sendable {
  let syntax: CommandSyntax
  let run: @Sendable (Arguments) async throws -> ExitStatus

  init<Chosen: Command>(_ command: Chosen.Type) {
    syntax = command.syntax
    run = { arguments in
      let command = try Chosen(arguments)
      if !Chosen.takesInterrupts { Interrupts.release() }
      return try await command.run()
    }
  }
}

/// How the process ends.
enum ExitStatus: Int32, Error, CaseIterable, Sendable {
  case done = 0
  case failed = 1
  case wrongUsage = 2
  case invalidProtocol = 3
  /// Everything was done, but a trial is suspect or bad.
  case suspect = 4

  /// What it says, in a few words.
  var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "failed"
    case .wrongUsage: "wrong usage"
    case .invalidProtocol: "invalid protocol"
    case .suspect: "finished, but a trial is suspect or bad"
    }
  }
}

/// What went wrong, in words for the person at the bench.
struct Failure: Error, CustomStringConvertible {
  let description: String
  let status: ExitStatus

  init(_ description: String, status: ExitStatus = .failed) {
    self.description = description
    self.status = status
  }
}
