/// `station completion SHELL`: what makes a shell complete commands, options and their values.
struct CompletionCommand: Command {
  /// The shells there are.
  enum Shell: String, CaseIterable {
    case bash
    case zsh
  }

  static let syntax = CommandSyntax(
    "completion", operands: "bash|zsh", count: 1...1, "prints a shell's completion of commands, options and values")

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
