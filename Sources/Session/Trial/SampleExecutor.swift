import Dispatch

/// A thread for what sensors say: a flood of samples keeps neither timers nor keys nor signals waiting.
final class SampleExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "station.samples")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
