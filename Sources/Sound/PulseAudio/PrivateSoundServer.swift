import Basics
import CSystem
import Glibc
import Quantities
import Synchronization

/// A private PulseAudio server whose only sink discards its sound: inaudible, and independent of other servers.
///
/// Its socket and everything that it writes are in a temporary folder with access for this user only. The server ends
/// with its owner, however that ends: it reads from a pipe that the owner holds open.
final class PrivateSoundServer: Sendable {
  /// The server's address: `unix:/tmp/station-4711-x7Kd2a/native`.
  let address: String
  /// The server's process identifier.
  let processIdentifier: Int32
  /// The folder with everything that the server writes.
  var folder: String { temporary.path }

  private let temporary: TemporaryFolder
  private let pipes: Mutex<Pipes?>

  private struct Pipes: Sendable {
    /// The server's standard input; the server exits when it is closed.
    var input: Int32
    /// The server's standard output.
    var output: Int32
  }

  /// Starts a server and waits, about 50 ms, until it answers.
  init(sampleRate: Int = 48_000, channels: Int = 2, sink: String = "silent") throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    var started = false
    defer { if !started { temporary.remove() } }
    let input = try Self.pipe()
    defer { close(input.reading) }
    let output = try Self.pipe()
    defer { close(output.writing) }
    defer {
      if !started {
        close(input.writing)
        close(output.reading)
      }
    }
    let process = try Self.spawn(
      Self.arguments(folder: folder, sampleRate: sampleRate, channels: channels, sink: sink), folder: folder,
      input: input.reading, output: output.writing)
    guard Self.answers(input.writing, output.reading) else {
      // It has ended, or its output is still open.
      let hasEnded = Self.hangsUp(output.reading)
      if !hasEnded { kill(process, SIGKILL) }
      let status = Self.reap(process)
      throw SoundServerError(
        action: "start a private PulseAudio",
        reason: Self.problem(in: folder) ?? (hasEnded ? ServerStart.ending(status) : ServerStart.silence))
    }
    started = true
    self.temporary = temporary
    address = "unix:\(folder)/native"
    processIdentifier = process
    pipes = Mutex(Pipes(input: input.writing, output: output.reading))
  }

  /// Starts a server on a separate thread, so that waiting for it blocks no task.
  static func started() async throws -> PrivateSoundServer {
    try await WaitingThread.run { Result { try PrivateSoundServer() } }.get()
  }

  /// Stops the server on a separate thread, see ``stop()``.
  func stopped() async { await WaitingThread.run { self.stop() } }

  deinit { stop() }

  /// Sends the server a command in its own language, such as `suspend-sink silent 1`, and waits until it has executed
  /// it; the output is incomplete if the server ends or sends nothing for ten seconds.
  @discardableResult
  func tell(_ command: String) -> String {
    // The server echoes an unknown command, after the output of everything before it.
    let mark = "told-\(MonotonicClock().now.nanoseconds)"
    let bytes = Array("\(command)\n\(mark)\n".utf8)
    return pipes.withLock { pipes in
      guard let pipes, unsafe write(pipes.input, bytes, bytes.count) == bytes.count else { return "" }
      var said = ""
      while !said.contains(mark), let part = Self.text(from: pipes.output) { said += part }
      return said
    }
  }

  private static func text(from output: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = isReadable(output, within: 10_000) ? unsafe read(output, &bytes, bytes.count) : 0
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  /// Waits until there is something to read, or the server has closed its output, for so many milliseconds.
  private static func isReadable(_ output: Int32, within milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    var ready: Int32
    repeat { ready = unsafe poll(&watched, 1, milliseconds) } while ready < 0 && errno == EINTR
    return ready > 0
  }

  /// Stops the server and removes its folder; further calls have no effect.
  func stop() {
    guard let pipes = pipes.withLock({ $0.take() }) else { return }
    close(pipes.input)
    kill(processIdentifier, SIGTERM)
    // A server paused by SIGSTOP would not handle the signal.
    kill(processIdentifier, SIGCONT)
    if !Self.hangsUp(pipes.output) { kill(processIdentifier, SIGKILL) }
    Self.reap(processIdentifier)
    close(pipes.output)
    temporary.remove()
  }
}

extension PrivateSoundServer {
  private static func arguments(folder: String, sampleRate: Int, channels: Int, sink: String) -> [String] {
    [
      "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disallow-exit=no",
      "--high-priority=no", "--realtime=no", "--log-target=stderr", "--log-level=error",
      // A null sink that can rewind would sleep up to two seconds at a time while nothing plays.
      "--load=module-null-sink sink_name=\(sink) rate=\(sampleRate) channels=\(channels) format=s16le norewinds=1"
        + " sink_properties=device.description=Silence",
      "--load=module-native-protocol-unix socket=\(folder)/native auth-anonymous=1",
      // The last module: it answers requests once everything is loaded, and ends the server when its input ends.
      "--load=module-cli exit_on_eof=1",
    ]
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    // At once, so that no program which another thread starts meanwhile keeps an end open.
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else {
      throw SoundServerError(action: "start a private PulseAudio", reason: "no pipe: \(text(of: errno))")
    }
    return (ends[0], ends[1])
  }

  private static func spawn(_ arguments: [String], folder: String, input: Int32, output: Int32) throws -> pid_t {
    let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
    let environment = [
      "PATH=\(path)", "LANG=C", "HOME=\(folder)", "XDG_RUNTIME_DIR=\(folder)", "PULSE_STATE_PATH=\(folder)",
      "PULSE_RUNTIME_PATH=\(folder)",
    ]
    var start = ProgramStart(["pulseaudio"] + arguments.dropFirst(), environment: environment)
    (start.input, start.output, start.errors) = (.descriptor(input), .descriptor(output), .file("\(folder)/complaints"))
    // A new session, so that the terminal's Ctrl-C reaches only this program, and module-cli, which prefers a terminal
    // to its standard input, finds none.
    start.isolation = .session
    let (process, result) = start.start()
    guard result == 0 else {
      throw SoundServerError(
        action: "start a private PulseAudio", reason: text(of: result),
        advice: result == ENOENT
          ? "for --speaker silent install pipewire-bin or pulseaudio: apt-get install --no-install-recommends pipewire-bin"
          : nil)
    }
    return process
  }

  /// Sends a request and waits for the answer; `false` if the server ends or does not answer in time.
  private static func answers(_ input: Int32, _ output: Int32) -> Bool {
    let question = Array("stat\n".utf8)
    guard unsafe write(input, question, question.count) == question.count else { return false }
    var byte: UInt8 = 0
    return unsafe isReadable(output, within: Int32(ServerStart.patience * 1000)) && read(output, &byte, 1) == 1
  }

  /// Reads until the server closes its output by exiting; `false` if it is silent for two seconds.
  private static func hangsUp(_ output: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while isReadable(output, within: 2000) {
      guard unsafe read(output, &bytes, bytes.count) > 0 else { return true }
    }
    return false
  }

  private static func problem(in folder: String) -> String? {
    let bytes = try? File.contents(of: "\(folder)/complaints", limit: 1 << 16)
    let lines = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
    return lines.first { !$0.contains("root privileges") }.map(String.init)
  }

  /// Waits for its end; returns the status as `waitpid` does.
  @discardableResult
  private static func reap(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  private static func text(of code: Int32) -> String { FileError("", "", code: code).reason }
}

/// The limits and the reasons that the private servers of both kinds share.
enum ServerStart {
  /// The seconds in which a server has to answer: a busy computer may leave it waiting for some.
  static let patience = 30
  static let silence = "it did not answer within \(patience) s, and reported no reason"

  /// How a server ended that reported nothing, by the status that `waitpid` gives.
  static func ending(_ status: Int32) -> String {
    let signal = status & 0x7F
    let way = signal == 0 ? "with status \(status >> 8 & 0xFF)" : "by signal \(signal)"
    return "it ended \(way), and reported no reason"
  }
}
