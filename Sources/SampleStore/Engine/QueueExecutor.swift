import Dispatch

/// Runs an actor's work on its own queue, so that a blocking database call does not hold up other actors.
package final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package init(label: String) { queue = DispatchQueue(label: label) }

  /// Runs a blocking operation off the cooperative pool, within the current task and its cancellation.
  package static func run<Result: Sendable>(_ work: @Sendable () throws -> Result) async throws -> Result {
    try await Errand().run(work)
  }

  private actor Errand {
    private let executor = QueueExecutor(label: "station.store.errand")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func run<Result: Sendable>(_ work: @Sendable () throws -> Result) throws -> Result { try work() }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
