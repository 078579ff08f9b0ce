/// `station manual`: the manual page, made from the help's declarations; Scripts/install station installs it.
struct ManualCommand: Command {
  static let syntax = CommandSyntax("manual", "prints the manual page: station manual | man -l -")

  init(_ arguments: Arguments) {}

  func run() async throws -> ExitStatus {
    Console.standard.write(Array(ManualPage(Station.commands.map(\.syntax)).text.utf8))
    return .done
  }
}
