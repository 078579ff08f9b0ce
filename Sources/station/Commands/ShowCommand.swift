import Basics
import Bundles
import Study

/// `station show BUNDLE`: the clip's name and the heart JSON, the whole result, or the draw made again; `--live` follows a
/// trial that has no bundle yet.
struct ShowCommand: Command {
  static let syntax = CommandSyntax(
    "show", operands: "[BUNDLE|TRIAL]", count: 0...1,
    "prints the clip name and the heart JSON of a bundle or trial, or follows a trial that runs",
    options: [
      .init("json", "print the whole result instead"),
      .init("replay", "make the draw of the clip again, and say whether it holds"),
      .init("live", "follow the trial that runs; where several do, TRIAL says which"),
      .init("wait", "with --live: wait for a trial to begin"),
      .init("results", value: "FOLDER", "where the trial lies that TRIAL names; “results” unless it is given"),
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
      throw arguments.refusal("missing BUNDLE or TRIAL; --live without one follows the trial that runs")
    }
    path = try arguments.trialOperands()[0]
    answer = arguments.has("json") ? .result : arguments.has("replay") ? .replay : .heart
  }

  func run() async throws -> ExitStatus {
    if case .live(let view) = answer { return try await view.run() }
    Interrupts.release()
    let bundle = try Bundle(path)
    if case .replay = answer { return replay(bundle) }
    if case .result = answer {
      Console.standard.write(bundle.result.encoded(pretty: true))
    } else {
      Console.standard.line("clip name: \((bundle.record.clip?.clip.name ?? "none").visible)")
      // A day's heart data are 27 MB.
      let heart = try bundle.openHeart()
      while case let piece = try heart.read(upTo: 1 << 16), !piece.isEmpty { Console.standard.write(piece) }
    }
    return .done
  }

  private func replay(_ bundle: Bundle) -> ExitStatus {
    guard let draw = bundle.record.clip?.draw else {
      Console.standard.line("nothing was drawn: the protocol names its clip, or has none")
      return .done
    }
    let drawn = (draw.drawn ?? "none").visible
    Console.standard.line("drawn: “\(drawn)”, number \(draw.index) of \(draw.candidates.count), counted from 0")
    Console.standard.line("seed \(draw.seed), generator \(draw.generator), purpose “\(draw.purpose)”")
    guard let again = draw.repeated() else {
      Console.standard.complain("the draw cannot be made again: this station has no generator “\(draw.generator)”")
      return .failed
    }
    guard draw.holds, bundle.record.clip?.clip.name == draw.drawn else {
      Console.standard.complain("the draw does not hold: made again it gives “\((again.drawn ?? "none").visible)”")
      return .failed
    }
    Console.standard.line("made again: “\(drawn)”; the draw holds")
    return .done
  }
}
