import Sound

extension CheckOnsetCommand: Command {
  static let syntax = CommandSyntax(
    "check", operands: "onset", count: 1...1, "plays short clips at scheduled moments and says how punctual they were",
    options: [
      .init("clip", value: "CLIP", "play this instead of a tone of 200 ms"),
      .init("trials", value: "N", "how many; 25 unless it is given"),
      .init("speaker", value: "SINK|silent", "the sink to play to, or a private server that nobody hears"),
      .init("json-lines", "print one JSON object a trial: t_call, t_sched, claim, t_ret, uncertainty in nanoseconds"),
    ])

  init(_ arguments: Arguments) throws {
    let what = arguments.operands[0]
    guard what == "onset" else {
      throw UsageError(command: Self.syntax, reason: "“\(what)” cannot be checked; “onset” can")
    }
    let trials = try arguments["trials"].map { text in
      guard let count = Int(text), (1...10_000).contains(count) else {
        throw UsageError(command: Self.syntax, reason: "“\(text)” is not a number of trials; 1 to 10000 is")
      }
      return count
    }
    self.init(
      clip: arguments["clip"], trials: trials ?? 25, speaker: arguments["speaker"],
      jsonLines: arguments.has("json-lines"))
  }

  func run() async throws -> ExitStatus { try await run { Console.standard.line($0) } ? .done : .suspect }
}
