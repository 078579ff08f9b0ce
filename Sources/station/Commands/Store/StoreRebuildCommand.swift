import Bundles
import Files
import HealthStore
import Quantities

/// `station store rebuild`: makes the store say again what the bundles say, and keeps what no bundle holds.
struct StoreRebuildCommand: Command {
  static let syntax = CommandSyntax(
    "store rebuild", "makes the store agree with the bundles again; what was logged or imported stays",
    options: [
      .init("from-scratch", "put a damaged store aside and make a new one from the bundles alone")
    ] + StoreLocation.options)

  private let location: StoreLocation
  private let isFromScratch: Bool

  init(_ arguments: Arguments) {
    location = StoreLocation(arguments)
    isFromScratch = arguments.has("from-scratch")
  }

  func run() async throws -> ExitStatus {
    let results = ResultsFolder(location.results)
    let trials = try results.trials()
    if isFromScratch { try putAside() }
    let store = try await location.openOrMake()
    do {
      return try await rebuild(store, trials, of: results)
    } catch {
      guard (error as? StoreError)?.code == .databaseInaccessible else { throw error }
      throw Failure("\(error); --from-scratch puts the store aside and makes a new one from the bundles alone")
    }
  }

  private func rebuild(_ store: SampleStore, _ trials: [String], of results: ResultsFolder) async throws -> ExitStatus {
    let ingest = StoreIngest(store: store, console: .standard)
    let deleted = try await deletions(store)
    var (added, failed) = (0, 0)
    for (place, trial) in trials.enumerated() {
      Console.standard.show(status: "\(place) of \(trials.count) bundles")
      do {
        let read = try ingest.samples(of: Bundle(results.bundlePath(named: trial)))
        let receipt = StoreIngest.receipt(trial)
        let wasTaken = try await store.hasReceipt(receipt)
        let report = try await store.save(
          read.samples.filter { !deleted.contains($0.uuid) },
          series: read.series.filter { !deleted.contains($0.uuid) },
          receipt: wasTaken ? nil : receipt)
        added += report.added
      } catch let error as BundleError {
        Console.standard.complain("\(error)")
        failed += 1
      }
    }
    Console.standard.show(status: "")
    let removed = failed == 0 ? try await removeOthers(than: Set(trials), from: store) : 0
    Console.standard.line(
      "\(trials.count - failed) bundles; \(added) samples were missing, \(removed) of bundles that are gone were removed"
    )
    if failed > 0 { Console.standard.complain("nothing was removed, because \(failed) bundles cannot be read") }
    return failed == 0 ? .done : .failed
  }

  /// What somebody has deleted from the store, which a rebuilt one must not bring back.
  private func deletions(_ store: SampleStore) async throws -> Set<UUID> {
    var deleted: Set<UUID> = []
    for type in try await store.types() {
      var anchor: QueryAnchor?
      var hasMore = true
      while hasMore {
        let changes = try await store.changes(of: type, since: anchor, limit: 10_000)
        deleted.formUnion(changes.deleted)
        (anchor, hasMore) = (changes.anchor, changes.hasMore)
      }
    }
    return deleted
  }

  /// Deletes samples of trials that have no bundle any more.
  private func removeOthers(than trials: Set<String>, from store: SampleStore) async throws -> Int {
    var removed = 0
    let predicate = SamplePredicate(metadata: [.exists(BundleSamples.Key.trial)])
    @Sendable func isGone(_ metadata: Metadata) -> Bool {
      guard case .string(let trial) = metadata[BundleSamples.Key.trial] else { return false }
      return !trials.contains(trial)
    }
    for type in try await store.types() {
      let gone = Collected<UUID>()
      try await store.forEachSample(of: type, matching: predicate) { sample in
        if isGone(sample.metadata) { gone.add(sample.uuid) }
        return true
      }
      if !gone.values.isEmpty { try await store.delete(Set(gone.values)) }
      removed += gone.values.count
    }
    let series = try await store.heartbeatSeries(matching: predicate).filter { isGone($0.metadata) }
    if !series.isEmpty { try await store.delete(Set(series.map(\.uuid))) }
    return removed + series.count
  }

  /// Renames the store and what SQLite keeps beside it; nothing is deleted.
  private func putAside() throws {
    guard !location.isServer else {
      throw Failure("a server's store cannot be put aside; make a new database, and name it in --store")
    }
    guard Folder.exists(location.path) else { return }
    let number = (1...).first { !Folder.exists("\(location.path).\($0).damaged") } ?? 1
    for suffix in ["-wal", "-shm", ""] where Folder.exists(location.path + suffix) {
      try Folder.rename(location.path + suffix, to: "\(location.path).\(number).damaged\(suffix)")
    }
    Console.standard.line("the old store is “\(location.path).\(number).damaged”")
  }
}
