/// `station completion SHELL`: the script with which a shell completes commands, options and their values.
struct CompletionCommand: Command {
  /// The supported shells.
  enum Shell: String, CaseIterable {
    case bash
    case zsh
  }

  static let syntax = CommandSyntax(
    "completion", operands: "bash|zsh", count: 1...1, "prints the completion script of a shell")

  private let shell: Shell

  init(_ arguments: Arguments) throws(UsageError) {
    shell = try arguments.choice(operand: arguments.operands[0], Shell.self, called: "shell")
  }

  func run() async throws -> ExitStatus {
    let syntaxes = Station.commands.map(\.syntax)
    let script =
      switch shell {
      case .bash: BashCompletion(syntaxes).text
      case .zsh: ZshCompletion(syntaxes).text
      }
    Console.standard.write(Array(script.utf8))
    return .done
  }
}
