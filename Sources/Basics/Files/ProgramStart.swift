import CSystem
import Glibc

/// Starts another program, with standard streams of the caller's choice.
///
/// The program gets default signal handling, no blocked signals, and no descriptor but its three streams.
package struct ProgramStart: Sendable {
  /// Where a standard stream leads.
  package enum Stream: Sendable {
    /// `/dev/null`.
    case null
    /// A descriptor of this process, which stays open here.
    case descriptor(Int32)
    /// A file: for input one that exists, for output a new one, readable by this user only.
    case file(String)
  }

  /// What keeps the terminal's signals from the program.
  package enum Isolation: Sendable {
    /// A process group of its own, so that it can be ended with everything that it starts.
    case group
    /// A session of its own: no terminal, so that it cannot ask for a password either.
    case session
  }

  /// The program, which is looked for in `PATH` if it has no slash, and its arguments.
  package var words: [String]
  /// Its environment, `NAME=value`; `nil` for this process's.
  package var environment: [String]?
  /// Its standard input.
  package var input = Stream.null
  /// Its standard output.
  package var output = Stream.null
  /// Its standard error.
  package var errors = Stream.null
  /// What keeps the terminal's signals from it.
  package var isolation = Isolation.group

  /// A start of a program, whose streams lead nowhere unless they are set.
  package init(_ words: [String], environment: [String]? = nil) {
    self.words = words
    self.environment = environment
  }

  /// Starts the program.
  ///
  /// - Returns: its process identifier, and 0 or the system's error number.
  package func start() -> (process: Int32, error: Int32) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [(0, input), (1, output), (2, errors)] as [(Int32, Stream)] {
      switch stream {
      case .null:
        let mode = number == 0 ? O_RDONLY : O_WRONLY
        unsafe _ = posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0)
      case .descriptor(let descriptor): unsafe _ = posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      case .file(let path):
        let mode = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT
        unsafe _ = posix_spawn_file_actions_addopen(&actions, number, path, mode, 0o600)
      }
    }
    unsafe _ = csystem_spawn_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let own = isolation == .group ? Int16(POSIX_SPAWN_SETPGROUP) : csystem_spawn_new_session
    unsafe posix_spawnattr_setflags(&attributes, own | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    let name = words.first ?? ""
    let error = unsafe Self.withCStrings(words) { words in
      guard let environment else {
        return unsafe posix_spawnp(&process, name, &actions, &attributes, words, csystem_environment())
      }
      return unsafe Self.withCStrings(environment) { environment in
        unsafe posix_spawnp(&process, name, &actions, &attributes, words, environment)
      }
    }
    return (process, error)
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies)
  }
}
