import Basics
import CSystem
import Glibc
import Quantities
import Synchronization

/// A private PipeWire server whose only sink discards its sound: inaudible, and independent of other servers.
///
/// It needs neither a session manager nor D-Bus. Its socket is in a temporary folder with access for this user only. The
/// server ends with its owner, however that ends.
final class PrivatePipeWire: Sendable {
  /// The path of the server's socket.
  let address: String
  /// The identifier of the shell that runs the server.
  let processIdentifier: Int32
  /// The folder with everything that the server writes.
  var folder: String { temporary.path }

  private let temporary: TemporaryFolder
  /// The pipe that keeps the server running; `nil` after its end.
  private let pipe: Mutex<Int32?>

  /// What the server's configuration names its socket.
  private static let socket = "pipewire-silent"

  /// Starts a server and waits, about 30 ms, until its socket answers.
  ///
  /// - Parameters:
  ///   - sampleRate: the graph's frames per second.
  ///   - quantum: the frames of a cycle.
  ///   - channels: the positions of the sink's channels, as PipeWire writes them.
  ///   - sink: the sink's name.
  ///   - hasMonitor: whether what the sink is given can be recorded.
  /// - Throws: ``SoundServerError``, `FileError`.
  init(
    sampleRate: Int = 48_000, quantum: Int = 1024, channels: [String] = ["FL", "FR"], sink: String = "silent",
    hasMonitor: Bool = false
  ) throws {
    try PipeWireLibrary.open()
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    var process: pid_t = 0
    var ends: [Int32] = [0, 0]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else {
      temporary.remove()
      throw SoundServerError(action: "start a private PipeWire", reason: FileError("", "", code: errno).reason)
    }
    defer { close(ends[0]) }
    do {
      let settings = Self.settings(
        sampleRate: sampleRate, quantum: quantum, channels: channels, sink: sink,
        hasMonitor: hasMonitor)
      try File("\(folder)/silent.conf", .create).write(Array(settings.utf8))
      process = try Self.start(in: folder, input: ends[0])
      try Self.waitUntilItAnswers(process, in: folder)
    } catch {
      if process > 0 { Self.end(process, ends[1]) } else { close(ends[1]) }
      temporary.remove()
      throw error
    }
    self.temporary = temporary
    address = "\(folder)/\(Self.socket)"
    processIdentifier = process
    pipe = Mutex(ends[1])
  }

  deinit { stop() }

  /// Starts a server on a separate thread, so that waiting for it blocks no task.
  static func started() async throws -> PrivatePipeWire {
    try await WaitingThread.run { Result { try PrivatePipeWire() } }.get()
  }

  /// Stops the server on a separate thread, see ``stop()``.
  func stopped() async { await WaitingThread.run { self.stop() } }

  /// Stops the server and removes its folder; further calls have no effect.
  func stop() {
    guard let pipe = pipe.withLock({ $0.take() }) else { return }
    Self.end(processIdentifier, pipe)
    temporary.remove()
  }
}

extension PrivatePipeWire {
  /// The server's configuration.
  ///
  /// Without a session manager the sink's adapter makes its ports itself, and without the metadata module PipeWire's own
  /// tools report errors.
  private static func settings(
    sampleRate: Int, quantum: Int, channels: [String], sink: String, hasMonitor: Bool
  ) -> String {
    """
    context.properties = {
      core.daemon = true  core.name = \(socket)  mem.allow-mlock = false
      default.clock.rate = \(sampleRate)  default.clock.allowed-rates = [ \(sampleRate) ]
      default.clock.quantum = \(quantum)  default.clock.min-quantum = \(quantum)  default.clock.max-quantum = \(quantum)
    }
    context.spa-libs = {
      audio.convert.* = audioconvert/libspa-audioconvert
      support.* = support/libspa-support
    }
    context.modules = [
      { name = libpipewire-module-protocol-native } { name = libpipewire-module-client-node }
      { name = libpipewire-module-access } { name = libpipewire-module-metadata }
      { name = libpipewire-module-adapter } { name = libpipewire-module-link-factory }
    ]
    context.objects = [
      { factory = adapter
        args = {
          factory.name = support.null-audio-sink  node.name = \(sink)  node.description = Silence
          media.class = Audio/Sink  audio.position = [ \(channels.joined(separator: " ")) ]
          object.linger = true  priority.driver = 20000
          adapter.auto-port-config = { mode = dsp  monitor = \(hasMonitor)  position = preserve }
        } }
    ]

    """
  }

  /// The shell's status where the program is not installed: none of a program's own, nor 127, which one that cannot be loaded
  /// has as well.
  private static let missing = 200

  /// Starts the server under a shell, which ends it when its standard input is closed, as it is when its owner ends.
  private static func start(in folder: String, input: Int32) throws -> pid_t {
    let script = """
      command -v pipewire >/dev/null || exit \(missing)
      exec 3<&0
      pipewire -c "$1" </dev/null 3<&- & server=$!
      { cat <&3 >/dev/null; kill $server; } & watcher=$!
      wait $server; status=$?
      kill $watcher
      exit $status
      """
    let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
    var start = ProgramStart(
      ["sh", "-c", script, "sh", "\(folder)/silent.conf"],
      environment: ["PATH=\(path)", "LANG=C", "HOME=\(folder)", "XDG_RUNTIME_DIR=\(folder)"])
    (start.input, start.errors) = (.descriptor(input), .file("\(folder)/complaints"))
    start.isolation = .session
    let (process, result) = start.start()
    guard result == 0 else {
      throw SoundServerError(action: "start a private PipeWire", reason: FileError("", "", code: result).reason)
    }
    return process
  }

  private static func waitUntilItAnswers(_ process: pid_t, in folder: String) throws {
    let deadline = MonotonicClock().now.advanced(by: .seconds(ServerStart.patience))
    var status: Int32 = 0
    var ending = ServerStart.silence
    while MonotonicClock().now < deadline {
      if Folder.exists("\(folder)/\(socket)"), isAnswering("\(folder)/\(socket)") { return }
      if unsafe waitpid(process, &status, WNOHANG) == process {
        guard status >> 8 & 0xFF != missing else {
          throw SoundServerError(
            action: "start a private PipeWire", reason: "it is not installed",
            advice: "install it: apt-get install --no-install-recommends pipewire-bin")
        }
        ending = ServerStart.ending(status)
        break
      }
      usleep(2000)
    }
    throw SoundServerError(
      action: "start a private PipeWire",
      reason: problem(in: folder) ?? ending)
  }

  /// Whether the socket, which is made before the server listens to it, is listened to.
  private static func isAnswering(_ address: String) -> Bool {
    guard let connection = try? PipeWireConnection(to: address) else { return false }
    connection.close()
    return true
  }

  private static func problem(in folder: String) -> String? {
    let bytes = try? File.contents(of: "\(folder)/complaints", limit: 1 << 16)
    return String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").first.map(String.init)
  }

  /// Closes the server's pipe and waits until it has ended; one that does not within two seconds is killed.
  private static func end(_ process: pid_t, _ pipe: Int32) {
    close(pipe)
    var status: Int32 = 0
    let deadline = MonotonicClock().now.advanced(by: .seconds(2))
    while MonotonicClock().now < deadline {
      if unsafe waitpid(process, &status, WNOHANG) != 0 { return }
      usleep(1000)
    }
    // The shell leads a session of its own, and so its process group.
    kill(-process, SIGKILL)
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}
