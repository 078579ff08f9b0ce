import Basics
import Bundles
import Study

/// `station show BUNDLE`: prints the clip name and the heart JSON, or the whole result, or repeats the draw; `--live`
/// follows a running trial.
struct ShowCommand: Command {
  static let syntax = CommandSyntax(
    "show", operands: "[BUNDLE|TRIAL]", count: 0...1,
    "prints the clip name and the heart JSON of a bundle or trial, or follows a running trial",
    options: [
      .init("json", "print the whole result instead"),
      .init("replay", "repeat the draw of the clip, and report whether it gives the same clip"),
      .init("live", "follow the running trial, or TRIAL if several are running"),
      .init("wait", "with --live: wait for a trial to begin"),
      .init("results", value: "FOLDER", "the results folder of TRIAL (default: results)"),
    ])

  static let takesInterrupts = true

  private enum Answer {
    case heart
    case result
    case replay
    case live(LiveView)
  }

  private let path: String
  private let answer: Answer

  init(_ arguments: Arguments) throws {
    _ = try arguments.atMostOne(of: ["json", "replay", "live"])
    guard !arguments.has("live") else {
      path = ""
      answer = .live(
        LiveView(
          trial: arguments.operands.first, results: arguments["results"] ?? "results", waits: arguments.has("wait"),
          console: .standard))
      return
    }
    guard !arguments.has("wait") else { throw arguments.refusal("--wait needs --live") }
    guard !arguments.operands.isEmpty else {
      throw arguments.refusal("missing BUNDLE or TRIAL; without it, --live follows the running trial")
    }
    path = try arguments.trialOperands()[0]
    answer = arguments.has("json") ? .result : arguments.has("replay") ? .replay : .heart
  }

  func run() async throws -> ExitStatus {
    if case .live(let view) = answer { return try await view.run() }
    Interrupts.release()
    let bundle = try Bundle(path)
    if let note = bundle.skippedNote { Console.standard.report("note: \(note)") }
    if case .replay = answer { return replay(bundle) }
    if case .result = answer {
      Console.standard.write(bundle.result.encoded(pretty: true))
    } else {
      Console.standard.line("clip name: \((bundle.record.clip?.clip.name ?? "none").visible)")
      // The heart data of a day take 27 MB.
      let heart = try bundle.openHeart()
      while case let piece = try heart.read(upTo: 1 << 16), !piece.isEmpty { Console.standard.write(piece) }
    }
    return .done
  }

  private func replay(_ bundle: Bundle) -> ExitStatus {
    let (lines, problem) = bundle.replayedDraw
    for line in lines { Console.standard.line(line) }
    if let problem { Console.standard.report(problem) }
    return problem == nil ? .done : .failed
  }
}
