import CSystem
import Glibc

/// Ctrl-C and its like as a stream, instead of the end of the process.
///
/// They are caught by a handler that rings a counter. Blocking them and waiting with `sigwait` would not do: once the
/// main thread has nothing left to run, Dispatch lets it wait with every signal unblocked.
enum Interrupts: Sendable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Keeps SIGINT, SIGTERM and SIGHUP from ending the process, and SIGPIPE from ever arriving.
  ///
  /// Those that are ignored already, as `nohup` and a shell's background jobs have it, stay ignored.
  static func hold() {
    _ = signal(SIGPIPE, SIG_IGN)
    guard csystem_signals_open() >= 0 else { return }
    for signal in signals { csystem_signal_catch(signal, 1) }
  }

  /// Lets the signals end the process again, as commands that are not in the middle of a trial expect.
  static func release() {
    for signal in signals { csystem_signal_catch(signal, 0) }
  }

  /// One element for every signal, from a thread of its own that lasts as long as the process.
  static func stream() -> AsyncStream<Void> {
    AsyncStream { continuation in onEach { continuation.yield() } }
  }

  /// Does something for every signal, on a thread of its own that lasts as long as the process.
  static func onEach(_ body: @escaping @Sendable () -> Void) {
    Threads.start {
      while true {
        let count = csystem_signals_wait()
        guard count > 0 else { return }
        for _ in 0..<count { body() }
      }
    }
  }
}
