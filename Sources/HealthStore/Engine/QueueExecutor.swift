import Dispatch

/// Runs an actor's work on a queue of its own, so that a database that makes its caller wait never holds up anyone else.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label) }

  /// Does something that may block without blocking other tasks, as a part of the task, which may be cancelled.
  static func run<Result: Sendable>(_ work: @Sendable () throws -> Result) async throws -> Result {
    try await Errand().run(work)
  }

  private actor Errand {
    private let executor = QueueExecutor(label: "station.store.errand")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func run<Result: Sendable>(_ work: @Sendable () throws -> Result) throws -> Result { try work() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
