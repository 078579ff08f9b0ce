import Basics
import CSystem
import Glibc
import Synchronization

/// Keeps the computer awake during a session, where a login manager (logind) can: no sleep, no idle screen, no closing lid.
///
/// `systemd-inhibit` holds the lock as a child for as long as its standard input is open, which ends with this process however
/// it ends. Nothing waits for it.
package final class SessionInhibitor: Sendable {
  /// The program that takes the lock.
  private static let program = "systemd-inhibit"

  /// What is there where logind runs and can be asked: its own folder, and the system's bus.
  static let logind = ["/run/systemd/seats", "/run/dbus/system_bus_socket"]

  private let input = Mutex<Int32?>(nil)

  /// Asks logind to keep the computer awake until ``release()``; where there is none, nothing happens.
  ///
  /// - Parameters:
  ///   - path: the folders in which the program is looked for, as in `PATH`.
  ///   - logind: what is there where logind runs.
  ///   - refused: told why, when logind refuses, on a thread of its own.
  package init(
    path: String = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "",
    logind: [String] = SessionInhibitor.logind, refused: @escaping @Sendable (String) -> Void
  ) {
    let candidates = path.split(separator: ":").map { "\($0)/\(Self.program)" }
    guard logind.allSatisfy(Folder.exists), let program = candidates.first(where: { unsafe access($0, X_OK) == 0 })
    else { return }
    let words = [
      program, "--what=idle:sleep:handle-lid-switch", "--mode=block", "--who=station",
      "--why=a session is being recorded", "cat",
    ]
    guard let (child, input, errors) = Self.spawn(words) else { return }
    self.input.withLock { $0 = input }
    WaitingThread.start { [self] in
      let words = Self.read(errors)
      close(errors)
      var status: Int32 = 0
      while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
      // As long as our end is open, `cat` does not end by itself.
      guard status != 0, self.input.withLock({ $0 != nil }) else { return }
      refused(words.split(separator: "\n").first.map(String.init) ?? "\(Self.program) ended with status \(status >> 8)")
    }
  }

  /// Lets the computer sleep again.
  package func release() {
    let input = input.withLock { input in
      defer { input = nil }
      return input
    }
    if let input { close(input) }
  }

  private static func spawn(_ words: [String]) -> (child: pid_t, input: Int32, errors: Int32)? {
    var (inputs, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard unsafe pipe2(&inputs, O_CLOEXEC) == 0 else { return nil }
    defer { close(inputs[0]) }
    guard unsafe pipe2(&errors, O_CLOEXEC) == 0 else {
      close(inputs[1])
      return nil
    }
    defer { close(errors[1]) }
    // In a session of its own Ctrl-C does not end it, and nothing asks for a password.
    var start = ProgramStart(words)
    (start.input, start.errors, start.isolation) = (.descriptor(inputs[0]), .descriptor(errors[1]), .session)
    let (child, error) = start.start()
    guard error == 0 else {
      close(inputs[1])
      close(errors[0])
      return nil
    }
    return (child, inputs[1], errors[0])
  }

  private static func read(_ descriptor: Int32) -> String {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: all, as: UTF8.self).visibleLines }
      if all.count < 4096 { all += buffer[..<count] }
    }
  }
}
