import Foundation

/// For how long the threads of a process were ready to run, and the machine left them waiting.
///
/// The kernel counts it for each thread, in `/proc/PID/task/TID/schedstat`: unlike the lateness of a thread of the test, it says
/// what happened to the process itself.
package struct Starvation: Sendable {
  /// The nanoseconds that each thread has waited, by its number.
  private let waited: [String: Int64]

  /// What the kernel has counted so far.
  package init(of process: Int32) {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    waited = threads.reduce(into: [:]) { waited, thread in
      let numbers = (try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8))?.split(
        separator: " ")
      if let numbers, numbers.count > 1 { waited[thread] = Int64(numbers[1]) }
    }
  }

  /// How long the threads that waited most have waited since an earlier count, taken together.
  package func since(_ earlier: Starvation, threads: Int) -> Duration {
    let waits = waited.map { thread, now in now - (earlier.waited[thread] ?? 0) }
    return .nanoseconds(waits.sorted(by: >).prefix(threads).reduce(0, +))
  }
}
