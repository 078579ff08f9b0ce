import Glibc

/// Ctrl-C and its like as a stream, instead of the end of the process.
enum Interrupts: Sendable {
  /// Keeps SIGINT, SIGTERM and SIGHUP from ending the process, and SIGPIPE from ever arriving.
  ///
  /// To be called first, while there is one thread: threads that are made later inherit it.
  static func hold() {
    var set = signals()
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Lets the signals end the process again, as commands that are not in the middle of a trial expect.
  static func release() {
    var set = signals()
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// One element for every signal, from a thread of its own that lasts as long as the process.
  static func stream() -> AsyncStream<Void> {
    AsyncStream { continuation in onEach { continuation.yield() } }
  }

  /// Does something for every signal, on a thread of its own that lasts as long as the process.
  static func onEach(_ body: @escaping @Sendable () -> Void) {
    Threads.start {
      var set = signals()
      var number: Int32 = 0
      while unsafe sigwait(&set, &number) == 0 { body() }
    }
  }

  private static func signals() -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
    return set
  }
}
