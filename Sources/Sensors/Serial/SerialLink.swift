import Basics
import CSystem
import Glibc
import Quantities
import Synchronization

/// One connection to a device at a serial port, from opening to closing, on its own thread.
final class SerialLink: Connection {
  /// The thread's output.
  let queue: SampleQueue

  /// What all connections of one stream share.
  struct Settings: Sendable {
    /// The port and the device.
    let serial: SerialSettings
    /// The delay from an event to the arrival of its bytes.
    let latency: Duration
    /// The device, as far as it is known.
    let device: Device?
    /// The clock that stamps arrivals.
    let clock: any StationClock
    /// The counter of received samples.
    let tally: SampleTally
  }

  /// A device that samples evenly may send nothing for so long, in milliseconds.
  static let silence = Int64(3000)
  /// So long it may send what cannot be read, in milliseconds.
  static let patience = Int64(2500)
  /// Bytes are collected for so long before they are decoded, in milliseconds: a wave is then not cut into single frames.
  static let collecting = Int32(10)
  /// The pause after a command, in milliseconds.
  static let commandPause = Int32(120)
  /// So many bytes are kept to tell what another kind of device sends.
  private static let headSize = 2048

  private let settings: Settings
  private let lines: Int
  private let alarm = Alarm()
  private let isStopping = Mutex(false)

  private var serial: SerialSettings { settings.serial }
  private var name: String { "“\(serial.path.visible)”" }

  /// Starts to connect; `lines` is the number of lines over earlier connections.
  init(_ settings: Settings, after lines: Int) {
    self.settings = settings
    self.lines = lines
    queue = SampleQueue(tally: settings.tally)
    guard alarm.works, WaitingThread.start({ self.run() }) else {
      queue.close(.broken("cannot connect: no more threads or descriptors to be had"), lines: lines)
      return
    }
  }

  /// Ends the connection and its thread; the queue is closed when they are gone.
  func stop() {
    isStopping.withLock { $0 = true }
    alarm.ring()
  }

  private var isStopped: Bool { isStopping.withLock { $0 } }

  // MARK: On the thread

  private func run() {
    var decoder = serial.decoder(latency: settings.latency, after: lines)
    // Lines are counted over all connections, and packets of each by itself.
    let before = decoder.unitCount
    var ending = SampleQueue.Ending.stopped
    do throws(LinkFault) {
      let port = try SerialPort(serial.path, baud: serial.baud)
      start(port)
      defer { stop(port) }
      try read(port, &decoder)
    } catch {
      ending = .broken(error.reason)
    }
    queue.close(isStopped ? .stopped : ending, lines: lines + decoder.unitCount - before)
  }

  /// Starts a device that waits for a command; what arrived before is old.
  private func start(_ port: borrowing SerialPort) {
    port.discardInput()
    guard serial.kind == .bitalino, let rate = BitalinoCommand.rate(serial.rate) else { return }
    // After a crash it may still send.
    for command in [BitalinoCommand.stop, rate] {
      _ = port.write([command])
      pause(Self.commandPause)
    }
    port.discardInput()
    _ = port.write([BitalinoCommand.start(serial.inputs.map(\.number))])
  }

  private func stop(_ port: borrowing SerialPort) {
    guard serial.kind == .bitalino else { return }
    _ = port.write([BitalinoCommand.stop])
  }

  private func pause(_ milliseconds: Int32) {
    let end = Self.now + Int64(milliseconds)
    while !isStopped, case let left = end - Self.now, left > 0 { _ = alarm.wait([], milliseconds: Int32(left)) }
  }

  private static var now: Int64 { csystem_monotonic_nanoseconds() / 1_000_000 }

  /// Reads until the link is stopped.
  private func read(_ port: borrowing SerialPort, _ decoder: inout any DeviceDecoder) throws(LinkFault) {
    let isEven = serial.kind != .lines
    if !isEven { queue.add(.connected(settings.device)) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    // What came before anything could be read; `nil` since then.
    var head: [UInt8]? = []
    var limiter = RateLimiter(.shared)
    var (heard, understood) = (Self.now, Self.now)
    while !isStopped {
      let isReady = alarm.wait([(port.descriptor.number, Int(POLLIN))], milliseconds: 500)[0] != 0
      if isReady, isEven { pause(Self.collecting) }
      switch isReady ? port.descriptor.read(into: &buffer) : .nothing {
      case .bytes(let count):
        let before = decoder.unitCount
        let yield = decoder.take(buffer.span.extracting(0..<count), arrived: settings.clock.now)
        let units = decoder.unitCount - before
        heard = Self.now
        if units > 0 {
          understood = heard
          if isEven, head != nil { queue.add(.connected(settings.device)) }
          head = nil
        } else {
          let room = Self.headSize - (head?.count ?? 0)
          head?.append(contentsOf: buffer[..<min(count, room)])
        }
        if head == nil || !isEven { queue.add(yield) }
        if let rest = limiter.rest(afterLines: units, bytes: count) {
          settings.tally.holdBack(for: rest, unread: limiter.lines(in: port.descriptor.waitingBytes))
          if limiter.hasJustBegun { queue.add(.tooFast) }
          pause(Int32(rest.milliseconds))
        } else {
          settings.tally.readsAll()
        }
      case .nothing: break
      case .end, .failed: throw LinkFault("\(name) was unplugged")
      }
      guard isEven else { continue }
      if Self.now - heard > Self.silence { throw silenceFault }
      if Self.now - understood > Self.patience, Self.now - heard < 1000 { throw foreignFault(head) }
    }
  }

  private var silenceFault: LinkFault {
    LinkFault("\(name) sends nothing for \(Self.silence / 1000) s; is the device switched on?")
  }

  /// What the device sends is not what its kind sends.
  private func foreignFault(_ head: [UInt8]?) -> LinkFault {
    let reason = "\(name) sends no \(serial.kind.title)"
    guard let head else { return LinkFault("\(reason) any more, but other bytes") }
    if let kind = SerialSettings.kind(sending: head), kind != serial.kind {
      return LinkFault("\(reason); it looks like \(kind.title): use kind=\(kind.rawValue)")
    }
    return LinkFault("\(reason) at \(serial.baud) baud; check the kind, and the speed with baud=N")
  }
}
