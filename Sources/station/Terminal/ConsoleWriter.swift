import Basics
import Dispatch
import Glibc
import Quantities
import Synchronization

/// Writes to standard output and standard error, or to one of them if they are different devices.
///
/// At first the printing thread also writes, and waits for a slow reader. Once decoupled, a separate thread writes, and
/// printing only adds to its mailbox, so that a stopped terminal or an unread pipe delays nothing. The mailbox holds a
/// limited number of lines and counts the dropped ones; a new status line or full screen replaces the older one.
final class ConsoleWriter: Sendable {
  /// The maximum number of lines that wait to be written.
  static let maxLines = 1000

  struct Frame: Sendable {
    let rows: @Sendable (TerminalSize) -> [String]
    /// Is told each size at which they are painted, and when that begins.
    let painted: @Sendable (TerminalSize, Moment) -> Void
  }

  private enum Entry: Sendable {
    /// A line, in one write, above the status line.
    case line([UInt8], to: Int32)
    case bytes([UInt8], to: Int32)
    /// An action to run when everything before has been written.
    case mark(@Sendable () -> Void)
  }

  private struct Mailbox {
    var isDecoupled = false
    var isAwake = false
    var entries: [Entry] = []
    var lines = 0
    var omitted = 0
    var hasBell = false
    var status = ""
    /// What the operator is asked, which stays in place of the status until it is answered.
    var prompt = ""
    /// The full screen; lines wait until it is left.
    var frame: Frame?
    var isChanged = false

    /// What the status line shows.
    var bottom: String { prompt.isEmpty ? status : prompt }

    mutating func take() -> Round? {
      let hasLines = frame == nil && !entries.isEmpty
      guard isChanged || hasLines else {
        isAwake = false
        return nil
      }
      defer {
        if frame == nil { (entries, lines, omitted) = ([], 0, 0) }
        (isChanged, hasBell) = (false, false)
      }
      return Round(
        entries: frame == nil ? entries : [], omitted: frame == nil ? omitted : 0, status: bottom, frame: frame,
        hasBell: hasBell)
    }
  }

  private struct Round {
    let entries: [Entry]
    let omitted: Int
    let status: String
    let frame: Frame?
    let hasBell: Bool
  }

  /// What the device currently shows.
  private struct Device {
    var status = ""
    var isFullScreen = false
    var rows: [String] = []
    var size: TerminalSize?
  }

  private struct Failures {
    var error: FileError?
    var hasNoReader = false
  }

  private let mailbox = Mutex(Mailbox())
  private let device = Mutex(Device())
  private let failures = Mutex(Failures())
  private let work = DispatchSemaphore(value: 0)
  private let output: Int32

  /// Creates a writer; it keeps only the failures of `output`, which is standard output.
  init(output: Int32) { self.output = output }

  /// The first error in writing, other than a closed reader.
  var error: FileError? { failures.withLock { $0.error } }

  var hasNoReader: Bool { failures.withLock { $0.hasNoReader } }

  /// Whether further lines would soon be dropped.
  var isBehind: Bool { mailbox.withLock { $0.lines > Self.maxLines / 2 } }

  // MARK: Printing

  /// Makes a separate thread write, so that printing never waits for the device.
  func decouple() {
    let starts = mailbox.withLock { mailbox in
      // A running thread may be asleep already, and would not be woken if it counted as awake.
      guard !mailbox.isDecoupled else { return false }
      (mailbox.isDecoupled, mailbox.isAwake) = (true, true)
      return true
    }
    guard starts, !WaitingThread.start({ self.run() }) else { return }
    // Without a thread, continue to write directly.
    mailbox.withLock { $0.isDecoupled = false }
  }

  func line(_ bytes: [UInt8], to descriptor: Int32) { put(.line(bytes, to: descriptor)) }

  func bytes(_ bytes: [UInt8], to descriptor: Int32) { put(.bytes(bytes, to: descriptor)) }

  func show(status: String) {
    change { mailbox in
      guard mailbox.status != status else { return false }
      mailbox.status = status
      return true
    } directly: {
      self.draw(status, on: &$0)
    }
  }

  /// Shows a prompt in place of the status line until it is empty.
  func show(prompt: String) {
    change { mailbox in
      mailbox.prompt = prompt
      return true
    } directly: {
      self.draw(prompt, on: &$0)
    }
  }

  /// Shows the full screen, or leaves it with `nil`; lines are kept until then.
  ///
  /// Only a decoupled writer has a full screen.
  func show(frame: Frame?) {
    change { mailbox in
      guard frame != nil || mailbox.frame != nil else { return false }
      mailbox.frame = frame
      return true
    } directly: { _ in
    }
  }

  func ring() {
    change { mailbox in
      mailbox.hasBell = true
      return true
    } directly: { _ in
      self.write([7], to: self.output)
    }
  }

  /// Runs an action when everything printed before has been written; this leaves the full screen.
  func whenWritten(_ action: @escaping @Sendable () -> Void) {
    show(frame: nil)
    put(.mark(action))
  }

  private func put(_ entry: Entry) {
    change { mailbox in
      if case .mark = entry {
        mailbox.entries.append(entry)
      } else if mailbox.lines < Self.maxLines {
        mailbox.entries.append(entry)
        mailbox.lines += 1
      } else {
        mailbox.omitted += 1
      }
      return true
    } directly: {
      self.perform(entry, on: &$0)
    }
  }

  /// Changes the mailbox of a decoupled writer and wakes its thread; other writers write directly.
  private func change(_ change: (inout Mailbox) -> Bool, directly: (inout Device) -> Void) {
    let (isDecoupled, wakes) = mailbox.withLock { mailbox in
      guard mailbox.isDecoupled else { return (false, false) }
      guard change(&mailbox) else { return (true, false) }
      mailbox.isChanged = true
      defer { mailbox.isAwake = true }
      return (true, !mailbox.isAwake)
    }
    if !isDecoupled { return device.withLock { directly(&$0) } }
    if wakes { work.signal() }
  }

  // MARK: The thread

  // How often the size of the terminal is checked, to redraw it.
  private static let glance = DispatchTimeInterval.milliseconds(500)

  private func run() {
    while true {
      if let round = mailbox.withLock({ $0.take() }) {
        // Once the writer is decoupled, no other thread takes this lock, so that none waits for the device.
        let marks = device.withLock { perform(round, on: &$0) }
        for mark in marks { mark() }
        continue
      }
      let hasScreen = mailbox.withLock { $0.frame != nil }
      guard hasScreen else {
        work.wait()
        continue
      }
      guard work.wait(timeout: .now() + Self.glance) == .timedOut else { continue }
      // The screen may have been left meanwhile.
      let (frame, status) = mailbox.withLock { ($0.frame, $0.bottom) }
      if let frame { device.withLock { draw(frame, status, on: &$0) } }
    }
  }

  private func perform(_ round: Round, on device: inout Device) -> [@Sendable () -> Void] {
    if round.frame == nil { leave(&device) }
    // Remove the old status before these lines; it is not redrawn below them.
    if !round.entries.isEmpty { draw("", on: &device) }
    var marks: [@Sendable () -> Void] = []
    for entry in round.entries {
      if case .mark(let action) = entry { marks.append(action) } else { perform(entry, on: &device) }
    }
    if round.omitted > 0 {
      let text = "(\(round.omitted.counted("line was", "lines were")) dropped here: not read in time)\n"
      perform(.line(Array(text.utf8), to: output), on: &device)
    }
    if round.hasBell { write([7], to: output) }
    if let frame = round.frame { draw(frame, round.status, on: &device) } else { draw(round.status, on: &device) }
    return marks
  }

  private func perform(_ entry: Entry, on device: inout Device) {
    switch entry {
    case .line(let bytes, to: output):
      let clearing = device.status.isEmpty ? [] : Array(Self.clearing.utf8)
      write(clearing + bytes + Array(device.status.utf8), to: output)
    case .line(let bytes, to: let descriptor):
      if !device.status.isEmpty { write(Array(Self.clearing.utf8), to: output) }
      write(bytes, to: descriptor)
      if !device.status.isEmpty { write(Array(device.status.utf8), to: output) }
    case .bytes(let bytes, to: let descriptor): write(bytes, to: descriptor)
    case .mark(let action): action()
    }
  }

  private static let clearing = "\r\u{1B}[K"

  private func draw(_ text: String, on device: inout Device) {
    // A status that wraps into two rows could not be redrawn in place.
    let status = text.isEmpty ? "" : text.cut(to: (TerminalSize.of(output)?.columns ?? .max) - 1)
    guard status != device.status else { return }
    device.status = status
    write(Array((Self.clearing + status).utf8), to: output)
  }

  // MARK: The full screen

  private func draw(_ frame: Frame, _ status: String, on device: inout Device) {
    let size = TerminalSize.of(output) ?? TerminalSize(columns: 80, rows: 24)
    var rows = Array(frame.rows(size).prefix(size.rows))
    if !status.isEmpty {
      rows = Array(rows.prefix(size.rows - 1)) + Array(repeating: "", count: max(0, size.rows - 1 - rows.count))
      rows.append(status)
    }
    rows += Array(repeating: "", count: size.rows - rows.count)
    var text = ""
    if !device.isFullScreen {
      if !device.status.isEmpty { text += Self.clearing }
      // The alternate screen, without a cursor and without line wrapping.
      text += "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
      (device.isFullScreen, device.status, device.size) = (true, "", nil)
    }
    let isWhole = size != device.size
    if isWhole { text += "\u{1B}[2J" }
    for (index, row) in rows.enumerated() where isWhole || device.rows[index] != row {
      // Cleared before and not behind, where the last column of a full row would be.
      text += "\u{1B}[\(index + 1);1H\u{1B}[K\(row)"
    }
    (device.rows, device.size) = (rows, size)
    // A terminal that is stopped (Ctrl-S), or full, shows nothing yet. The time is taken before writing: a person may read
    // the screen and press a key before the call returns.
    waitUntilWritable(output)
    frame.painted(size, MonotonicClock().now)
    if !text.isEmpty { write(Array(text.utf8), to: output) }
  }

  private func leave(_ device: inout Device) {
    guard device.isFullScreen else { return }
    (device.isFullScreen, device.rows) = (false, [])
    write(Array("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8), to: output)
  }

  // MARK: Writing

  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      if written < 0, errno == EAGAIN {
        // Another process that shares the device made it non-blocking.
        waitUntilWritable(descriptor)
        continue
      }
      if written < 0, errno != EINTR { return fail(descriptor, errno) }
      start += max(written, 0)
    }
  }

  private func waitUntilWritable(_ descriptor: Int32) {
    var descriptors = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
    while unsafe poll(&descriptors, 1, -1) < 0, errno == EINTR {}
  }

  /// Records a failure: a lost line must not end a trial, but the process must not end with success.
  private func fail(_ descriptor: Int32, _ code: Int32) {
    guard descriptor == output else { return }
    failures.withLock { failures in
      if code == EPIPE {
        failures.hasNoReader = true
      } else {
        failures.error = failures.error ?? FileError("write to", "standard output", code: code)
      }
    }
  }

  /// Records that the contents of the mailbox will not be written.
  func giveUp() { fail(output, EAGAIN) }
}
