import Basics
import Exchange

/// `station summarise FOLDER…`: statistics of the beats of exported JSON Lines, for any number of trials.
struct SummariseCommand: Command {
  static let syntax = CommandSyntax(
    "summarise", operands: "FOLDER…", count: 1...1000,
    "summarises the beats of exports of “export jsonl”, by condition, clip …; for any number of trials",
    options: [
      .init(
        "by", value: BeatSummary.Key.allCases.map(\.rawValue).joined(separator: "|"),
        "what beats are grouped by (default: condition)"),
      .init("json", "print one JSON object"),
    ])

  private let folders: [String]
  private let key: BeatSummary.Key
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    folders = arguments.operands
    key = try arguments.choice("by", BeatSummary.Key.self) ?? .condition
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    let summary = try await BeatSummary(of: folders, by: key) { done, count in
      if done % 16 == 0 || done == count { Console.standard.show(status: "file \(done) of \(count)") }
    }
    Console.standard.show(status: "")
    if isJSON {
      Console.standard.write(summary.json.encoded(pretty: true))
    } else {
      for line in summary.lines { Console.standard.line(line) }
    }
    return .done
  }
}
