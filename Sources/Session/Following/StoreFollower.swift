import Basics
package import Bundles
import Laboratory
import Quantities
package import SampleStore

/// Adds the bundles of finished trials to the sample store.
package actor StoreFollower: BundleFollower {
  private let results: ResultsFolder
  private let console: any OperatorDisplay
  private let open: @Sendable () async throws -> SampleStore
  private let letGo: @Sendable () -> Void
  private var store: SampleStore?
  private var hasFailed = false

  /// Follows the bundles of a results folder.
  ///
  /// - Parameters:
  ///   - results: the results folder.
  ///   - console: where failures are reported.
  ///   - letGo: called if the store does not answer, so that the process does not wait for it.
  ///   - open: opens the store, and creates it if there is none.
  package init(
    results: ResultsFolder, console: any OperatorDisplay, letGo: @escaping @Sendable () -> Void = {},
    open: @escaping @Sendable () async throws -> SampleStore
  ) {
    (self.results, self.console, self.open, self.letGo) = (results, console, open, letGo)
  }

  /// Adds the bundle; a failure is reported and changes no bundle.
  package func follow(_ bundle: Bundle) async {
    await reportingFailure { _ = try await ingest().add(bundle) }
  }

  /// Adds every bundle of the results folder that is not in the store yet, unless the store has failed already.
  package func sessionEnded() async {
    if !hasFailed { await update() }
  }

  /// Lets go of a store that does not answer.
  package nonisolated func abandon() { letGo() }

  /// Adds every bundle of the results folder that is not in the store yet.
  ///
  /// A failure is reported and changes no bundle; the next call tries again.
  ///
  /// - Parameter isReported: whether to print how many bundles of earlier trials were added.
  package func update(isReported: Bool = true) async {
    await reportingFailure {
      guard try !results.trials().isEmpty else { return }
      let (late, simulated) = try await ingest().update(from: results, failed: report)
      if isReported, let words = SimulatedTrial.leftOut(simulated) { console.report("store: \(words)") }
      if late > 0, isReported { console.line("store: \(late.counted("earlier bundle")) added") }
    }
  }

  private func ingest() async throws -> StoreIngest {
    let opened: SampleStore
    if let store { opened = store } else { opened = try await open() }
    store = opened
    return StoreIngest(store: opened) { [console] in console.report($0) }
  }

  private func reportingFailure(_ work: () async throws -> Void) async {
    do {
      try await work()
    } catch {
      hasFailed = true
      report(error)
    }
  }

  private nonisolated func report(_ error: any Error) {
    guard !(error is CancellationError), !Task.isCancelled else { return }
    console.report("the store was not updated: \(error); the bundles are complete; see “station store add --help”")
  }
}
