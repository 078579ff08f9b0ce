import CSystem
import Foundation
import Glibc
import Synchronization
import TestSupport

/// A program that runs beside the test: the test reads what it says while it runs, types, sends signals, and waits for
/// its end.
///
/// It is not Foundation's `Process`, which may miss an end while other tests start programs.
final class Child: Sendable {
  /// What it reads from.
  enum Input {
    case nothing
    case pipe
    /// A terminal of its own, which is also what it writes to.
    case terminal
  }

  /// A process that hangs is killed after so many seconds, so that a defect ends in a failure; later on a computer that is
  /// busy on purpose, where a test may itself wait for minutes.
  static let patience = ProcessInfo.processInfo.environment["STATION_STRESS"] == nil ? 120.0 : 600.0

  let output = Transcript()
  let complaints = Transcript()
  let terminal: Terminal?

  var identifier: Int32 { program.identifier }

  private let program: RunningProgram
  private let input: Mutex<FileHandle?>

  /// Starts a program.
  init(
    _ program: String, _ arguments: [String], in folder: String, input kind: Input = .nothing,
    environment: [String: String] = [:], patience: Double? = Child.patience
  ) throws {
    // A program that has ended reads no more; that is for the test to find, and no reason to end all tests.
    signal(SIGPIPE, SIG_IGN)
    let terminal = kind == .terminal ? try Terminal() : nil
    let (outputs, errors, inputs) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
    // A session of its own, whose terminal this is: only then does Ctrl-C become a signal.
    let session = terminal == nil ? [] : ["setsid", "--ctty", "--wait"]
    let nothing = FileHandle.nullDevice
    let streams =
      terminal.map { [$0.far, $0.far, $0.far] }
      ?? [kind == .pipe ? inputs.reading : nothing, outputs.writing, errors.writing]
    // The terminal can do what any can today, whatever the tests were started from.
    let type = terminal == nil ? [:] : ["TERM": "xterm-256color"]
    // Settings of the user who runs the tests do not apply.
    let own = ["XDG_CONFIG_HOME": "\(folder)/.config"].merging(type) { _, new in new }
    let all = ProcessInfo.processInfo.environment.merging(own) { _, new in new }.merging(environment) { _, new in new }
    self.program = try RunningProgram(
      ["/usr/bin/env", "--chdir", folder] + session + [program] + arguments,
      environment: all.map { "\($0.key)=\($0.value)" }, streams: streams.map(\.fileDescriptor))
    self.terminal = terminal
    input = Mutex(kind == .pipe ? inputs.writing : nil)
    if let terminal {
      // Once no far end is open any more, the near one comes to an end.
      try terminal.far.close()
      Self.read(terminal.near, into: output)
      complaints.end()
    } else {
      Self.read(outputs.reading, into: output)
      Self.read(errors.reading, into: complaints)
    }
    guard let patience else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in self?.giveUp() }
  }

  /// Waits for its end and for its last words; 128 and the signal for one that was killed.
  func end() async -> Int32 {
    let status = await program.end()
    await output.waitForEnd()
    await complaints.waitForEnd()
    return status
  }

  /// Sends a signal, unless it has ended; to the leader of the session where it has a terminal, whose parent waits for it.
  func send(_ signal: Int32) {
    guard let terminal else { return program.send(signal) }
    let leader = tcgetpgrp(terminal.near.fileDescriptor)
    if leader > 0, program.isRunning { kill(leader, signal) }
  }

  /// Writes to its standard input, or types on its terminal.
  func type(_ text: String) {
    if let terminal { return terminal.near.write(Data(text.utf8)) }
    input.withLock { try? $0?.write(contentsOf: Data(text.utf8)) }
  }

  /// No person presses two keys closer to each other than this; what does is taken for a key that is held down.
  private static let pace = 0.15

  /// Answers what it says, one thing after the other: when the first text stands there, the first answer is typed, at the
  /// pace of a person.
  func answer(_ dialogue: [(text: String, answer: String)]) {
    guard let (text, answer) = dialogue.first else { return }
    output.when(text) { [self] wasSaid in
      guard wasSaid else { return }
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.pace) { [self] in
        type(answer)
        self.answer(Array(dialogue.dropFirst()))
      }
    }
  }

  /// Ends its standard input.
  func closeInput() {
    input.withLock { input in
      try? input?.close()
      input = nil
    }
  }

  private func giveUp() { send(SIGKILL) }

  private static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw MissingProgram(name: "pipe") }
    let handles = ends.map { FileHandle(fileDescriptor: $0, closeOnDealloc: true) }
    return (handles[0], handles[1])
  }

  private static func read(_ handle: FileHandle, into transcript: Transcript) {
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      while true {
        let count = unsafe Glibc.read(handle.fileDescriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        transcript.take(buffer[..<count])
      }
      transcript.end()
    }
  }
}

/// A pseudo-terminal: what is written to the near end is typed, what is read there was shown.
struct Terminal: Sendable {
  /// TIOCSPTLCK and TIOCGPTN of <asm/ioctls.h>.
  private static let setLock: UInt = 0x4004_5431
  private static let number: UInt = 0x8004_5430

  let near: FileHandle
  let far: FileHandle

  init() throws {
    let near = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (Int32, Int32) = (0, 0)
    guard near >= 0, unsafe ioctl(near, Self.setLock, &lock) == 0, unsafe ioctl(near, Self.number, &number) == 0 else {
      throw MissingProgram(name: "/dev/ptmx")
    }
    let path = "/dev/pts/\(number)"
    let far = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard far >= 0 else { throw MissingProgram(name: path) }
    self.near = FileHandle(fileDescriptor: near, closeOnDealloc: true)
    self.far = FileHandle(fileDescriptor: far, closeOnDealloc: true)
  }

  /// How the terminal treats its input: echo, lines, and what else there is.
  var settings: [UInt32] {
    var settings = termios()
    guard unsafe tcgetattr(near.fileDescriptor, &settings) == 0 else { return [] }
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }
}
