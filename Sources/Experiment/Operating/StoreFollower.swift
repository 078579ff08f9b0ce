import Basics
package import Bundles
import Exchange
package import HealthStore
import Quantities
import Synchronization

/// Adds the bundle of a finished trial to the sample store, after its verdict was shown.
package struct StoreFollower: Sendable {
  private let results: ResultsFolder
  private let console: any OperatorDisplay
  private let open: @Sendable () async throws -> SampleStore
  private let clock = MonotonicClock()

  /// The time limit for storing a trial; the next trial tries again.
  private static let storePatience = Duration.seconds(60)

  /// The time limit if an interrupt came after the trial, for example at its end screen.
  private static let interruptedPatience = Duration.milliseconds(500)

  /// The time limit for a store to end after cancellation.
  private static let endPatience = Duration.seconds(1)

  /// Follows the bundles of a results folder.
  ///
  /// - Parameters:
  ///   - results: the results folder.
  ///   - console: where failures are reported.
  ///   - open: opens the store, and creates it if there is none.
  package init(
    results: ResultsFolder, console: any OperatorDisplay, open: @escaping @Sendable () async throws -> SampleStore
  ) {
    (self.results, self.console, self.open) = (results, console, open)
  }

  /// Adds the trial's bundle to the store, then those of earlier trials that are not stored yet; an interrupt or the
  /// time limit ends it.
  ///
  /// - Parameters:
  ///   - bundle: the bundle that was just finished.
  ///   - interrupts: the interrupts after the trial.
  ///   - abandon: called if the store does not answer, so that the process does not wait for it.
  package func follow(_ bundle: Bundle, _ interrupts: InterruptRouter, abandon: () -> Void) async {
    let ingest = Ingest()
    let patience = interrupts.forgive() ? Self.interruptedPatience : Self.storePatience
    interrupts.ring(ingest.bell)
    console.show(status: "storing the samples; Ctrl-C leaves this to the next run")
    // A task without a parent, which would wait for it: a server that does not answer must not delay the end of
    // this process, which also ends the task.
    let task = Task {
      await update(first: bundle)
      ingest.finish()
    }
    if await !ingest.isDone(within: patience, on: clock) {
      task.cancel()
      if await !ingest.isDone(within: Self.endPatience, on: clock) { abandon() }
      console.report(
        "not all samples were stored; the bundle is complete, and the next run or “station store add” stores the rest")
    }
    console.show(status: "")
  }

  /// Adds every bundle of the results folder that is not in the store yet.
  ///
  /// A failure is reported and changes no bundle; the next call tries again.
  ///
  /// - Parameters:
  ///   - first: the bundle that was just finished, which is added before all others.
  ///   - isTold: whether to print how many bundles of earlier trials were added.
  package func update(first: Bundle? = nil, isTold: Bool = true) async {
    @Sendable func report(_ error: any Error) {
      guard !(error is CancellationError), !Task.isCancelled else { return }
      console.report("the store was not updated: \(error); the bundles are complete; see “station store add --help”")
    }
    do {
      guard try first != nil || !results.trials().isEmpty else { return }
      let ingest = StoreIngest(store: try await open()) { console.report($0) }
      let late = try await ingest.update(from: results, first: first, failed: report)
      if late > 0, isTold { console.line("store: \(late.counted("earlier bundle")) added") }
    } catch {
      report(error)
    }
  }

  /// A wait for a task that may never end.
  private final class Ingest: Sendable {
    let bell = Bell()
    private let hasFinished = Mutex(false)

    func finish() {
      hasFinished.withLock { $0 = true }
      bell.ring()
    }

    /// Waits until the task is done, the bell rings or the time limit is reached, and returns whether it is done.
    func isDone(within limit: Duration, on clock: any StationClock) async -> Bool {
      if hasFinished.withLock({ $0 }) { return true }
      let timer = Task { [bell] in
        try await clock.sleep(for: limit)
        bell.ring()
      }
      _ = await bell.wait()
      timer.cancel()
      return hasFinished.withLock { $0 }
    }
  }
}
