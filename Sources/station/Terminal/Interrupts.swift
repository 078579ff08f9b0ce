import Basics
import CSystem
import Glibc

/// Ctrl-C and its like as a stream, instead of the end of the process.
///
/// They are caught by a handler that rings a counter. Blocking them and waiting with `sigwait` would not do: once the
/// main thread has nothing left to run, Dispatch lets it wait with every signal unblocked.
enum Interrupts: Sendable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Who interrupts.
  enum Interrupt: Hashable, Sendable {
    /// Ctrl-C, behind which somebody sits.
    case key
    /// A request to end from elsewhere, or a terminal that is gone.
    case request
  }

  /// Keeps SIGINT, SIGTERM and SIGHUP from ending the process, and SIGPIPE from ever arriving.
  ///
  /// Nor does a terminal stop a process that writes to it from the background (SIGTTOU), or reads from it there, which is an
  /// error then (SIGTTIN): a process that is stopped records nothing.
  ///
  /// Those that are ignored already, as `nohup` and a shell's background jobs have it, stay ignored.
  static func hold() {
    for ignored in [SIGPIPE, SIGTTOU, SIGTTIN] { _ = signal(ignored, SIG_IGN) }
    guard csystem_signals_open() >= 0 else { return }
    for signal in signals { csystem_signal_catch(signal, 1) }
  }

  /// Lets the signals end the process again, as commands that are not in the middle of a trial expect.
  static func release() {
    for signal in signals { csystem_signal_catch(signal, 0) }
  }

  /// One element for every signal, from a thread of its own that lasts as long as the process.
  static func stream() -> AsyncStream<Interrupt> {
    AsyncStream { continuation in onEach { continuation.yield($0) } }
  }

  /// Does something for every signal, on a thread of its own that lasts as long as the process.
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
