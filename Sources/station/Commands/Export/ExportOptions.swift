import Analysis
import Basics
import Bundles
import Export

/// What all exports have in common: the trials that are taken, and the folder that they are written to.
struct ExportOptions: Sendable {
  /// The `--to` option.
  static let to = CommandSyntax.Option(
    "to", value: "FOLDER", isRequired: true, "the folder to write to; it is created if missing")

  /// The options that choose trials.
  static let choice: [CommandSyntax.Option] = [
    TrialOptions.participant,
    .init("session", value: "N", "only trials of this session"),
    .init("verdict", value: "good|suspect", "only trials with this verdict or a better one"),
    .init("trial", value: "ID", repeats: true, "only this trial; the beginning of its identifier is enough"),
    TrialOptions.includeSimulated,
    StoreLocation.resultsOption,
  ]

  /// The `--json` option.
  static let json = CommandSyntax.Option("json", "print one JSON object with what was written")

  /// The results folders and bundles.
  let operands: [String]
  let folder: String
  let isJSON: Bool
  let selection: TrialSelection

  init(_ arguments: Arguments) throws {
    operands = try arguments.trialOperands()
    guard let folder = arguments["to"] else { throw arguments.refusal("missing --to FOLDER") }
    self.folder = folder
    isJSON = arguments.has("json")
    selection = TrialSelection(
      participant: arguments["participant"], session: arguments["session"], trials: arguments.all("trial"),
      verdict: try arguments.choice("verdict", among: [Verdict.good, .suspect].map { ($0.rawValue, $0) }),
      includesSimulated: try arguments.choice("include", among: [("simulated", true)]) ?? false)
  }

  /// The chosen trials.
  func trials() async throws -> ExportSelection {
    let chosen = try await ExportSelection(operands, selection)
    for note in chosen.notes { Console.standard.report(note) }
    return chosen
  }

  /// Shows how far an export is.
  static func show(_ done: Int, of count: Int) {
    if done % 16 == 0 || done == count { Console.standard.show(status: "trial \(done) of \(count)") }
  }

  /// Prints what came of an export.
  func tell(_ outcome: ExportOutcome) -> ExitStatus {
    Console.standard.show(status: "")
    for problem in outcome.problems { Console.standard.report(problem) }
    if let note = TrialOrder.leftOut(outcome.simulatedLeftOut) { Console.standard.report(note) }
    if isJSON {
      Console.standard.write(outcome.json(folder: folder).encoded(pretty: true))
    } else {
      for line in outcome.lines(folder: folder) { Console.standard.line(line) }
    }
    let isNothing = outcome.withoutFiles > 0 && outcome.withoutFiles == outcome.trials
    return outcome.problems.isEmpty && !isNothing ? .done : .failed
  }
}
