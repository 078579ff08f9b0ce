import CSystem
import Glibc
import Synchronization

/// Programs that pass bytes on to each other, such as a compressor and an encryptor, as children of this process.
///
/// They run in sessions of their own, without a terminal. Those that still run are killed when the chain is dropped.
package final class ProgramChain: Sendable {
  /// Why a chain of programs failed.
  package enum Failure: Error, Hashable, Sendable {
    /// A program is not installed.
    case missing(program: String)
    /// A program ended with a status, and said why.
    case ended(program: String, reason: String)
    /// The system refused a pipe or a process.
    case system(FileError)
  }

  private let names: [String]
  private let processes: Mutex<[Int32]>
  private let errors: Int32
  /// The end of the first program's input, or of the last one's output, that is here.
  private let descriptor: Int32

  /// Starts programs that write what is given to ``write(_:)`` to a new file, readable by this user only.
  ///
  /// - Throws: ``Failure``.
  package convenience init(_ programs: [[String]], to file: String) throws(Failure) {
    try self.init(programs, input: nil, output: file)
  }

  /// Starts programs that read a file, whose output ``read(upTo:)`` returns.
  ///
  /// - Throws: ``Failure``.
  package convenience init(_ programs: [[String]], from file: String) throws(Failure) {
    try self.init(programs, input: file, output: nil)
  }

  private init(_ programs: [[String]], input: String?, output: String?) throws(Failure) {
    var open: [Int32] = []
    var processes: [Int32] = []
    defer { for descriptor in open { close(descriptor) } }
    func pipe() throws(Failure) -> (reading: Int32, writing: Int32) {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else {
        throw .system(FileError("open a pipe for", input ?? output ?? "", code: errno))
      }
      open += ends
      return (ends[0], ends[1])
    }
    let (ours, theirs) = try pipe()
    let (errors, errorsEnd) = try pipe()
    var previous = ProgramStart.Stream.descriptor(ours)
    if let input { previous = .file(input) }
    do throws(Failure) {
      for (index, words) in programs.enumerated() {
        var start = ProgramStart(words)
        (start.input, start.errors, start.isolation) = (previous, .descriptor(errorsEnd), .session)
        if index == programs.count - 1 {
          start.output = output.map { .file($0) } ?? .descriptor(theirs)
        } else {
          let between = try pipe()
          (start.output, previous) = (.descriptor(between.writing), .descriptor(between.reading))
        }
        let (process, code) = start.start()
        guard code == 0 else {
          throw code == ENOENT
            ? .missing(program: words.first ?? "") : .system(FileError("start", words.first ?? "", code: code))
        }
        processes.append(process)
      }
    } catch {
      Self.end(processes)
      throw error
    }
    let kept = input == nil ? theirs : ours
    open.removeAll { $0 == kept || $0 == errors }
    names = programs.map { $0.first ?? "" }
    self.processes = Mutex(processes)
    (self.errors, descriptor) = (errors, kept)
  }

  deinit {
    close(descriptor)
    close(errors)
    Self.end(processes.withLock { $0 })
  }

  private static func end(_ processes: [Int32]) {
    for process in processes {
      kill(process, SIGKILL)
      _ = waitpid(process, nil, 0)
    }
  }

  /// Passes bytes to the first program.
  ///
  /// - Throws: ``Failure``.
  package func write(_ bytes: [UInt8]) throws(Failure) {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      if written < 0, errno != EINTR {
        let code = errno
        try finish()
        throw .system(FileError("write to", names[0], code: code))
      }
      start += max(written, 0)
    }
  }

  /// The next bytes of the last program's output; an empty result means its end.
  ///
  /// - Throws: ``Failure``.
  package func read(upTo count: Int) throws(Failure) -> [UInt8] {
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      repeat { result = unsafe Glibc.read(descriptor, buffer.baseAddress, count) } while result < 0 && errno == EINTR
      initialized = max(result, 0)
    }
    guard result >= 0 else { throw .system(FileError("read from", names.last ?? "", code: errno)) }
    if bytes.isEmpty { try finish() }
    return bytes
  }

  /// Closes the first program's input, and waits until all have ended.
  ///
  /// - Throws: ``Failure/ended(program:reason:)`` for a program that failed, the last one first.
  package func finish() throws(Failure) {
    // The descriptor's number stays taken until the chain is dropped.
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    if null >= 0 {
      dup2(null, descriptor)
      close(null)
    }
    var failed: (program: String, reason: String)?
    let ended = processes.withLock { processes in
      defer { processes = [] }
      return processes
    }
    for (name, process) in zip(names, ended) {
      var status: Int32 = 0
      guard unsafe waitpid(process, &status, 0) == process, status != 0 else { continue }
      failed = (name, status & 0x7F != 0 ? "signal \(status & 0x7F)" : "status \(status >> 8 & 0xFF)")
    }
    guard let failed else { return }
    let words = said()
    throw .ended(program: failed.program, reason: words.isEmpty ? failed.reason : words)
  }

  /// What the programs wrote to standard error, on one line.
  private func said() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    _ = fcntl(errors, F_SETFL, O_NONBLOCK)
    let count = unsafe max(0, Glibc.read(errors, &buffer, buffer.count))
    let lines = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n")
    return lines.prefix(3).joined(separator: "; ")
  }
}
