import Basics
import Bundles
import Laboratory
import SampleStore

/// `station store add [BUNDLE…]`: adds bundles to the store, each once.
struct StoreAddCommand: Command {
  static let syntax = CommandSyntax(
    "store add", operands: "[BUNDLE…]", count: 0...1_000_000,
    "adds bundles to the store, each once (default: all in the results folder)",
    options: StoreLocation.operatorOptions + [.init("json", "print one JSON object")])

  private let location: StoreLocation
  private let bundles: [String]
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    bundles = try arguments.trialOperands()
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    let results = ResultsFolder(location.results)
    let paths = bundles.isEmpty ? try results.trials().map(results.bundlePath(named:)) : bundles
    guard !paths.isEmpty else { throw Failure("there are no bundles in “\(location.results)”") }
    defer { Console.standard.show(status: "") }
    let report = try await BundleAddition.add(paths) { [location] in
      StoreIngest(store: try await location.openOrMake()) { Console.standard.report($0) }
    } progress: { done, problem in
      if let problem, !isJSON { Console.standard.report(problem) }
      Console.standard.show(status: "\(done) of \(paths.count) bundles")
    }
    Console.standard.show(status: "")
    if isJSON {
      Console.standard.write(report.json.encoded(pretty: true))
    } else {
      Console.standard.line(report.line)
    }
    return report.problems.isEmpty && report.simulated == 0 ? .done : .failed
  }
}
