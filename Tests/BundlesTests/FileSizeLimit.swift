import Glibc

/// The system's own limit on the size of files, which stands for a full disk.
///
/// A write beyond it is refused in the same way, in part or as a whole. It holds for the whole process, so that it is
/// only used in processes of their own.
enum FileSizeLimit {
  struct Refused: Error {}

  /// From now on no file grows beyond so many bytes.
  static func set(_ bytes: Int) throws {
    // The signal that comes with a refusal would end the process.
    signal(SIGXFSZ, SIG_IGN)
    try change { $0.rlim_cur = rlim_t(bytes) }
  }

  /// Files may grow again.
  static func lift() throws { try change { $0.rlim_cur = $0.rlim_max } }

  private static func change(_ change: (inout rlimit) -> Void) throws {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { throw Refused() }
    change(&limit)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { throw Refused() }
  }
}
