import Basics
import Bundles
import Exchange
import HealthStore

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
    var known: StoreIngest?
    var (added, samples) = (0, 0)
    var problems: [JSONValue] = []
    func report(_ error: any Error, of path: String) {
      if !isJSON { Console.standard.complain(error is BundleError ? "\(error)" : "\(path): \(error)") }
      problems.append(["path": .string(path), "reason": .string("\(error)")])
    }
    defer { Console.standard.show(status: "") }
    for (place, path) in paths.enumerated() {
      Console.standard.show(status: "\(place) of \(paths.count) bundles")
      let bundle: Bundle
      do throws(BundleError) {
        bundle = try Bundle(path)
      } catch {
        report(error, of: path)
        continue
      }
      // The first readable bundle creates the store.
      let ingest =
        if let known { known } else {
          StoreIngest(store: try await location.openOrMake()) { Console.standard.complain($0) }
        }
      known = ingest
      do {
        guard let count = try await ingest.add(bundle) else { continue }
        added += 1
        samples += count
      } catch let error where StoreIngest.isOfOne(error) {
        report(error, of: path)
      }
    }
    Console.standard.show(status: "")
    let present = paths.count - added - problems.count
    if isJSON {
      let answer: JSONValue = [
        "bundles": .integer(paths.count), "addedBundles": .integer(added), "addedSamples": .integer(samples),
        "presentBundles": .integer(present), "problems": .array(problems),
      ]
      Console.standard.write(answer.encoded(pretty: true))
    } else {
      Console.standard.line(
        "added \(added.counted("bundle")) with \(samples.counted("sample")); "
          + "\(present) \(present == 1 ? "was" : "were") already in the store"
      )
    }
    return problems.isEmpty ? .done : .failed
  }
}
