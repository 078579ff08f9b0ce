package import Basics
import Bundles
import SampleStore

/// The outcome of adding bundles to a store, each once.
package struct BundleAddition: Sendable {
  /// The number of bundles.
  private let bundles: Int
  private var added = 0
  private var samples = 0
  /// The number of trials of `station simulate`, which were not added.
  package private(set) var simulated = 0
  /// The bundles that could not be added, with the reason.
  package private(set) var problems: [(path: String, reason: String)] = []

  /// Adds bundles.
  ///
  /// - Parameters:
  ///   - paths: the bundles.
  ///   - open: opens the store, and creates it if there is none; called for the first readable bundle.
  ///   - progress: called before each bundle with the number of those before it, and after one that could not be added
  ///     with the problem.
  /// - Returns: the outcome.
  /// - Throws: the errors that concern the whole store.
  package static func add(
    _ paths: [String], open: () async throws -> StoreIngest, progress: (_ done: Int, _ problem: String?) -> Void
  ) async throws -> BundleAddition {
    var outcome = BundleAddition(bundles: paths.count)
    var known: StoreIngest?
    for (place, path) in paths.enumerated() {
      func fail(_ error: any Error) {
        outcome.problems.append((path, "\(error)"))
        progress(place, error is BundleError ? "\(error)" : "\(path): \(error)")
      }
      progress(place, nil)
      let bundle: Bundle
      do throws(BundleError) {
        bundle = try Bundle(path)
      } catch {
        fail(error)
        continue
      }
      let ingest = if let known { known } else { try await open() }
      known = ingest
      do {
        guard let count = try await ingest.add(bundle) else { continue }
        outcome.added += 1
        outcome.samples += count
      } catch is SimulatedTrial {
        outcome.simulated += 1
      } catch let error where StoreIngest.isOfOne(error) {
        fail(error)
      }
    }
    return outcome
  }

  private init(bundles: Int) { self.bundles = bundles }

  private var present: Int { bundles - added - simulated - problems.count }

  /// The outcome for people, without the problems.
  package var line: String {
    "added \(added.counted("bundle")) with \(samples.counted("sample")); "
      + "\(present) \(present == 1 ? "was" : "were") already in the store"
      + (SimulatedTrial.leftOut(simulated).map { "; \($0)" } ?? "")
  }

  /// The outcome as JSON.
  package var json: JSONValue {
    [
      "bundles": .integer(bundles), "addedBundles": .integer(added), "addedSamples": .integer(samples),
      "presentBundles": .integer(present), "simulatedBundles": .integer(simulated),
      "problems": .array(problems.map { ["path": .string($0.path), "reason": .string($0.reason)] }),
    ]
  }
}
