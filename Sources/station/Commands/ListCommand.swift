import Basics
import Bundles
import Quantities
import Study

/// `station list`: the bundles of a results folder, one per line.
struct ListCommand: Command {
  static let syntax = CommandSyntax(
    "list", operands: "[RESULTS]", count: 0...1, "lists the bundles of a results folder",
    options: [
      StoreLocation.resultsOption,
      .init("json", "print one JSON array"),
    ])

  let results: String
  let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    guard arguments.operands.isEmpty || !arguments.has("results") else {
      throw arguments.refusal("RESULTS and --results cannot be combined")
    }
    results = arguments.operands.first ?? arguments["results"] ?? "results"
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    guard try Folder.findFolder(results) else { throw Failure("there is no results folder “\(results.visible)”") }
    let (bundles, problems) = try ResultsFolder(results).bundles()
    if isJSON {
      Console.standard.write(JSONValue.array(bundles.map(Self.json)).encoded(pretty: true))
    } else {
      var table = TextTable([
        ("start", .left), ("participant", .left), ("session", .left), ("protocol", .left), ("clip", .left),
        ("samples", .right), ("outcome", .left), ("verdict", .left), ("trial", .left),
      ])
      for record in bundles.map(\.record) {
        table.add([
          "\(record.startDate)", record.participant, record.session, record.studyProtocol.identifier,
          record.clip?.clip.name ?? "–", "\(record.samples)", record.closing.outcome.rawValue,
          record.verdict.rawValue, record.trial,
        ])
      }
      for line in table.lines { Console.standard.line(line) }
    }
    for problem in problems { Console.standard.complain("\(problem)") }
    return problems.isEmpty ? .done : .failed
  }

  private static func json(_ bundle: Bundle) -> JSONValue {
    let record = bundle.record
    return [
      "trial": .string(record.trial),
      "startDate": .string("\(record.startDate)"),
      "participant": .string(record.participant),
      "session": .string(record.session),
      "protocol": .string(record.studyProtocol.identifier),
      "clip": record.clip.map { .string($0.clip.name) } ?? nil,
      "samples": .integer(record.samples),
      "outcome": .string(record.closing.outcome.rawValue),
      "verdict": .string(record.verdict.rawValue),
      "path": .string(bundle.path),
    ]
  }
}
