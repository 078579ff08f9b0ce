import Basics
import CSystem
import Glibc
import Quantities

/// The reading of one connection to the system's message bus, over which one Bluetooth sensor is found, subscribed to and
/// heard.
///
/// The connection outlives losses of the sensor and restarts of the Bluetooth service; it ends with the bus.
struct BluetoothConnection: Sendable {
  private let sensor: BluetoothSettings
  private let latency: Duration
  private let bus: String?
  private let thread: SensorThread

  private var queue: SampleQueue { thread.queue }
  private var clock: any StationClock { thread.clock }

  /// Prepares the connection.
  ///
  /// - Parameters:
  ///   - sensor: which sensor.
  ///   - latency: the sensor's delay from a beat to the arrival of its value.
  ///   - bus: the address of the bus; `nil` for the system's.
  ///   - thread: the thread that reads.
  init(_ sensor: BluetoothSettings, latency: Duration, bus: String?, on thread: SensorThread) {
    (self.sensor, self.latency, self.bus, self.thread) = (sensor, latency, bus, thread)
  }

  /// Serves the bus until the thread is stopped; `count` is the number of values over all connections.
  func read(_ count: inout Int) throws(LinkFault) {
    var decoder = BluetoothDecoder(latency: latency, after: count)
    defer { count = decoder.count }
    try listen(&decoder)
  }

  private func listen(_ decoder: inout BluetoothDecoder) throws(LinkFault) {
    var bus = try BusConnection(self.bus)
    var machine = BluetoothMachine(sensor)
    var calls: [UInt64: BluetoothMachine.Purpose] = [:]
    for rule in Self.rules {
      _ = try bus.call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch",
        [BusArgument("s", .string(rule))])
    }
    try perform(machine.begin(at: clock.now), &bus, &calls, &decoder)
    while !thread.isStopped {
      while let message = try bus.next() {
        let now = clock.now
        switch message.kind {
        case .signal: try perform(machine.take(message, at: now), &bus, &calls, &decoder)
        case .answer(let number):
          guard let purpose = calls.removeValue(forKey: number) else { continue }
          try perform(machine.take(answer: message.body, to: purpose, at: now), &bus, &calls, &decoder)
        case .refusal(let number, let name, let text):
          guard let purpose = calls.removeValue(forKey: number) else { continue }
          try perform(machine.take(refusal: name, text, of: purpose, at: now), &bus, &calls, &decoder)
        case .call(let number): try bus.refuse(number, "org.freedesktop.DBus.Error.UnknownObject", "no such object")
        }
      }
      try perform(machine.tick(at: clock.now), &bus, &calls, &decoder)
      var wait = Duration.seconds(60)
      if let deadline = machine.deadline { wait = min(wait, clock.now.duration(to: deadline)) }
      if let deadline = bus.deadline { wait = min(wait, .nanoseconds(deadline - csystem_monotonic_nanoseconds())) }
      _ = thread.wait([(bus.descriptor, bus.events)], milliseconds: Int32(max(0, wait.milliseconds.rounded(.up))))
    }
    for case .call(let call) in machine.end() {
      _ = try bus.call(BluezObjects.service, call.path, call.interface, call.member, call.arguments)
    }
  }

  /// Does what the machine decided.
  private func perform(
    _ actions: [BluetoothMachine.Action], _ bus: inout BusConnection, _ calls: inout [UInt64: BluetoothMachine.Purpose],
    _ decoder: inout BluetoothDecoder
  ) throws(LinkFault) {
    for action in actions {
      switch action {
      case .call(let call):
        calls[try bus.call(BluezObjects.service, call.path, call.interface, call.member, call.arguments)] =
          call.purpose
      case .connected(let facts): queue.add(.connected(facts.device))
      case .measured(let bytes): queue.add(decoder.take(bytes, arrived: clock.now))
      case .waveform(let bytes): queue.add(decoder.take(waveform: bytes, arrived: clock.now))
      case .measures(let kind, let rate): decoder.begin(kind, rate: rate)
      case .noted(let text): queue.add(.noted(text))
      case .lost(let fault):
        decoder.interrupt()
        queue.add(.lost(reason: fault.words))
      }
    }
  }

  /// The signals that are listened for.
  private static let rules = [
    "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.ObjectManager'",
    "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'",
    "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'",
  ]
}
