import Glibc

/// The priority of the current thread.
enum ThreadPriority: Sendable {
  /// Lets every other thread of the computer go before the current one.
  static func lower() {
    // On Linux this is the calling thread's alone.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
  }
}
