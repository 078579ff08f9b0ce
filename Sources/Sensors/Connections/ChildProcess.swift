import Basics
import CSystem
import Glibc

/// A program in its own process group, with its standard output and standard error as pipes.
///
/// It reads from `/dev/null`. Finally the whole group is killed, so that no process it started survives.
struct ChildProcess: ~Copyable {
  /// Its standard output.
  let output: Descriptor
  /// Its standard error.
  let complaints: Descriptor

  /// Its process group; the number equals the child's process identifier.
  var group: pid_t { identifier }

  private let identifier: pid_t

  /// Starts a command that `/bin/sh` runs.
  ///
  /// - Throws: ``LinkFault`` with the system's reason.
  init(shell command: String) throws(LinkFault) { try self.init(["/bin/sh", "-c", command], called: command) }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: the program, which is looked for in `PATH` if it has no slash, and its arguments.
  ///   - command: what it is called in messages.
  /// - Throws: ``LinkFault`` with the system's reason.
  init(_ words: [String], called command: String) throws(LinkFault) {
    var (outputs, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard unsafe pipe2(&outputs, O_CLOEXEC) == 0 else { throw LinkFault("cannot start “\(command)”", errno) }
    let output = Descriptor(outputs[0])
    let outputEnd = Descriptor(outputs[1])
    guard unsafe pipe2(&errors, O_CLOEXEC) == 0 else { throw LinkFault("cannot start “\(command)”", errno) }
    let complaints = Descriptor(errors[0])
    let complaintsEnd = Descriptor(errors[1])
    var start = ProgramStart(words)
    start.output = .descriptor(outputEnd.number)
    start.errors = .descriptor(complaintsEnd.number)
    let (identifier, code) = start.start()
    guard code == 0 else { throw LinkFault("cannot start “\(command)”", code) }
    self.output = output
    self.complaints = complaints
    self.identifier = identifier
  }

  /// Terminates the group and reaps the child; required exactly once for every child started.
  ///
  /// - Parameter isAsked: whether the child is stopped on request: it gets SIGTERM and then half a second; otherwise it
  ///   gets a second to exit by itself. These are real-time delays, because the child runs in real time.
  /// - Returns: how it ended: `status 0`, `signal 15`.
  consuming func finish(isAsked: Bool) -> String {
    if isAsked || !hasEnded(within: 1000) {
      kill(-identifier, SIGTERM)
      _ = hasEnded(within: 500)
    }
    // Until the child is reaped, its number and the group's cannot be reused.
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
