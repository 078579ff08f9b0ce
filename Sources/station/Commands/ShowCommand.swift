import Bundles
import Files
import JSON
import Spelling
import Study

/// `station show BUNDLE`: the clip's name and the heart JSON, the whole result, or the draw made again.
struct ShowCommand: Command {
  static let syntax = CommandSyntax(
    "show", operands: "BUNDLE", count: 1...1, "prints a bundle's clip name and heart JSON",
    options: [
      .init("json", "print the whole result instead"),
      .init("replay", "make the draw of the clip again, and say whether it holds"),
    ])

  let path: String
  let isJSON: Bool
  let isReplay: Bool

  init(_ arguments: Arguments) throws {
    path = arguments.operands[0]
    isJSON = arguments.has("json")
    isReplay = arguments.has("replay")
    guard !(isJSON && isReplay) else {
      throw UsageError(command: Self.syntax, reason: "--json and --replay are two different answers")
    }
  }

  func run() async throws -> ExitStatus {
    let bundle = try Bundle(path)
    if isReplay { return replay(bundle) }
    if isJSON {
      Console.standard.write(bundle.result.encoded(pretty: true))
    } else {
      Console.standard.line("clip name: \((bundle.clipName ?? "none").visible)")
      // A day's heart data are 27 MB.
      let heart = try File(bundle.heartFile, .read)
      while case let piece = try heart.read(upTo: 1 << 16), !piece.isEmpty { Console.standard.write(piece) }
    }
    return .done
  }

  private func replay(_ bundle: Bundle) -> ExitStatus {
    guard let draw = bundle.draw else {
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
    guard draw.holds, bundle.clipName == draw.drawn else {
      Console.standard.complain("the draw does not hold: made again it gives “\((again.drawn ?? "none").visible)”")
      return .failed
    }
    Console.standard.line("made again: “\(drawn)”; the draw holds")
    return .done
  }
}
