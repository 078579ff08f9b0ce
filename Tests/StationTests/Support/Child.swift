import Foundation
import Glibc
import Synchronization
import TestSupport

/// A program that runs beside the test: the test reads what it says while it runs, types, sends signals, and waits for
/// its end.
final class Child: Sendable {
  /// What it reads from.
  enum Input {
    case nothing
    case pipe
    /// A terminal of its own, which is also what it writes to.
    case terminal
  }

  /// A process that hangs is killed after this, so that a defect ends in a failure.
  private static let patience = 180.0

  let output = Transcript()
  let complaints = Transcript()
  let identifier: pid_t
  let terminal: Terminal?

  private struct Ending {
    var status: Int32?
    var waiting: [CheckedContinuation<Int32, Never>] = []
  }

  private let input: Mutex<FileHandle?>
  private let ending = Mutex(Ending())

  /// Starts a program.
  init(
    _ program: String, _ arguments: [String], in folder: String, input kind: Input = .nothing,
    environment: [String: String] = [:]
  ) throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    let outputs = Pipe()
    let errors = Pipe()
    let inputs = Pipe()
    var terminal: Terminal?
    switch kind {
    case .nothing:
      process.standardInput = FileHandle.nullDevice
    case .pipe:
      process.standardInput = inputs
    case .terminal:
      let made = try Terminal()
      terminal = made
      // A session of its own, whose terminal this is: only then does Ctrl-C become a signal.
      process.executableURL = URL(filePath: "/usr/bin/setsid")
      process.arguments = ["--ctty", "--wait", program] + arguments
      process.standardInput = made.far
    }
    process.standardOutput = terminal?.far ?? outputs
    process.standardError = terminal?.far ?? errors
    self.terminal = terminal
    input = Mutex(kind == .pipe ? inputs.fileHandleForWriting : nil)
    let ended = AsyncStream<Int32>.makeStream()
    process.terminationHandler = { process in
      ended.continuation.yield(
        process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus)
    }
    try process.run()
    identifier = process.processIdentifier
    if let terminal {
      Self.read(terminal.near, into: output)
      complaints.end()
    } else {
      Self.read(outputs.fileHandleForReading, into: output)
      Self.read(errors.fileHandleForReading, into: complaints)
    }
    Task.detached { [self] in
      for await status in ended.stream {
        finish(status)
        break
      }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [weak self] in self?.send(SIGKILL) }
  }

  /// Waits for its end and for its last words; 128 and the signal for one that was killed.
  func end() async -> Int32 {
    let status = await withCheckedContinuation { continuation in
      let status = ending.withLock { ending in
        if ending.status == nil { ending.waiting.append(continuation) }
        return ending.status
      }
      if let status { continuation.resume(returning: status) }
    }
    // A terminal that we hold open ourselves has no end.
    if terminal == nil {
      await output.waitForEnd()
      await complaints.waitForEnd()
    }
    return status
  }

  /// Sends a signal, unless it has ended.
  func send(_ signal: Int32) {
    ending.withLock { if $0.status == nil { kill(identifier, signal) } }
  }

  /// Writes to its standard input, or types on its terminal.
  func type(_ text: String) {
    if let terminal { return terminal.near.write(Data(text.utf8)) }
    input.withLock { try? $0?.write(contentsOf: Data(text.utf8)) }
  }

  /// Ends its standard input.
  func closeInput() {
    input.withLock { input in
      try? input?.close()
      input = nil
    }
  }

  private func finish(_ status: Int32) {
    let waiting = ending.withLock { ending in
      ending.status = status
      defer { ending.waiting = [] }
      return ending.waiting
    }
    for continuation in waiting { continuation.resume(returning: status) }
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
    guard unsafe tcgetattr(far.fileDescriptor, &settings) == 0 else { return [] }
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }
}
