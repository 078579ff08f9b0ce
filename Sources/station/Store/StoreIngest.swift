import Bundles
import HealthStore
import Quantities
import Spelling

/// Takes bundles into a store, each once.
struct StoreIngest: Sendable {
  let store: SampleStore
  let console: Console

  /// Takes in one bundle; one that was taken in before is not read again.
  ///
  /// - Returns: how many of its samples and series are new; `nil` for a bundle that was taken in before.
  func add(_ bundle: Bundle) async throws -> Int? {
    guard try await !store.hasReceipt(Self.receipt(bundle.trial)) else { return nil }
    let read = try samples(of: bundle)
    let report = try await store.save(read.samples, series: read.series, receipt: Self.receipt(bundle.trial))
    return report.wasTaken ? nil : report.added
  }

  /// The bundle's samples; items that are none are told and left out.
  func samples(of bundle: Bundle) throws -> BundleSamples {
    let read = try bundle.readSamples()
    for problem in read.problems.prefix(10) { console.complain("\(bundle.path): \(problem)") }
    if read.problems.count > 10 { console.complain("\(bundle.path): and \(read.problems.count - 10) more") }
    return read
  }

  /// The name under which a trial's samples are saved.
  static func receipt(_ trial: String) -> String { "bundle:\(trial)" }

  /// The trial whose samples are saved under that name; `nil` for another name.
  static func trial(_ receipt: String) -> String? {
    receipt.hasPrefix("bundle:") ? String(receipt.dropFirst("bundle:".count)) : nil
  }

  /// Takes in every bundle of a results folder that the store lacks: the one that was just finished, and those that a
  /// crash, a recovery or an older station left out.
  ///
  /// What goes wrong is told and harms no bundle; the next call tries again.
  ///
  /// - Parameters:
  ///   - location: the store and the results folder.
  ///   - console: where to tell what goes wrong.
  ///   - first: the bundle that was just finished, which is taken in before all others.
  ///   - isTold: whether to print how many bundles of earlier trials were taken in.
  static func update(_ location: StoreLocation, _ console: Console, first: Bundle? = nil, isTold: Bool = true) async {
    let results = ResultsFolder(location.results)
    func complain(_ error: any Error) {
      guard !Task.isCancelled else { return }
      console.complain("the store was not updated, and the bundles are whole: \(error); see “station store add --help”")
    }
    do {
      let trials = try results.trials()
      guard !trials.isEmpty else { return }
      let store = try await location.openOrMake()
      let ingest = StoreIngest(store: store, console: console)
      do {
        if let first { _ = try await ingest.add(first) }
      } catch let error where isOfOne(error) {
        complain(error)
      }
      var late = 0
      for (place, trial) in trials.enumerated() where try await !store.hasReceipt(receipt(trial)) {
        try Task.checkCancellation()
        do {
          guard try await ingest.add(Bundle(results.bundlePath(named: trial))) != nil else { continue }
          if place < trials.count - 1 { late += 1 }
        } catch let error where isOfOne(error) {
          complain(error)
        }
      }
      if late > 0, isTold { console.line("store: \(late.counted("earlier bundle")) taken in") }
    } catch {
      complain(error)
    }
  }

  /// Whether an error says something of one bundle, beside which others can be taken in.
  static func isOfOne(_ error: any Error) -> Bool {
    error is BundleError || (error as? StoreError)?.code == .invalidArgument
  }
}
