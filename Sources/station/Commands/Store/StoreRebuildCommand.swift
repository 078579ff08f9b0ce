import Basics
import Bundles
import Exchange
import HealthStore
import Quantities

/// `station store rebuild`: makes the store say again what the bundles say, and keeps what no bundle holds.
struct StoreRebuildCommand: Command {
  static let syntax = CommandSyntax(
    "store rebuild", "makes the store agree with the bundles again; what was logged or imported stays",
    options: [
      .init("remove-missing", "also remove the samples of trials that have no bundle here"),
      .init("from-scratch", "put a damaged store aside and make a new one from the bundles alone"),
      .init("json", "print one JSON object"),
    ] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let results: ResultsFolder
  private let removesMissing: Bool
  private let isFromScratch: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    results = ResultsFolder(location.results)
    removesMissing = arguments.has("remove-missing")
    isFromScratch = arguments.has("from-scratch")
    isJSON = arguments.has("json")
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
      let rebuild = Self.rebuild(store, results)
      let outcome = try await rebuild.addMissing()
      Console.standard.show(status: "")
      tell(outcome)
      let missing = try await missing(rebuild, after: outcome)
      write(outcome, missing)
      return outcome.problems.isEmpty ? .done : .failed
    } catch {
      guard (error as? StoreError)?.code == .databaseInaccessible, !location.isServer else { throw error }
      throw Failure("\(error); --from-scratch puts the store aside and makes a new one from the bundles alone")
    }
  }

  /// Tells people what became of the bundles.
  private static func rebuild(_ store: SampleStore, _ results: ResultsFolder) -> StoreRebuild {
    StoreRebuild(store: store, results: results) {
      Console.standard.complain($0)
    } progress: { done, all in
      Console.standard.show(status: "\(done) of \(all) bundles")
    }
  }

  private func tell(_ outcome: StoreRebuild.Outcome) {
    guard !isJSON else { return }
    for problem in outcome.problems { Console.standard.complain(problem.reason) }
    Console.standard.line(
      "\(outcome.bundles.counted("bundle")); \(outcome.added.counted("sample was", "samples were")) missing"
    )
    if outcome.different > 0 {
      Console.standard.line(
        "\(outcome.different.counted("sample")) of them were made by an older station and stay as they are; --from-scratch "
          + "makes them as this one does")
    }
  }

  /// Tells of trials whose bundle is not here, or removes them.
  ///
  /// - Returns: what `--json` has of them.
  private func missing(_ rebuild: StoreRebuild, after outcome: StoreRebuild.Outcome) async throws -> [String: JSONValue]
  {
    guard outcome.problems.isEmpty else {
      if removesMissing {
        let problems = outcome.problems.count.counted("bundle")
        Console.standard.complain("nothing was removed, because \(problems) cannot be read")
      }
      return [:]
    }
    guard removesMissing else {
      let missing = try await rebuild.missingTrials().count
      if missing > 0, !isJSON {
        Console.standard.line(
          "\(missing.counted("trial in the store has", "trials in the store have")) no bundle in “\(location.results)”; --remove-missing removes their samples"
        )
      }
      return ["trialsWithoutBundle": .integer(missing)]
    }
    let (trials, samples) = try await rebuild.removeMissing()
    if !isJSON {
      Console.standard.line("\(samples.counted("sample")) of \(trials.counted("trial")) without a bundle here removed")
    }
    return ["removed": ["trials": .integer(trials), "samples": .integer(samples)]]
  }

  /// Makes a new store, which takes the old one's place when it is whole.
  private func replace() async throws -> ExitStatus {
    var outcome = StoreRebuild.Outcome()
    let old = try await location.replace { store in
      outcome = try await Self.rebuild(store, results).addMissing()
      Console.standard.show(status: "")
      tell(outcome)
    }
    if let old, !isJSON { Console.standard.line("the old store is “\(old)”") }
    write(outcome, ["oldStore": old.map { .string($0) } ?? .null])
    return outcome.problems.isEmpty ? .done : .failed
  }

  /// Prints for programs what became of the bundles, and more of the store.
  private func write(_ outcome: StoreRebuild.Outcome, _ more: [String: JSONValue]) {
    guard isJSON else { return }
    var answer = more
    answer["bundles"] = .integer(outcome.bundles)
    answer["addedSamples"] = .integer(outcome.added)
    answer["differentSamples"] = .integer(outcome.different)
    answer["problems"] = .array(
      outcome.problems.map { ["path": .string($0.path), "reason": .string($0.reason)] })
    Console.standard.write(JSONValue.object(answer).encoded(pretty: true))
  }
}
