import CSystem
import Glibc

/// A command that `/bin/sh` runs in a process group of its own, with its output and its complaints in our hands.
///
/// It reads from `/dev/null`. In the end the whole group is killed, so that nothing it started is left behind.
struct ChildProcess: ~Copyable {
  /// Its standard output.
  let output: Descriptor
  /// Its standard error.
  let complaints: Descriptor

  /// Its process group, which has the child's own number.
  var group: pid_t { identifier }

  private let identifier: pid_t

  /// Starts a command.
  ///
  /// - Throws: ``LinkFault`` with the system's reason.
  init(_ command: String) throws(LinkFault) {
    var (outputs, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard unsafe pipe2(&outputs, O_CLOEXEC) == 0 else { throw LinkFault("cannot start “\(command)”", errno) }
    let output = Descriptor(outputs[0])
    let outputEnd = Descriptor(outputs[1])
    guard unsafe pipe2(&errors, O_CLOEXEC) == 0 else { throw LinkFault("cannot start “\(command)”", errno) }
    let complaints = Descriptor(errors[0])
    let complaintsEnd = Descriptor(errors[1])
    var identifier: pid_t = 0
    let code = Self.spawn(command, outputEnd.number, complaintsEnd.number, &identifier)
    guard code == 0 else { throw LinkFault("cannot start “\(command)”", code) }
    self.output = output
    self.complaints = complaints
    self.identifier = identifier
  }

  private static func spawn(_ command: String, _ output: Int32, _ complaints: Int32, _ identifier: inout pid_t) -> Int32
  {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, complaints, 2)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    // What this program ignores or holds back is not the child's business.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGTTIN, SIGTTOU] { unsafe sigaddset(&signals, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words = ["/bin/sh", "-c", command]
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { unsafe arguments.forEach { unsafe free($0) } }
    return unsafe posix_spawn(&identifier, "/bin/sh", &actions, &attributes, arguments, csystem_environment())
  }

  /// Ends the group and takes the child's status away: whoever has started a child owes it that, once.
  ///
  /// - Parameter isAsked: whether the child was to end by itself, for which it gets a second; one that is told to stop gets SIGTERM,
  ///   and half a second for it. These are times of real life, since a child lives in it.
  /// - Returns: how it ended: `status 0`, `signal 15`.
  consuming func finish(isAsked: Bool) -> String {
    if isAsked || !hasEnded(within: 1000) {
      kill(-identifier, SIGTERM)
      _ = hasEnded(within: 500)
    }
    // As long as the child is not waited for, its number and the group's are taken by nobody else.
    kill(-identifier, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(signal)"
  }

  private borrowing func hasEnded(within milliseconds: Int32) -> Bool {
    var left = milliseconds
    while true {
      var found = unsafe siginfo_t()
      let result = unsafe waitid(P_PID, id_t(identifier), &found, WEXITED | WNOHANG | WNOWAIT)
      if result == 0, unsafe found.si_signo == SIGCHLD { return true }
      guard left > 0 else { return false }
      _ = poll(nil, 0, 5)
      left -= 5
    }
  }
}

/// Why a connection could not be made or did not last.
struct LinkFault: Error, Hashable {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// An action that failed, with the system's reason.
  init(_ action: String, _ code: Int32) { reason = "\(action): \(systemReason(code))" }
}
