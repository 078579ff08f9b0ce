import Basics
import Bundles
import Laboratory
import Quantities
import SampleStore

extension Command {
  /// Restores the store from the bundles, and keeps what is in no bundle.
  static let storeRebuild = Command(
    "store rebuild", "restores the store from the bundles; keeps what was logged or imported",
    options: [
      .init("remove-missing", "also remove the samples of trials that have no bundle in the results folder"),
      .init("from-scratch", "move a damaged store aside and create a new one from the bundles alone"), .json(),
    ] + StoreLocation.operatorOptions
  ) { try await RebuildRequest($0).run() }
}

private struct RebuildRequest {
  private let location: StoreLocation
  private let results: ResultsFolder
  private let arguments: Arguments

  private var removesMissing: Bool { arguments.has("remove-missing") }

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    location = StoreLocation(arguments)
    results = ResultsFolder(location.results)
    try arguments.atMostOne(of: ["from-scratch", "remove-missing"])
  }

  func run() async throws -> ExitStatus {
    let isFromScratch = arguments.has("from-scratch")
    guard !location.isServer || !(isFromScratch || removesMissing) else {
      throw Failure(
        isFromScratch
          ? "--from-scratch cannot move a store on a server aside; create a new database, and name it with --store"
          : "--remove-missing does not work on a server, because other stations may share its samples")
    }
    guard results.isThere else {
      throw Failure("there are no bundles in “\(location.results)”; name the results folder with --results")
    }
    if isFromScratch { return try await replace() }
    do {
      let store = try await location.openOrMake()
      let rebuild = Self.rebuild(store, results)
      let outcome = try await rebuild.addMissing()
      Console.standard.show(status: "")
      show(outcome)
      let missing = try await missing(rebuild, after: outcome)
      write(outcome, missing)
      return outcome.problems.isEmpty ? .done : .failed
    } catch {
      guard (error as? StoreError)?.code == .databaseInaccessible, !location.isServer else { throw error }
      throw Failure("\(error); --from-scratch moves the store aside and creates a new one from the bundles alone")
    }
  }

  /// The rebuild of a store, with its progress and warnings shown on the console.
  private static func rebuild(_ store: SampleStore, _ results: ResultsFolder) -> StoreRebuild {
    StoreRebuild(store: store, results: results) {
      Console.standard.report($0)
    } progress: { done, all in
      Console.standard.show(status: "\(done) of \(all) bundles")
    }
  }

  private func show(_ outcome: StoreRebuild.Outcome) {
    guard !arguments.isJSON else { return }
    for problem in outcome.problems { Console.standard.report(problem.reason) }
    Console.standard.lines(outcome.lines)
  }

  /// Reports trials in the store that have no bundle, or removes their samples.
  ///
  /// - Returns: the members of the JSON output about them.
  private func missing(
    _ rebuild: StoreRebuild, after outcome: StoreRebuild.Outcome
  ) async throws -> [String: JSONValue] {
    guard outcome.problems.isEmpty else {
      if removesMissing {
        let problems = outcome.problems.count.counted("bundle")
        Console.standard.report("nothing was removed, because \(problems) cannot be read")
      }
      return [:]
    }
    guard removesMissing else {
      let missing = try await rebuild.missingTrials().count
      if missing > 0, !arguments.isJSON {
        Console.standard.line(
          "\(missing.counted("trial in the store has", "trials in the store have")) no bundle in “\(location.results)”; --remove-missing removes their samples"
        )
      }
      return ["trialsWithoutBundle": .integer(missing)]
    }
    let (trials, samples) = try await rebuild.removeMissing()
    if !arguments.isJSON {
      Console.standard.line("removed \(samples.counted("sample")) of \(trials.counted("trial")) without a bundle")
    }
    return ["removed": ["trials": .integer(trials), "samples": .integer(samples)]]
  }

  /// Creates a new store, which replaces the old one when it is complete.
  private func replace() async throws -> ExitStatus {
    var outcome = StoreRebuild.Outcome()
    let old = try await location.replace { store in
      outcome = try await Self.rebuild(store, results).addMissing()
      Console.standard.show(status: "")
      show(outcome)
    }
    if let old, !arguments.isJSON { Console.standard.line("the old store was moved to “\(old)”") }
    write(outcome, ["oldStore": .text(old)])
    return outcome.problems.isEmpty ? .done : .failed
  }

  /// Prints the outcome as JSON, with further members.
  private func write(_ outcome: StoreRebuild.Outcome, _ more: [String: JSONValue]) {
    guard arguments.isJSON else { return }
    Console.standard.write(.object(more.merging(outcome.json) { $1 }))
  }
}
