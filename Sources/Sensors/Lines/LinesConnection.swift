import Basics
import CSystem
import Glibc
import Quantities

/// The reading of one connection to a source of lines.
struct LinesConnection: Sendable {
  private let target: LineTarget
  private let latency: Duration
  private let budget: ReadingBudget
  private let thread: SensorThread

  private var queue: SampleQueue { thread.queue }
  private var clock: any StationClock { thread.clock }
  private var isStopped: Bool { thread.isStopped }

  /// Prepares the connection; `latency` is the source's delay from a beat to its delivery, and `budget` the maximum
  /// reading rate.
  init(_ target: LineTarget, latency: Duration, budget: ReadingBudget, on thread: SensorThread) {
    (self.target, self.latency, self.budget, self.thread) = (target, latency, budget, thread)
  }

  /// Connects, and reads to the end.
  func read(_ lines: inout Int) throws(LinkFault) -> SampleQueue.Ending {
    var decoder = LineDecoder(latency: latency, after: lines)
    defer { lines = decoder.lineCount }
    switch target {
    case .standardInput:
      try read(Descriptor(borrowing: 0), "standard input", &decoder)
      return .over("standard input has ended")
    case .path(let path):
      // O_NONBLOCK: opening a FIFO does not wait for its writer; the first read does.
      let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      guard number >= 0 else {
        let hint = errno == ENXIO ? "; for a Unix socket say lines:unix:\(path)" : ""
        throw LinkFault("\(FileError("open", path, code: errno))\(hint)")
      }
      try read(Descriptor(number), "“\(path.visible)”", &decoder)
      return .over("“\(path.visible)” has ended")
    case .unix(let path):
      let socket = try SocketConnection.open(unix: path, on: thread)
      try read(socket, "“\(path.visible)”", &decoder)
      return .broken("“\(path.visible)” closed the connection")
    case .tcp(let host, let port):
      let socket = try SocketConnection.open(host: host, port: port, on: thread)
      try read(socket, "\(target)", &decoder)
      return .broken("\(target) closed the connection")
    case .exec(let command):
      return try run(command, &decoder)
    }
  }

  /// Reads to the end, or until the thread is stopped.
  private func read(_ descriptor: consuming Descriptor, _ name: String, _ decoder: inout LineDecoder) throws(LinkFault)
  {
    guard !isStopped else { return }
    queue.add(.connected(nil))
    let isPatient = isRegularFile(descriptor.number)
    // A sample takes at least three bytes, so this many bytes fit into the free half of the queue.
    var buffer = [UInt8](repeating: 0, count: isPatient ? min(Self.piece, queue.capacity) : Self.piece)
    var limiter = RateLimiter(budget)
    while !isStopped {
      if isPatient, thread.waitForRoom() { continue }
      guard thread.wait([(descriptor.number, Int(POLLIN))])[0] != 0 else { continue }
      switch descriptor.read(into: &buffer) {
      case .bytes(let count):
        let before = decoder.lineCount
        queue.add(decoder.take(buffer.span.extracting(0..<count), arrived: clock.now))
        rest(&limiter, afterLines: decoder.lineCount - before, bytes: count, of: descriptor, isTold: !isPatient)
      case .nothing: continue
      case .end:
        queue.add(decoder.end(isWhole: !target.reconnects, arrived: clock.now))
        return
      case .failed(let code):
        queue.add(decoder.end(isWhole: false, arrived: clock.now))
        throw LinkFault("cannot read \(name)", code)
      }
    }
  }

  /// Runs a command to its end, reads its output, and keeps the last line of its standard error.
  private func run(_ command: String, _ decoder: inout LineDecoder) throws(LinkFault) -> SampleQueue.Ending {
    guard !isStopped else { return .stopped }
    let child = try ChildProcess(shell: command)
    thread.childGroup = child.group
    queue.add(.connected(nil))
    var buffer = [UInt8](repeating: 0, count: Self.piece)
    var complaints = LineSplitter()
    var problem = ""
    var isOpen = (output: true, complaints: true)
    var limiter = RateLimiter(budget)
    func keep(_ line: Span<UInt8>?) {
      if let line, line.count > 0 { problem = excerpt(line, 200) }
    }
    while isOpen.output, !isStopped {
      // `poll` ignores a negative descriptor.
      let answers = thread.wait([
        (child.output.number, Int(POLLIN)), (isOpen.complaints ? child.complaints.number : -1, Int(POLLIN)),
      ])
      if answers[1] != 0 {
        switch child.complaints.read(into: &buffer) {
        case .bytes(let count):
          let before = complaints.count
          complaints.take(buffer.span.extracting(0..<count)) { keep($1) }
          rest(&limiter, afterLines: complaints.count - before, bytes: count, of: child.output, isTold: true)
        case .nothing: break
        case .end, .failed: isOpen.complaints = false
        }
      }
      if answers[0] != 0 {
        switch child.output.read(into: &buffer) {
        case .bytes(let count):
          let before = decoder.lineCount
          queue.add(decoder.take(buffer.span.extracting(0..<count), arrived: clock.now))
          rest(&limiter, afterLines: decoder.lineCount - before, bytes: count, of: child.output, isTold: true)
        case .nothing: break
        case .end, .failed: isOpen.output = false
        }
      }
    }
    // What the child wrote before it ended is in the pipe by now. The bound ignores a grandchild that holds the pipe
    // open or floods it.
    var pieces = 0
    while !isStopped, isOpen.complaints, pieces < 16,
      thread.wait([(child.complaints.number, Int(POLLIN))], milliseconds: 100)[0] != 0
    {
      guard case .bytes(let count) = child.complaints.read(into: &buffer) else { break }
      complaints.take(buffer.span.extracting(0..<count)) { keep($1) }
      pieces += 1
    }
    complaints.end { keep($1) }
    if !isStopped { queue.add(decoder.end(isWhole: true, arrived: clock.now)) }
    thread.childGroup = nil
    let status = child.finish(isAsked: isStopped)
    return .over("“\(command)” ended with \(status)\(problem.isEmpty ? "" : "; its last words: \(problem)")")
  }

  /// The number of bytes read together: many sources that begin to flood at the same time bring no more than a few seconds
  /// of work.
  private static let piece = 1 << 13

  private func rest(
    _ limiter: inout RateLimiter, afterLines lines: Int, bytes: Int, of descriptor: borrowing Descriptor, isTold: Bool
  ) {
    thread.rest(&limiter, afterLines: lines, bytes: bytes) { isTold ? $0.lines(in: descriptor.waitingBytes) : nil }
  }

  /// Whether a descriptor is a file on disk, which loses nothing while it waits.
  private func isRegularFile(_ number: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
