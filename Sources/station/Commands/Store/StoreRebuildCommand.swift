import Bundles
import Files
import HealthStore
import Quantities

/// `station store rebuild`: makes the store say again what the bundles say, and keeps what no bundle holds.
struct StoreRebuildCommand: Command {
  static let syntax = CommandSyntax(
    "store rebuild", "makes the store agree with the bundles again; what was logged or imported stays",
    options: [
      .init("remove-missing", "also remove the samples of trials that have no bundle here"),
      .init("from-scratch", "put a damaged store aside and make a new one from the bundles alone"),
    ] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let results: ResultsFolder
  private let removesMissing: Bool
  private let isFromScratch: Bool

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    results = ResultsFolder(location.results)
    removesMissing = arguments.has("remove-missing")
    isFromScratch = arguments.has("from-scratch")
    guard !(removesMissing && isFromScratch) else {
      throw UsageError(
        command: Self.syntax, reason: "a store --from-scratch has nothing that --remove-missing could remove")
    }
  }

  func run() async throws -> ExitStatus {
    guard !location.isServer || !(isFromScratch || removesMissing) else {
      throw Failure(
        isFromScratch
          ? "a server's store cannot be put aside; make a new database, and name it in --store"
          : "other stations may share the samples on a server; nothing is removed there")
    }
    guard results.isThere else {
      throw Failure("there are no bundles in “\(location.results)”; --results names the folder that has them")
    }
    if isFromScratch { return try await replace() }
    do {
      let store = try await location.openOrMake()
      let failed = try await StoreRebuild(store: store, results: results, console: .standard).addMissing()
      try await tellMissing(from: store, failed: failed)
      return failed == 0 ? .done : .failed
    } catch {
      guard (error as? StoreError)?.code == .databaseInaccessible, !location.isServer else { throw error }
      throw Failure("\(error); --from-scratch puts the store aside and makes a new one from the bundles alone")
    }
  }

  /// Tells of trials whose bundle is not here, or removes them.
  private func tellMissing(from store: SampleStore, failed: Int) async throws {
    let rebuild = StoreRebuild(store: store, results: results, console: .standard)
    guard failed == 0 else {
      if removesMissing { Console.standard.complain("nothing was removed, because \(failed) bundles cannot be read") }
      return
    }
    guard removesMissing else {
      let missing = try await rebuild.missingTrials().count
      guard missing > 0 else { return }
      return Console.standard.line(
        "\(missing) trials in the store have no bundle in “\(location.results)”; --remove-missing removes their samples"
      )
    }
    let (trials, samples) = try await rebuild.removeMissing()
    Console.standard.line("\(samples) samples of \(trials) trials that have no bundle here were removed")
  }

  /// Makes a new store, which takes the old one's place when it is whole.
  private func replace() async throws -> ExitStatus {
    var failed = 0
    let old = try await location.replace { store in
      failed = try await StoreRebuild(store: store, results: results, console: .standard).addMissing()
    }
    if let old { Console.standard.line("the old store is “\(old)”") }
    return failed == 0 ? .done : .failed
  }
}
