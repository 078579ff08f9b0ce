import CSystem
import Foundation
import Glibc
import Synchronization

/// A program that runs beside a test, and ends with it: whoever lets go of it kills it, and it is always waited for.
///
/// A child that nobody waits for would starve whoever waits for any child, as Swift Testing does for its exit tests.
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
  ///   - words: the program's path and what stands after it.
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
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    // A program that keeps what other tests have open would hide the ends of their pipes.
    unsafe _ = csystem_spawn_close_from(&actions, Int32(streams.count))
    // A group of its own, and no signal blocked or ignored, whatever holds for the tests.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var identifier: pid_t = 0
    let code = unsafe posix_spawn(&identifier, words[0], &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw MissingProgram(name: words[0]) }
    return identifier
  }
}
