import Basics
import Glibc
import Laboratory
import Session

/// The `station` command.
@main
struct Station {
  static let commands = trialCommands + ExportDocumentCommand.all + otherCommands

  private static let trialCommands: [AnyCommand] = [
    AnyCommand(RunCommand.self), AnyCommand(ValidateCommand.self), AnyCommand(PlanCommand.self),
    AnyCommand(SimulateCommand.self),
    AnyCommand(PlayCommand.self), AnyCommand(MeasureCommand.self),
    AnyCommand(ClipsCommand.self), AnyCommand(SensorsCommand.self), AnyCommand(SettingsCommand.self),
    AnyCommand(ParticipantsCommand.self), AnyCommand(WithdrawCommand.self),
    AnyCommand(ListCommand.self), AnyCommand(ShowCommand.self), AnyCommand(VerifyCommand.self),
    AnyCommand(RecoverCommand.self), AnyCommand(AnalyseCommand.self),
    AnyCommand(ChannelChartCommand.self),
    AnyCommand(RecordingChartCommand<HeartRateKind>.self), AnyCommand(RecordingChartCommand<TachogramKind>.self),
    AnyCommand(RecordingChartCommand<PoincareKind>.self), AnyCommand(RecordingChartCommand<SpectrumKind>.self),
    AnyCommand(RangeChartCommand.self), AnyCommand(ResponseChartCommand.self), AnyCommand(DailyChartCommand.self),
    AnyCommand(PieChartCommand.self),
    AnyCommand(ReportCommand.self),
    AnyCommand(SendCommand.self), AnyCommand(OutboxCommand.self), AnyCommand(KeysCommand.self),
    AnyCommand(ExportBIDSCommand.self), AnyCommand(ExportBundleCommand.self),
    AnyCommand(ExportTableCommand<CSVKind>.self), AnyCommand(ExportTableCommand<JSONLinesKind>.self),
  ]

  private static let otherCommands: [AnyCommand] = [
    AnyCommand(CheckOnsetCommand.self), AnyCommand(CheckLevelCommand.self),
    AnyCommand(CheckLoopbackCommand.self), AnyCommand(CheckSensorCommand.self),
    AnyCommand(QueryCommand.self), AnyCommand(StatsCommand.self), AnyCommand(EnergyCommand.self),
    AnyCommand(LogCommand.self), AnyCommand(StoreAddCommand.self), AnyCommand(StoreRebuildCommand.self),
    AnyCommand(StoreImportCommand.self), AnyCommand(StoreTypesCommand.self), AnyCommand(StoreProfileCommand.self),
    AnyCommand(StorePriorityCommand.self),
    AnyCommand(StoreDeleteCommand.self), AnyCommand(StoreAuthorizeCommand.self), AnyCommand(StoreAuditCommand.self),
  ]

  /// Commands for installers, which the list of commands does not show.
  static let hidden: [AnyCommand] = [AnyCommand(ManualCommand.self), AnyCommand(CompletionCommand.self)]

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
          command: nil, reason: "argument \(index), “\(shown)”, is not valid UTF-8; correct it, or rename the file"
        )
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
      if let command = (commands + hidden).first(where: { $0.syntax.name == name }) {
        return try await perform(command, Array(words.dropFirst()))
      }
      let members = commands.filter { $0.syntax.name.hasPrefix("\(name) ") }
      guard members.isEmpty else { return try await dispatch(Array(words.dropFirst()), amid: members, of: name) }
      let names = commands.map { String($0.syntax.name.prefix { $0 != " " }) }
      let nearest = Spelling.nearest(to: name, among: names)
      throw UsageError(
        command: nil, reason: "unknown command “\(name)”" + (nearest.map { "; did you mean “\($0)”?" } ?? ""))
    }
    return .done
  }

  /// Chooses among two-word commands with the same first word.
  private static func dispatch(
    _ words: [String], amid members: [AnyCommand], of group: String
  ) async throws -> ExitStatus {
    let names = members.map { String($0.syntax.name.dropFirst(group.utf8.count + 1)) }
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
      return try await perform(members[index], Array(words.dropFirst()), beside: members.map(\.syntax))
    }
    return .done
  }

  private static func perform(
    _ command: AnyCommand, _ words: [String], beside others: [CommandSyntax] = []
  ) async throws -> ExitStatus {
    // Every argument after “--” is an operand.
    if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      Console.standard.line(command.syntax.help(width: HelpLayout.current.width))
      return .done
    }
    return try await command.run(command.syntax.parse(words, beside: others))
  }

  private static func help(_ commands: [AnyCommand]) -> String {
    let layout = HelpLayout.current
    let rows = commands.map { HelpLayout.Row($0.syntax.name, $0.syntax.summary) }
    let statuses = "exit status: " + ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
    let end = ["", "“station COMMAND --help” shows the options of a command."] + layout.wrapped(statuses, hanging: 2)
    return (["usage: station COMMAND …", ""] + layout.table(rows) + end).joined(separator: "\n")
  }
}
