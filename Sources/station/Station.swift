import Spelling
import Glibc

/// The `station` command.
@main
struct Station {
  static let commands: [AnyCommand] = [
    AnyCommand(RunCommand.self), AnyCommand(ValidateCommand.self), AnyCommand(PlayCommand.self),
    AnyCommand(ClipsCommand.self),
    AnyCommand(ListCommand.self), AnyCommand(ShowCommand.self), AnyCommand(VerifyCommand.self),
    AnyCommand(RecoverCommand.self), AnyCommand(CheckOnsetCommand.self),
    AnyCommand(QueryCommand.self), AnyCommand(StatsCommand.self),
  ]

  static func main() async {
    Interrupts.hold()
    let status = await run(Array(CommandLine.arguments.dropFirst()))
    if let error = Console.standard.outputError {
      Console.standard.complain("\(error); what was printed is not whole")
      exit(max(status.rawValue, ExitStatus.failed.rawValue))
    }
    exit(status.rawValue)
  }

  static func run(_ words: [String]) async -> ExitStatus {
    do {
      return try await dispatch(words)
    } catch {
      Console.standard.complain("\(error)")
      if error is UsageError { return .wrongUsage }
      return (error as? Failure)?.status ?? .failed
    }
  }

  private static func dispatch(_ words: [String]) async throws -> ExitStatus {
    switch words.first {
    case nil: throw UsageError(command: nil, reason: "which command?")
    case "--help", "help": Console.standard.line(help)
    case "--version": Console.standard.line("station \(Version.current)")
    case let name?:
      for command in commands where command.syntax.name == name {
        return try await perform(command, Array(words.dropFirst()))
      }
      let nearest = Spelling.nearest(to: name, among: commands.map(\.syntax.name))
      throw UsageError(
        command: nil, reason: "unknown command “\(name)”" + (nearest.map { "; did you mean “\($0)”?" } ?? ""))
    }
    return .done
  }

  private static func perform(_ command: AnyCommand, _ words: [String]) async throws -> ExitStatus {
    if words.contains("--help") {
      Console.standard.line(command.syntax.help)
      return .done
    }
    return try await command.run(command.syntax.parse(words))
  }

  private static var help: String {
    let width = commands.map(\.syntax.name.count).max() ?? 0
    let lines = commands.map { command in
      let name = command.syntax.name
      return "  \(name)\(String(repeating: " ", count: width - name.count))  \(command.syntax.summary)"
    }
    return (["usage: station COMMAND …", ""] + lines + ["", "“station COMMAND --help” tells more about one."])
      .joined(separator: "\n")
  }
}

/// The program's version.
enum Version: Sendable {
  static let current = "0.1.0"
}
