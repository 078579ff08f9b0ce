import Basics
import Foundation
import Glibc
import Synchronization

/// A program that runs beside a test, and ends with it: releasing it kills it, and it is always waited for.
///
/// An ended child left unwaited for would starve code that waits for any child, as Swift Testing does for its exit tests.
package final class RunningProgram: Sendable {
  /// The process, which leads a group of its own.
  package let identifier: Int32

  private final class Ending: Sendable {
    struct State {
      var status: Int32?
      var waiting: [CheckedContinuation<Int32, Never>] = []
    }

    let state = Mutex(State())

    func finish(_ status: Int32) {
      let waiting = state.withLock { state in
        state.status = status
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume(returning: status) }
    }
  }

  private let ending = Ending()

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: the program's path and its arguments.
  ///   - environment: all of its variables, as `NAME=VALUE`.
  ///   - streams: its standard input, standard output and standard error.
  /// - Throws: ``MissingProgram`` when there is no such program.
  package init(_ words: [String], environment: [String], streams: [Int32]) throws(MissingProgram) {
    identifier = try Self.spawn(words, environment, streams)
    // The thread must not hold on to the program.
    Thread.detachNewThread { [identifier, ending] in
      // Seen first and taken away afterwards, so that no signal reaches another process of that number.
      var found = unsafe siginfo_t()
      while unsafe waitid(P_PID, id_t(identifier), &found, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      let status = ending.state.withLock { state in
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let told = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        state.status = told
        return told
      }
      ending.finish(status)
    }
  }

  deinit { send(SIGKILL, toGroup: true) }

  /// Waits for its end; 128 and the signal for one that was killed.
  package func end() async -> Int32 {
    await withCheckedContinuation { continuation in
      let status = ending.state.withLock { state in
        if state.status == nil { state.waiting.append(continuation) }
        return state.status
      }
      if let status { continuation.resume(returning: status) }
    }
  }

  /// Whether it still runs.
  package var isRunning: Bool { ending.state.withLock { $0.status == nil } }

  /// Sends a signal to it, or to all that it has started as well, unless it has ended.
  package func send(_ signal: Int32, toGroup: Bool = false) {
    ending.state.withLock { state in
      if state.status == nil { kill(toGroup ? -identifier : identifier, signal) }
    }
  }

  private static func spawn(
    _ words: [String], _ environment: [String], _ streams: [Int32]
  ) throws(MissingProgram) -> pid_t {
    var start = ProgramStart(words, environment: environment)
    (start.input, start.output, start.errors) = (
      .descriptor(streams[0]), .descriptor(streams[1]), .descriptor(streams[2])
    )
    let started = start.start()
    guard started.error == 0 else { throw MissingProgram(name: words[0]) }
    return started.process
  }
}
