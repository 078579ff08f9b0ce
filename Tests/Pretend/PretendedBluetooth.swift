import Basics
import Glibc
import Quantities
import Synchronization

@testable import Sensors

/// A message bus of its own with a ``PretendedBluez`` on it.
///
/// The bus is `dbus-daemon` of Debian's package dbus, so that what talks over it talks real D-Bus. It ends when it is stopped.
final class PretendedBluetooth: Sendable {
  /// What straps and the service do.
  enum Order: Sendable {
    /// A strap sends a value of a characteristic.
    case send([UInt8], as: String, from: Int)
    case lose(Int, PretendedBluez.Loss)
    case bringBack(Int)
    case power(Bool)
    /// The service leaves the bus, and forgets everything.
    case leave
    /// The service is back.
    case join
  }

  private struct State: Sendable {
    var orders: [Order] = []
    var start: Result<String, LinkFault>?
    var isStopped = false
    /// Of each strap, whether its heart rate is heard, and which of its waveforms.
    var heard: [(rate: Bool, waveforms: Set<PolarMeasurement.Kind>)] = []
  }

  private let straps: [PretendedBluez.Strap]
  private let alarm = Alarm()
  private let isReady = Gate()
  private let state = Mutex(State())

  /// Starts the bus and the service.
  init(_ straps: [PretendedBluez.Strap]) {
    self.straps = straps
    state.withLock { $0.heard = straps.map { _ in (false, []) } }
    let started = WaitingThread.start { [straps, alarm, isReady] in self.run(straps, alarm, isReady) }
    guard !started else { return }
    state.withLock { $0.start = .failure(LinkFault("no more threads to be had")) }
    isReady.open()
  }

  /// The address of the bus, for DBUS_SYSTEM_BUS_ADDRESS.
  ///
  /// - Throws: ``LinkFault`` where the bus cannot be started.
  func address() async throws(LinkFault) -> String {
    await isReady.pass()
    guard let start = state.withLock({ $0.start }) else { throw LinkFault("the message bus has ended") }
    return try start.get()
  }

  /// Has straps or the service do something.
  func order(_ order: Order) {
    state.withLock { $0.orders.append(order) }
    alarm.ring()
  }

  /// Whether a strap's heart rate is heard.
  func isHeard(_ strap: Int) -> Bool { state.withLock { $0.heard[strap].rate } }

  /// The waveforms of a strap that are heard.
  func waveforms(_ strap: Int) -> Set<PolarMeasurement.Kind> { state.withLock { $0.heard[strap].waveforms } }

  /// Ends the service and the bus.
  func stop() {
    state.withLock { $0.isStopped = true }
    alarm.ring()
  }

  /// The time between two advertisements, in milliseconds.
  private static let advertising: Int32 = 500

  // MARK: On the thread

  private func run(_ straps: [PretendedBluez.Strap], _ alarm: Alarm, _ isReady: Gate) {
    do throws(LinkFault) {
      // It ends with this thread, also where this program is killed.
      let child = try ChildProcess(
        [
          "setpriv", "--pdeathsig", "KILL", "dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1",
          "--address=unix:tmpdir=/tmp",
        ], called: "dbus-daemon")
      do throws(LinkFault) {
        try serve(child)
      } catch {
        _ = child.finish(isAsked: true)
        throw error
      }
      _ = child.finish(isAsked: true)
    } catch {
      state.withLock { if $0.start == nil { $0.start = .failure(error) } }
    }
    isReady.open()
  }

  /// Serves the bus until it is stopped.
  private func serve(_ daemon: borrowing ChildProcess) throws(LinkFault) {
    var (line, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 512))
    reading: while !line.contains(UInt8(ascii: "\n")) {
      _ = alarm.wait([(daemon.output.number, Int(POLLIN))], milliseconds: 5000)
      switch daemon.output.read(into: &buffer) {
      case .bytes(let count): line += buffer[..<count]
      case .nothing: continue reading
      case .end, .failed: throw LinkFault("dbus-daemon did not start; run apt install dbus")
      }
    }
    let address = String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    var bus = try BusConnection(address)
    var bluez = PretendedBluez(straps)
    try name("RequestName", [BusArgument("s", .string(BluezObjects.service)), BusArgument("u", .integer(0))], &bus)
    while true {
      while let message = try bus.next() {
        if case .call = message.kind { try perform(bluez.take(message), &bus) }
        // The name is taken once the first answer, to RequestName, is there.
        if case .answer = message.kind, state.withLock({ $0.start == nil }) {
          state.withLock { $0.start = .success(address) }
          isReady.open()
        }
      }
      for order in state.withLock({ state in
        defer { state.orders = [] }; return state.orders
      }) {
        try perform(carry(out: order, &bluez, &bus), &bus)
      }
      let heard = straps.indices.map { (rate: bluez.isHeard($0), waveforms: bluez.waveforms($0)) }
      let isStopped = state.withLock { state in
        state.heard = heard
        return state.isStopped
      }
      if isStopped { return }
      _ = alarm.wait([(bus.descriptor, bus.events)], milliseconds: bluez.isDiscovering ? Self.advertising : -1)
      try perform(bluez.advertise(), &bus)
    }
  }

  private func carry(out order: Order, _ bluez: inout PretendedBluez, _ bus: inout BusConnection) throws(LinkFault)
    -> [PretendedBluez.Action]
  {
    switch order {
    case .send(let value, let identifier, let strap): return bluez.send(value, as: identifier, from: strap)
    case .lose(let strap, let loss): return bluez.lose(strap, loss)
    case .bringBack(let strap): return bluez.bringBack(strap)
    case .power(let isOn): return bluez.power(isOn)
    case .leave:
      bluez = PretendedBluez(straps)
      try name("ReleaseName", [BusArgument("s", .string(BluezObjects.service))], &bus)
    case .join:
      try name("RequestName", [BusArgument("s", .string(BluezObjects.service)), BusArgument("u", .integer(0))], &bus)
    }
    return []
  }

  private func name(_ member: String, _ arguments: [BusArgument], _ bus: inout BusConnection) throws(LinkFault) {
    _ = try bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments)
  }

  private func perform(_ actions: [PretendedBluez.Action], _ bus: inout BusConnection) throws(LinkFault) {
    for action in actions {
      switch action {
      case .answer(let number, let arguments): try bus.answer(number, arguments)
      case .refuse(let number, let name, let text): try bus.refuse(number, name, text)
      case .signal(let path, let interface, let member, let arguments):
        try bus.signal(path, interface, member, arguments)
      }
    }
  }
}
