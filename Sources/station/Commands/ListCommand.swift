import Basics
import Bundles

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
    results = try arguments.results()
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    guard try Folder.findFolder(results) else { throw Failure("there is no results folder “\(results.visible)”") }
    let (bundles, problems) = try ResultsFolder(results).bundles()
    if isJSON {
      Console.standard.write(JSONValue.array(bundles.map(\.brief)).encoded(pretty: true))
    } else {
      for line in Bundle.table(bundles).lines { Console.standard.line(line) }
    }
    for problem in problems { Console.standard.report("\(problem)") }
    return problems.isEmpty ? .done : .failed
  }
}
