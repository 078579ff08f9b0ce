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
  var words: [String]
  /// Its environment, `NAME=value`; `nil` for this process's.
  var environment: [String]?
  /// The folder in which it works; `nil` for this process's.
  var folder: String?
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
    if let folder { unsafe _ = csystem_spawn_change_folder(&actions, folder) }
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

extension ProgramStart {
  /// Why a program did not run to its end.
  package enum Failure: Error, Hashable, Sendable {
    /// The program is not installed.
    case missing
    /// The system could not start it.
    case notStarted(reason: String)
    /// It ended with an error, and reported this on its standard error.
    case failed(reason: String)
    /// It did not end within the limit, and was killed.
    case unfinished(limit: Duration)
    /// A file for its input or its output cannot be used.
    case file(FileError)
  }

  /// The longest time of a program that ``run(reading:in:limit:)`` starts.
  static let timeLimit = Duration.seconds(30)

  /// What a program left at its end.
  package struct Outcome: Sendable {
    /// Its exit status; negative for the signal that ended it.
    package let status: Int32
    package let output: String
    package let errors: String
  }

  /// Runs the program to its end, which has to be a good one, in a private folder.
  ///
  /// - Parameters:
  ///   - bytes: its standard input.
  ///   - folder: a private folder, in which it works and which holds its standard streams.
  ///   - limit: the longest time it may take.
  /// - Returns: its standard output.
  /// - Throws: ``Failure``.
  @discardableResult
  package func run(
    reading bytes: [UInt8] = [], in folder: String, limit: Duration = timeLimit
  ) throws(Failure) -> String {
    var program = self
    program.folder = folder
    let outcome = try program.outcome(reading: bytes, in: folder, limit: limit)
    guard outcome.status == 0 else {
      let reason = outcome.errors.split(separator: "\n").joined(separator: " ").visible
      throw .failed(reason: reason.isEmpty ? "it reported no reason" : String(reason.prefix(400)))
    }
    return outcome.output
  }

  /// Runs the program to its end; after a limit, or when a signal ends this process, the program is killed with
  /// everything that it started.
  ///
  /// - Parameters:
  ///   - bytes: its standard input.
  ///   - folder: a private folder, which holds its standard streams.
  ///   - limit: the longest time it may take.
  /// - Returns: what it left.
  /// - Throws: ``Failure``.
  package func outcome(
    reading bytes: [UInt8] = [], in folder: String, limit: Duration = timeLimit
  ) throws(Failure) -> Outcome {
    var program = self
    let (input, output, errors) = ("\(folder)/input", "\(folder)/output", "\(folder)/errors")
    do throws(FileError) {
      for path in [input, output, errors] where Folder.exists(path) { try Folder.removeFile(path) }
      try File.create(input, bytes, isPrivate: true)
    } catch { throw .file(error) }
    (program.input, program.output, program.errors) = (.file(input), .file(output), .file(errors))
    let (status, code) = try UnfinishedFiles.run({ program.start() }) { (process) throws(Failure) in
      try Self.wait(for: process, limit: limit)
    }
    guard let status else {
      throw code == ENOENT ? .missing : .notStarted(reason: FileError("start", words.first ?? "", code: code).reason)
    }
    do throws(FileError) {
      return Outcome(
        status: status, output: String(decoding: try File.contents(of: output), as: UTF8.self),
        errors: String(decoding: try File.contents(of: errors), as: UTF8.self))
    } catch { throw .file(error) }
  }

  /// Waits for the end of a child.
  ///
  /// - Returns: its exit status; negative for the signal that ended it.
  private static func wait(for process: pid_t, limit: Duration) throws(Failure) -> Int32 {
    let step: Int32 = 5
    for _ in 0..<Int(limit / .milliseconds(Int(step))) {
      var status: Int32 = 0
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { return exitStatus(status) }
      if ended < 0, errno != EINTR { return 1 }
      _ = poll(nil, 0, step)
    }
    kill(-process, SIGKILL)
    _ = waitpid(process, nil, 0)
    throw .unfinished(limit: limit)
  }

  /// The exit status in what `waitpid` says; negative for the signal that ended the process.
  package static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }
}
