import Basics
import CSystem
import Glibc
import Quantities
import Synchronization

/// A connection to the system's message bus, over which one Bluetooth sensor is found, subscribed to and heard, on its own
/// thread.
///
/// The link outlives losses of the sensor and restarts of the Bluetooth service; it ends with the bus.
final class BluetoothLink: Connection {
  /// The thread's output.
  let queue: SampleQueue

  /// What all connections of one stream share.
  struct Settings: Sendable {
    /// Which sensor.
    let sensor: BluetoothSettings
    /// The sensor's delay from a beat to the arrival of its value.
    let latency: Duration
    /// The address of the bus; `nil` for the system's.
    let bus: String?
    /// The clock that stamps arrivals.
    let clock: any StationClock
    /// The counter of received samples.
    let tally: SampleTally
  }

  private let settings: Settings
  private let count: Int
  private let alarm = Alarm()
  private let isAsked = Atomic(false)

  /// Starts connecting; `count` is the number of values over earlier connections.
  init(_ settings: Settings, after count: Int) {
    self.settings = settings
    self.count = count
    queue = SampleQueue(tally: settings.tally)
    guard alarm.works, WaitingThread.start({ self.run() }) else {
      queue.close(.broken("cannot use Bluetooth: no more threads or descriptors to be had"), lines: count)
      return
    }
  }

  /// Ends the connection and its thread.
  func stop() {
    isAsked.store(true, ordering: .releasing)
    alarm.ring()
  }

  private var isStopped: Bool { isAsked.load(ordering: .acquiring) }

  // MARK: On the thread

  private func run() {
    var decoder = BluetoothDecoder(latency: settings.latency, after: count)
    let ending: SampleQueue.Ending
    do {
      try listen(&decoder)
      ending = .stopped
    } catch {
      ending = .broken(error.reason)
    }
    queue.close(isStopped ? .stopped : ending, lines: decoder.count)
  }

  /// Serves the bus until the link is stopped.
  private func listen(_ decoder: inout BluetoothDecoder) throws(LinkFault) {
    var bus = try BusConnection(settings.bus)
    var machine = BluetoothMachine(settings.sensor)
    var calls: [UInt64: BluetoothMachine.Purpose] = [:]
    for rule in Self.rules {
      _ = try bus.call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch",
        [BusArgument("s", .string(rule))])
    }
    try perform(machine.begin(at: settings.clock.now), &bus, &calls, &decoder)
    while !isStopped {
      while let message = try bus.next() {
        let now = settings.clock.now
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
      try perform(machine.tick(at: settings.clock.now), &bus, &calls, &decoder)
      var wait = Duration.seconds(60)
      if let deadline = machine.deadline { wait = min(wait, settings.clock.now.duration(to: deadline)) }
      if let deadline = bus.deadline { wait = min(wait, .nanoseconds(deadline - csystem_monotonic_nanoseconds())) }
      _ = alarm.wait([(bus.descriptor, bus.events)], milliseconds: Int32(max(0, wait.milliseconds.rounded(.up))))
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
      case .measured(let bytes): queue.add(decoder.take(bytes, arrived: settings.clock.now))
      case .waveform(let bytes): queue.add(decoder.take(waveform: bytes, arrived: settings.clock.now))
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
