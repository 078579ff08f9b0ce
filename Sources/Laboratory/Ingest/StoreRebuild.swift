package import Basics
package import Bundles
import Quantities
package import SampleStore

/// Makes a store say again what the bundles of a results folder say.
package struct StoreRebuild: Sendable {
  private let store: SampleStore
  private let results: ResultsFolder
  private let report: @Sendable (String) -> Void
  private let progress: @Sendable (_ done: Int, _ all: Int) -> Void

  /// A rebuild of a store.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - results: the results folder.
  ///   - report: called with a sentence for each item that is no sample and was left out.
  ///   - progress: called before each bundle.
  package init(
    store: SampleStore, results: ResultsFolder, report: @escaping @Sendable (String) -> Void,
    progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Void
  ) {
    self.store = store
    self.results = results
    self.report = report
    self.progress = progress
  }

  /// What became of the bundles.
  package struct Outcome: Sendable {
    /// How many were read.
    var bundles = 0
    /// How many of their samples were missing and were added.
    var added = 0
    /// How many the store has in another form than this station makes them of the same bundles.
    var different = 0
    /// How many are trials of `station simulate`, which the store does not take.
    var simulated = 0
    /// Those that could not be read or taken in, with why.
    package var problems: [(path: String, reason: String)] = []

    package init() {}
  }

  /// Takes in what the store lacks of the bundles, except what was deleted from it.
  ///
  /// - Returns: what became of them; nothing of it is told yet.
  package func addMissing() async throws -> Outcome {
    let ingest = StoreIngest(store: store, report: report)
    let names = try results.trials()
    let deleted = try await deletions()
    var outcome = Outcome()
    for (place, name) in names.enumerated() {
      progress(place, names.count)
      do {
        let bundle = try Bundle(results.bundlePath(named: name))
        let receipt = StoreIngest.receipt(bundle.record.trial)
        // A trial that was removed as a whole comes back as a whole.
        let wasTaken = try await store.hasReceipt(receipt)
        let report = try await ingest.save(
          bundle, receipt: wasTaken ? nil : receipt, without: wasTaken ? deleted : [], whenPresent: .keep)
        outcome.added += report.added
        outcome.different += report.different
        outcome.bundles += 1
      } catch is SimulatedTrial {
        outcome.simulated += 1
      } catch {
        guard StoreIngest.isOfOne(error) else { throw error }
        let path = results.bundlePath(named: name)
        outcome.problems.append((path, error is BundleError ? "\(error)" : "\(path): \(error)"))
      }
    }
    return outcome
  }

  /// What was deleted from the store, which must not come back.
  private func deletions() async throws -> Set<UUID> {
    var deleted: Set<UUID> = []
    func gather<Sample>(_ page: (QueryAnchor?) async throws -> SampleChanges<Sample>) async throws {
      var anchor: QueryAnchor?
      var hasMore = true
      while hasMore {
        let changes = try await page(anchor)
        deleted.formUnion(changes.deleted)
        (anchor, hasMore) = (changes.anchor, changes.hasMore)
      }
    }
    for type in try await store.types() {
      try await gather { try await store.changes(of: type, since: $0, limit: 10_000) }
    }
    try await gather { try await store.heartbeatSeriesChanges(since: $0, limit: 1_000) }
    return deleted
  }

  /// The trials that were taken in and have no bundle in the results folder.
  ///
  /// A trial is taken in after its bundle is there: a caller that asks the store first, and then looks, misses none that ends
  /// meanwhile.
  package func missingTrials() async throws -> Set<String> {
    var trials = Set(try await store.receipts().compactMap(StoreIngest.trial))
    for name in try results.trials() where !trials.isEmpty {
      // A folder mostly has its trial's name, which saves reading its result.
      if trials.remove(name) == nil { trials.remove(try Bundle(results.bundlePath(named: name)).record.trial) }
    }
    return trials
  }

  /// Removes the trials that have no bundle in the results folder, each at once and so that it can be taken in again.
  ///
  /// - Returns: how many trials and samples there were.
  package func removeMissing() async throws -> (trials: Int, samples: Int) {
    let missing = try await missingTrials()
    guard !missing.isEmpty else { return (0, 0) }
    let predicate = SamplePredicate(
      metadata: [.allowed(BundleSamples.Key.trial, Set(missing.map { .string($0) }))])
    var samples: [String: Set<UUID>] = [:]
    func put(_ uuid: UUID, _ metadata: Metadata) {
      if case .string(let trial) = metadata[BundleSamples.Key.trial] { samples[trial, default: []].insert(uuid) }
    }
    for type in try await store.types() {
      let found = Collected<QuantitySample>()
      try await store.forEachSample(of: type, matching: predicate) { sample in
        found.add(sample)
        return true
      }
      for sample in found.values { put(sample.uuid, sample.metadata) }
    }
    for series in try await store.heartbeatSeries(matching: predicate) { put(series.uuid, series.metadata) }
    for trial in missing.sorted() {
      try await store.delete(samples[trial] ?? [], forgetting: [StoreIngest.receipt(trial)])
    }
    return (missing.count, samples.values.reduce(0) { $0 + $1.count })
  }
}

extension StoreRebuild.Outcome {
  /// The outcome for people, without the problems.
  package var lines: [String] {
    var lines = ["\(bundles.counted("bundle")); \(added.counted("sample was", "samples were")) missing"]
    if different > 0 {
      lines.append(
        "\(different.counted("sample in the store differs", "samples in the store differ")) from the bundles; "
          + "--from-scratch makes the store again")
    }
    lines += [SimulatedTrial.leftOut(simulated)].compactMap(\.self)
    return lines
  }

  /// The outcome as members of a JSON object.
  package var json: [String: JSONValue] {
    [
      "bundles": .integer(bundles), "addedSamples": .integer(added), "differentSamples": .integer(different),
      "simulatedBundles": .integer(simulated),
      "problems": .array(problems.map { ["path": .string($0.path), "reason": .string($0.reason)] }),
    ]
  }
}
