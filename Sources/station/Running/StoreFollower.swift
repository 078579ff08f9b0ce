import Basics
import Bundles
import Exchange
import Quantities
import Synchronization

/// Takes the bundle of a finished trial into the sample store, after its verdict was shown.
struct StoreFollower: Sendable {
  let location: StoreLocation
  let console: Console
  let interrupts: InterruptRouter
  private let clock = MonotonicClock()

  /// How long a store may take for what a trial brings; the next trial tries again.
  static let storePatience = Duration.seconds(60)

  /// How long it may take where an interrupt came after the trial, at its end screen for instance.
  private static let interruptedPatience = Duration.milliseconds(500)

  /// How long a store that was told to end may take for that.
  private static let endPatience = Duration.seconds(1)

  /// Takes the trial's bundle into the store, then those that earlier trials have left out, until it is done, an interrupt
  /// comes or it takes too long.
  func follow(_ bundle: Bundle) async {
    let ingest = Ingest()
    let patience = interrupts.forgive() ? Self.interruptedPatience : Self.storePatience
    interrupts.ring(ingest.bell)
    console.show(status: "storing the samples; Ctrl-C leaves that to the next run")
    // Tasks without a parent, which would wait for them: what a server that does not answer holds up must not hold up this
    // process, whose end is theirs.
    let task = Task { [location, console] in
      await Self.update(location, console, first: bundle)
      ingest.finish()
    }
    if await !ingest.isDone(within: patience, on: clock) {
      task.cancel()
      if await !ingest.isDone(within: Self.endPatience, on: clock) { StoreLocation.forgetAll() }
      console.complain(
        "not all samples are in the store; the bundle is complete, and the next run or “station store add” stores them")
    }
    console.show(status: "")
  }

  /// Takes every bundle of the results folder that is not in the store yet into it; a failure is reported and harms no
  /// bundle, and the next call tries again.
  ///
  /// - Parameters:
  ///   - location: the store and the results folder.
  ///   - console: where failures are reported.
  ///   - first: the bundle that was just finished, which is taken in before all others.
  ///   - isTold: whether to print how many bundles of earlier trials were taken in.
  static func update(_ location: StoreLocation, _ console: Console, first: Bundle? = nil, isTold: Bool = true) async {
    let results = ResultsFolder(location.results)
    @Sendable func report(_ error: any Error) {
      guard !(error is CancellationError), !Task.isCancelled else { return }
      console.complain("the store was not updated, and the bundles are whole: \(error); see “station store add --help”")
    }
    do {
      guard try first != nil || !results.trials().isEmpty else { return }
      let ingest = StoreIngest(store: try await location.openOrMake()) { console.complain($0) }
      let late = try await ingest.update(from: results, first: first, failed: report)
      if late > 0, isTold { console.line("store: \(late.counted("earlier bundle")) taken in") }
    } catch {
      report(error)
    }
  }

  /// Waits for a task that may never end.
  private final class Ingest: Sendable {
    let bell = Bell()
    private let hasFinished = Mutex(false)

    func finish() {
      hasFinished.withLock { $0 = true }
      bell.ring()
    }

    /// Whether it is done, at the latest when the bell rings or the time is over.
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
