import Basics
import Bundles
import Quantities

/// `station list`: the bundles of a results folder, one a line.
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
      var table = Table([
        ("start", .left), ("participant", .left), ("session", .left), ("task", .left), ("clip", .left),
        ("samples", .right), ("outcome", .left), ("verdict", .left), ("trial", .left),
      ])
      for bundle in bundles {
        table.add([
          bundle.startDate?.description ?? "", bundle.participant, bundle.session, bundle.task, bundle.clipName ?? "–",
          "\(bundle.samples)", bundle.outcome?.rawValue ?? "", bundle.grade?.rawValue ?? "", bundle.trial,
        ])
      }
      for line in table.lines { Console.standard.line(line) }
    }
    for problem in problems { Console.standard.complain("\(problem)") }
    return problems.isEmpty ? .done : .failed
  }

  private static func json(_ bundle: Bundle) -> JSONValue {
    [
      "trial": .string(bundle.trial),
      "startDate": bundle.startDate.map { .string("\($0)") } ?? nil,
      "participant": .string(bundle.participant),
      "session": .string(bundle.session),
      "task": .string(bundle.task),
      "clip": bundle.clipName.map { .string($0) } ?? nil,
      "samples": .integer(bundle.samples),
      "outcome": bundle.outcome.map { .string($0.rawValue) } ?? nil,
      "verdict": bundle.grade.map { .string($0.rawValue) } ?? nil,
      "path": .string(bundle.path),
    ]
  }
}
