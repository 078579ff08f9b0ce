import Basics
import CSystem
import Glibc
import Quantities
import Synchronization

/// One connection to a source of lines, from opening to closing, on its own thread.
final class Link: Connection {
  /// The thread's output.
  let queue: SampleQueue

  private struct State: Sendable {
    var isStopped = false
    /// Whether the thread is in an uninterruptible call (name resolution), so that stopping must not wait for it.
    var isBeyondReach = false
    /// The child's process group, from its start until just before it is reaped.
    var group: pid_t?
  }

  /// The settings shared by all connections of one stream.
  struct Settings: Sendable {
    /// What to connect to.
    let target: LineTarget
    /// The source's delay from a beat to its delivery.
    let latency: Duration
    /// The maximum number of samples that wait for the consumer.
    let capacity: Int
    /// The maximum reading rate.
    let budget: ReadingBudget
    /// The clock that stamps arrivals.
    let clock: any StationClock
    /// The counter of received samples.
    let tally: SampleTally
  }

  private let settings: Settings
  private let lines: Int
  private let alarm = Alarm()
  private let state = Mutex(State())

  private var target: LineTarget { settings.target }
  private var clock: any StationClock { settings.clock }

  /// Starts connecting; `lines` is the number of lines over earlier connections.
  init(_ settings: Settings, after lines: Int) {
    self.settings = settings
    self.lines = lines
    queue = SampleQueue(capacity: settings.capacity, tally: settings.tally)
    guard alarm.works, WaitingThread.start({ self.run() }) else {
      let reason = "cannot connect: no more threads or descriptors to be had"
      queue.close(target.reconnects ? .broken(reason) : .over(reason), lines: lines)
      return
    }
  }

  /// Ends the connection, its child process and its thread; the queue is closed when they are gone.
  func stop() {
    let isBeyondReach = state.withLock { state in
      state.isStopped = true
      // Here, not on the reading thread: the program may be about to exit.
      if let group = state.group { kill(-group, SIGTERM) }
      return state.isBeyondReach
    }
    alarm.ring()
    if isBeyondReach { queue.close(.stopped, lines: lines) }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  // MARK: On the thread

  private func run() {
    var decoder = LineDecoder(latency: settings.latency, after: lines)
    let ending: SampleQueue.Ending
    do {
      ending = try connectAndRead(&decoder)
    } catch {
      ending = target.reconnects ? .broken(error.reason) : .over(error.reason)
    }
    queue.close(isStopped ? .stopped : ending, lines: decoder.lineCount)
  }

  private func connectAndRead(_ decoder: inout LineDecoder) throws(LinkFault) -> SampleQueue.Ending {
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
      let socket = try SocketConnection.open(unix: path, alarm: alarm) { isStopped }
      try read(socket, "“\(path.visible)”", &decoder)
      return .broken("“\(path.visible)” closed the connection")
    case .tcp(let host, let port):
      let socket = try SocketConnection.open(
        host: host, port: port, alarm: alarm, isStopped: { isStopped },
        resolving: { isResolving in
          state.withLock { state in
            state.isBeyondReach = isResolving
            return !state.isStopped
          }
        })
      try read(socket, "\(target)", &decoder)
      return .broken("\(target) closed the connection")
    case .exec(let command):
      return try run(command, &decoder)
    }
  }

  /// Reads to the end, or until the link is stopped.
  private func read(_ descriptor: consuming Descriptor, _ name: String, _ decoder: inout LineDecoder) throws(LinkFault)
  {
    guard !isStopped else { return }
    queue.add(.connected(nil))
    let isPatient = isRegularFile(descriptor.number)
    // A sample takes at least three bytes, so this many bytes fit into the free half of the queue.
    var buffer = [UInt8](repeating: 0, count: isPatient ? min(Self.piece, queue.capacity) : Self.piece)
    var limiter = RateLimiter(settings.budget)
    while !isStopped {
      if isPatient, queue.isFull(onRoom: { [alarm] in alarm.ring() }) {
        _ = alarm.wait([])
        continue
      }
      guard alarm.wait([(descriptor.number, Int(POLLIN))])[0] != 0 else { continue }
      switch descriptor.read(into: &buffer) {
      case .bytes(let count):
        let before = decoder.lineCount
        deliver(decoder.take(buffer.span.extracting(0..<count), arrived: clock.now))
        rest(&limiter, afterLines: decoder.lineCount - before, bytes: count, of: descriptor, tells: !isPatient)
      case .nothing: continue
      case .end:
        deliver(decoder.end(isWhole: !target.reconnects, arrived: clock.now))
        return
      case .failed(let code):
        deliver(decoder.end(isWhole: false, arrived: clock.now))
        throw LinkFault("cannot read \(name)", code)
      }
    }
  }

  /// Runs a command to its end, reads its output, and keeps the last line of its standard error.
  private func run(_ command: String, _ decoder: inout LineDecoder) throws(LinkFault) -> SampleQueue.Ending {
    guard !isStopped else { return .stopped }
    let child = try ChildProcess(shell: command)
    state.withLock { $0.group = child.group }
    queue.add(.connected(nil))
    var buffer = [UInt8](repeating: 0, count: Self.piece)
    var complaints = LineSplitter()
    var problem = ""
    var isOpen = (output: true, complaints: true)
    var limiter = RateLimiter(settings.budget)
    func keep(_ line: Span<UInt8>?) {
      if let line, line.count > 0 { problem = excerpt(line, 200) }
    }
    while isOpen.output, !isStopped {
      // `poll` ignores a negative descriptor.
      let answers = alarm.wait([
        (child.output.number, Int(POLLIN)), (isOpen.complaints ? child.complaints.number : -1, Int(POLLIN)),
      ])
      if answers[1] != 0 {
        switch child.complaints.read(into: &buffer) {
        case .bytes(let count):
          let before = complaints.count
          complaints.take(buffer.span.extracting(0..<count)) { keep($1) }
          rest(&limiter, afterLines: complaints.count - before, bytes: count, of: child.output, tells: true)
        case .nothing: break
        case .end, .failed: isOpen.complaints = false
        }
      }
      if answers[0] != 0 {
        switch child.output.read(into: &buffer) {
        case .bytes(let count):
          let before = decoder.lineCount
          deliver(decoder.take(buffer.span.extracting(0..<count), arrived: clock.now))
          rest(&limiter, afterLines: decoder.lineCount - before, bytes: count, of: child.output, tells: true)
        case .nothing: break
        case .end, .failed: isOpen.output = false
        }
      }
    }
    // What the child wrote before it ended is in the pipe by now. The bound ignores a grandchild that holds the pipe
    // open or floods it.
    var pieces = 0
    while !isStopped, isOpen.complaints, pieces < 16,
      alarm.wait([(child.complaints.number, Int(POLLIN))], milliseconds: 100)[0] != 0
    {
      guard case .bytes(let count) = child.complaints.read(into: &buffer) else { break }
      complaints.take(buffer.span.extracting(0..<count)) { keep($1) }
      pieces += 1
    }
    complaints.end { keep($1) }
    if !isStopped { deliver(decoder.end(isWhole: true, arrived: clock.now)) }
    state.withLock { $0.group = nil }
    let status = child.finish(isAsked: isStopped)
    return .over("“\(command)” ended with \(status)\(problem.isEmpty ? "" : "; its last words: \(problem)")")
  }

  private func deliver(_ yield: LineDecoder.Yield) { queue.add(yield) }

  /// So many bytes are read at once: many sources that begin to flood at the same time bring no more than a few seconds of
  /// work.
  private static let piece = 1 << 13

  /// Pauses as long as the pace requires, and reports the first pause.
  private func rest(
    _ limiter: inout RateLimiter, afterLines lines: Int, bytes: Int, of descriptor: borrowing Descriptor, tells: Bool
  ) {
    guard let rest = limiter.rest(afterLines: lines, bytes: bytes) else { return settings.tally.readsAll() }
    if tells {
      settings.tally.holdBack(for: rest, unread: limiter.lines(in: descriptor.waitingBytes))
      if limiter.hasJustBegun { queue.add(.tooFast) }
    }
    wait(rest)
  }

  /// Waits in real time, or until the link is stopped.
  private func wait(_ duration: Duration) {
    let end = csystem_monotonic_nanoseconds() + duration.nanoseconds
    while !isStopped, case let left = end - csystem_monotonic_nanoseconds(), left > 0 {
      _ = alarm.wait([], milliseconds: Int32(min(1000, (left + 999_999) / 1_000_000)))
    }
  }

  /// Whether a descriptor is a file on disk, which loses nothing while it waits.
  private func isRegularFile(_ number: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
