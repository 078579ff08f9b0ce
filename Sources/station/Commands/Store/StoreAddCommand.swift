import Bundles
import HealthStore

/// `station store add [BUNDLE…]`: takes bundles into the store, each once.
struct StoreAddCommand: Command {
  static let syntax = CommandSyntax(
    "store add", operands: "[BUNDLE…]", count: 0...1_000_000,
    "takes bundles into the store, each once; without one, all of the results folder",
    options: StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let bundles: [String]

  init(_ arguments: Arguments) {
    location = StoreLocation(arguments)
    bundles = arguments.operands
  }

  func run() async throws -> ExitStatus {
    let results = ResultsFolder(location.results)
    let paths = bundles.isEmpty ? try results.trials().map(results.bundlePath(named:)) : bundles
    guard !paths.isEmpty else { throw Failure("there are no bundles in “\(location.results)”") }
    let ingest = StoreIngest(store: try await location.openOrMake(), console: .standard)
    var (added, samples, failed) = (0, 0, 0)
    defer { Console.standard.show(status: "") }
    for (place, path) in paths.enumerated() {
      Console.standard.show(status: "\(place) of \(paths.count) bundles")
      do {
        guard let count = try await ingest.add(Bundle(path)) else { continue }
        added += 1
        samples += count
      } catch let error where StoreIngest.isOfOne(error) {
        Console.standard.complain(error is BundleError ? "\(error)" : "\(path): \(error)")
        failed += 1
      }
    }
    Console.standard.show(status: "")
    Console.standard.line(
      "\(added) bundles taken in with \(samples) samples; \(paths.count - added - failed) were there already")
    return failed == 0 ? .done : .failed
  }
}
