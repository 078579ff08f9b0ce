import Basics
import Foundation
import Quantities

/// For how long the computer keeps the threads of a process from their work: ready without a processor, or in a call that the
/// disk holds up.
///
/// The kernel counts the waits for a processor that are over, in `/proc/PID/task/TID/schedstat`. One that lasts, and a wait for
/// the disk, are seen in `stat` beside it, which is looked at every ten milliseconds. A thread that asked to wait for the disk,
/// by a sync, is not held up.
package enum Starvation {
  private struct Thread {
    /// The nanoseconds that it ran, and waited for a processor.
    var ran: Int64
    var waited: Int64
    /// `R` for one that runs or is ready, `D` for one that the disk holds up.
    var state: Character
    var isSynchronizing = false
  }

  private struct Waits {
    let first: Thread
    var last: Thread
    /// The nanoseconds of a wait for a processor that lasts still, and of those for the disk.
    var lasting: Int64 = 0
    var disk: Int64 = 0

    var all: Int64 { last.waited - first.waited + lasting + disk }

    mutating func take(_ thread: Thread, after elapsed: Int64) {
      let isWaiting = thread.state == "R" && last.state == "R" && thread.ran == last.ran
      lasting = isWaiting ? lasting + elapsed : 0
      if thread.state == "D", !thread.isSynchronizing { disk += elapsed }
      last = thread
    }
  }

  /// Watches a process for a time.
  ///
  /// - Parameters:
  ///   - process: the process.
  ///   - duration: the time.
  ///   - count: how many threads are taken together: those that waited most.
  /// - Returns: how long they waited in that time.
  /// - Throws: `CancellationError`.
  package static func of(_ process: Int32, for duration: Duration, threads count: Int) async throws -> Duration {
    let clock = MonotonicClock()
    var now = clock.now
    let end = now.advanced(by: duration)
    var waits: [String: Waits] = [:]
    while true {
      for (name, thread) in threads(of: process) where waits[name] == nil {
        waits[name] = Waits(first: thread, last: thread)
      }
      guard now < end else { break }
      try await Task.sleep(for: min(.milliseconds(10), now.duration(to: end)))
      let before = now
      now = clock.now
      for (name, thread) in threads(of: process) {
        waits[name]?.take(thread, after: before.duration(to: now).nanoseconds)
      }
    }
    return .nanoseconds(waits.values.map(\.all).sorted(by: >).prefix(count).reduce(0, +))
  }

  /// The numbers of `fsync` and `fdatasync`.
  #if arch(arm64)
    private static let syncs: Set<Substring> = ["82", "83"]
  #else
    private static let syncs: Set<Substring> = ["74", "75"]
  #endif

  private static func threads(of process: Int32) -> [(name: String, thread: Thread)] {
    let folder = "/proc/\(process)/task"
    func text(_ path: String) -> String? { try? String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8) }
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
      guard let times = text("\(name)/schedstat")?.split(separator: " ").compactMap({ Int64($0) }), times.count > 1,
        // The name of the program, in parentheses, may have any characters.
        let status = text("\(name)/stat"), let bracket = status.lastIndex(of: ")"),
        let state = status[bracket...].dropFirst(2).first
      else { return nil }
      let call = state == "D" ? text("\(name)/syscall")?.split(separator: " ").first : nil
      return (
        name,
        Thread(ran: times[0], waited: times[1], state: state, isSynchronizing: call.map(syncs.contains) ?? false)
      )
    }
  }
}
