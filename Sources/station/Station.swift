import Basics
import Glibc
import Laboratory
import Session

/// The `station` command.
@main
struct Station {
  static let commands = sessions + Command.charts + sending + Command.exports + checks + store

  private static let sessions: [Command] = [
    .run, .console, .validate, .plan, .simulate, PlayCommand.command, .measure, .clips, .sensors, .settings,
    .participants, .withdraw, .list, .show, .verify, .recover, .corrections, .analyse,
  ]

  private static let sending: [Command] = [.report, .send, .outbox, .keys]

  private static let checks: [Command] = [.checkOnset, .checkLevel, .checkLoopback, .checkScreen, .checkSensor]

  private static let store: [Command] = [
    .query, .stats, .energy, .log, .storeAdd, .storeRebuild, .storeImport, .storeTypes, .storeProfile, .storePriority,
    .storeDelete, .storeAuthorize, .storeAudit,
  ]

  /// Commands for installers, which the list of commands does not show.
  private static let hidden: [Command] = [.manual, .completion]

  static func main() async {
    Interrupts.hold()
    let status = await run()
    await StoreLocation.closeAll()
    Console.standard.drain()
    if let error = Console.standard.outputError {
      Console.standard.report("\(error); the output is incomplete")
      Console.standard.drain(within: .milliseconds(100))
      exit(max(status.rawValue, ExitStatus.failed.rawValue))
    }
    exit(status.rawValue)
  }

  private static func run() async -> ExitStatus {
    do {
      return try await dispatch(try words())
    } catch {
      Console.standard.report("\(error)")
      if error is UsageError { return .wrongUsage }
      if error is StudyRefusal || error is SettingsError { return .invalidProtocol }
      if let error = error as? any Misuse, error.isMisuse { return .wrongUsage }
      return (error as? Failure)?.status ?? .failed
    }
  }

  /// The arguments after the program's name.
  ///
  /// The kernel has them: the standard library finds them beside the environment, which a library that is loaded before the
  /// program may have moved.
  ///
  /// - Throws: ``UsageError`` for one that is not UTF-8, whose bytes would be lost and name another file.
  private static func words() throws -> [String] {
    // Each argument ends with a zero.
    let arguments = try File.contents(of: "/proc/self/cmdline").split(separator: 0, omittingEmptySubsequences: false)
    return try arguments.dropLast().enumerated().dropFirst().map { index, bytes in
      guard let word = String(validating: bytes, as: UTF8.self) else {
        let shown = String(decoding: bytes, as: UTF8.self).visible
        throw UsageError(
          command: nil, reason: "argument \(index), “\(shown)”, is not valid UTF-8; correct it, or rename the file")
      }
      return word
    }
  }

  private static func dispatch(_ words: [String]) async throws -> ExitStatus {
    switch words.first {
    case nil: throw UsageError(command: nil, reason: "missing command")
    case "--help"?, "-h"?: Console.standard.line(help(commands))
    case "help"?: return try await dispatch(Array(words.dropFirst()) + ["--help"])
    case "--version"?, "-v"?, "-V"?: Console.standard.line("station \(Version.current)")
    case let name?:
      if let command = (commands + hidden).first(where: { $0.name == name }) {
        return try await perform(command, Array(words.dropFirst()))
      }
      let members = commands.filter { $0.name.hasPrefix("\(name) ") }
      guard members.isEmpty else { return try await dispatch(Array(words.dropFirst()), amid: members, of: name) }
      let names = commands.map { String($0.name.prefix { $0 != " " }) }
      let nearest = Spelling.nearest(to: name, among: names)
      throw UsageError(
        command: nil, reason: "unknown command “\(name)”" + (nearest.map { "; did you mean “\($0)”?" } ?? ""))
    }
    return .done
  }

  /// Chooses among two-word commands with the same first word.
  private static func dispatch(
    _ words: [String], amid members: [Command], of group: String
  ) async throws -> ExitStatus {
    let names = members.map { String($0.name.dropFirst(group.utf8.count + 1)) }
    switch words.first {
    case nil:
      throw UsageError(
        command: nil,
        reason: "missing subcommand after “station \(group)”: choose one of \(names.joined(separator: ", "))")
    case "--help"?, "-h"?: Console.standard.line(help(members))
    case let name?:
      guard let index = names.firstIndex(of: name) else {
        throw UsageError(
          command: nil, reason: "unknown command “\(group) \(name)”; \(Spelling.advice(for: name, among: names))")
      }
      return try await perform(members[index], Array(words.dropFirst()), beside: members)
    }
    return .done
  }

  private static func perform(
    _ command: Command, _ words: [String], beside others: [Command] = []
  ) async throws -> ExitStatus {
    // Every argument after “--” is an operand.
    if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      Console.standard.line(command.help(width: HelpLayout.current.width))
      return .done
    }
    return try await command.perform(Arguments(words, of: command, beside: others))
  }

  private static func help(_ commands: [Command]) -> String {
    let layout = HelpLayout.current
    let rows = commands.map { HelpLayout.Row($0.name, $0.summary) }
    let statuses = "exit status: " + ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
    let end = ["", "“station COMMAND --help” shows the options of a command."] + layout.wrapped(statuses, hanging: 2)
    return (["usage: station COMMAND …", ""] + layout.table(rows) + end).joined(separator: "\n")
  }
}
