import Basics
import CSystem
import Glibc
import Quantities

/// The reading of one connection to a device at a serial port.
struct SerialConnection: Sendable {
  /// The maximum time that a device that samples evenly may send nothing, in milliseconds.
  static let silence = Int64(3000)
  /// The maximum time that it may send what cannot be read, in milliseconds.
  static let patience = Int64(2500)
  /// The time that bytes are collected before they are decoded: a wave is then not cut into single frames.
  static let collecting = Duration.milliseconds(10)
  /// The pause after a command.
  static let commandPause = Duration.milliseconds(120)
  /// The number of bytes that are kept to tell what another kind of device sends.
  private static let headSize = 2048

  private let serial: SerialSettings
  private let latency: Duration
  private let device: Device?
  private let thread: SensorThread

  private var queue: SampleQueue { thread.queue }
  private var name: String { "“\(serial.path.visible)”" }

  /// Prepares the connection; `latency` is the delay from an event to the arrival of its bytes, and `device` what is
  /// known of the device.
  init(_ serial: SerialSettings, latency: Duration, device: Device?, on thread: SensorThread) {
    (self.serial, self.latency, self.device, self.thread) = (serial, latency, device, thread)
  }

  /// Opens the port, and reads until the thread is stopped.
  func read(_ units: inout Int) throws(LinkFault) {
    var decoder = serial.decoder(latency: latency, after: units)
    // Lines are counted over all connections, and packets of each by itself.
    let before = units - decoder.unitCount
    defer { units = before + decoder.unitCount }
    let port = try SerialPort(serial.path, baud: serial.baud)
    let commands = serial.kind.commands(serial)
    start(port, commands)
    defer { if let commands { _ = port.write([commands.end]) } }
    try read(port, &decoder)
  }

  /// Starts a device that waits for a command; what arrived before is old.
  private func start(_ port: borrowing SerialPort, _ commands: SerialKind.Commands?) {
    port.discardInput()
    guard let commands else { return }
    for command in commands.setUp {
      _ = port.write([command])
      thread.pause(Self.commandPause)
    }
    port.discardInput()
    _ = port.write([commands.begin])
  }

  private static var now: Int64 { csystem_monotonic_nanoseconds() / 1_000_000 }

  /// Reads until the thread is stopped.
  private func read(_ port: borrowing SerialPort, _ decoder: inout any DeviceDecoder) throws(LinkFault) {
    let isEven = serial.kind.isEven
    if !isEven { queue.add(.connected(device)) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    // What came before anything could be read; `nil` since then.
    var head: [UInt8]? = []
    var limiter = RateLimiter(.shared)
    var (heard, understood) = (Self.now, Self.now)
    while !thread.isStopped {
      let isReady = thread.wait([(port.descriptor.number, Int(POLLIN))], milliseconds: 500)[0] != 0
      if isReady, isEven { thread.pause(Self.collecting) }
      switch isReady ? port.descriptor.read(into: &buffer) : .nothing {
      case .bytes(let count):
        let before = decoder.unitCount
        let yield = decoder.take(buffer.span.extracting(0..<count), arrived: thread.clock.now)
        let units = decoder.unitCount - before
        heard = Self.now
        if units > 0 {
          understood = heard
          if isEven, head != nil { queue.add(.connected(device)) }
          head = nil
        } else {
          let room = Self.headSize - (head?.count ?? 0)
          head?.append(contentsOf: buffer[..<min(count, room)])
        }
        if head == nil || !isEven { queue.add(yield) }
        thread.rest(&limiter, afterLines: units, bytes: count) { $0.lines(in: port.descriptor.waitingBytes) }
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
    if let kind = SerialKind.sending(head), kind != serial.kind {
      return LinkFault("\(reason); it looks like \(kind.title): use kind=\(kind.name)")
    }
    return LinkFault("\(reason) at \(serial.baud) baud; check the kind, and the speed with baud=N")
  }
}
