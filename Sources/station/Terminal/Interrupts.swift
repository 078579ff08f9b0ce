import Basics
import CSystem
import Glibc
import Session

/// Ctrl-C and similar signals as a stream, instead of the end of the process.
///
/// A handler catches them and increments a counter. Blocking them and waiting with `sigwait` does not work: once the
/// main thread has nothing left to run, Dispatch lets it wait with every signal unblocked.
enum Interrupts: Sendable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Prevents SIGINT, SIGTERM, SIGHUP and SIGQUIT from ending the process, and ignores SIGPIPE.
  ///
  /// A terminal also cannot stop the process for writing from the background (SIGTTOU) or for reading there (SIGTTIN),
  /// which is then an error: a stopped process records nothing.
  ///
  /// Signals that are ignored already, as under `nohup` and in a shell's background jobs, stay ignored.
  static func hold() {
    for ignored in [SIGPIPE, SIGTTOU, SIGTTIN] { _ = signal(ignored, SIG_IGN) }
    guard csystem_signals_open() >= 0 else { return }
    for signal in signals { csystem_signal_catch(signal, 1) }
  }

  /// Lets the signals end the process again, as suits commands that are not in a trial.
  static func release() {
    for signal in signals { csystem_signal_catch(signal, 0) }
  }

  /// Takes the signals again after ``release()``.
  static func takeAgain() {
    for signal in signals { csystem_signal_catch(signal, 1) }
  }

  /// Lets the signals end the process, but removes the files first that are not complete; for commands that write many
  /// files, and do not wait for a terminal that is stopped.
  ///
  /// - Parameter close: what else is done before the end, on a thread of its own.
  static func endTidily(_ close: @escaping @Sendable () -> Void = {}) {
    Console.standard.decouple()
    takeAgain()
    onEach { interrupt in
      close()
      UnfinishedFiles.removeAll()
      release()
      kill(getpid(), interrupt == .key ? SIGINT : SIGTERM)
    }
  }

  /// A stream with one element per signal, from a thread of its own that lasts as long as the process.
  static func stream() -> AsyncStream<Interrupt> {
    AsyncStream { continuation in onEach { continuation.yield($0) } }
  }

  /// Calls `body` for every signal, on a thread of its own that lasts as long as the process.
  static func onEach(_ body: @escaping @Sendable (Interrupt) -> Void) {
    WaitingThread.start {
      while true {
        let count = csystem_signals_wait()
        guard count > 0 else { return }
        for _ in 0..<count % csystem_signals_request { body(.key) }
        for _ in 0..<count / csystem_signals_request { body(.request) }
      }
    }
  }
}
