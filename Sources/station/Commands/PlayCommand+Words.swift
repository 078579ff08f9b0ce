import Quantities
import Sound
import Study

extension PlayCommand: Command {
  static let syntax = CommandSyntax(
    "play", operands: "CLIP", count: 1...1, "plays a clip, to listen to it",
    options: [
      .init("duration", value: "SECONDS", "play so much of it"),
      .init("speaker", value: "SINK|silent", "the sink to play to, or a private server that nobody hears"),
    ])

  static let takesInterrupts = true

  init(_ arguments: Arguments) throws {
    let duration = try arguments["duration"].map { text in
      guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
        throw UsageError(command: Self.syntax, reason: "“\(text)” is not a duration; a number of seconds is")
      }
      return Duration(seconds: seconds)
    }
    self.init(clip: arguments.operands[0], duration: duration, speaker: arguments["speaker"])
  }

  func run() async throws -> ExitStatus {
    let console = Console.standard
    let summary = try run(
      started: { player in Interrupts.onEach { player.stop() } },
      progress: { console.show(status: "  ♪ \($0.seconds.fixed(1)) s") })
    console.show(status: "")
    console.line(summary)
    return .done
  }
}
