import Basics
import Glibc
import Quantities
import Synchronization
import Testing

@testable import Sensors
@testable import pretend

@Suite("A connection to a serial port")
struct SerialConnectionTests {
  @Test("that cannot be opened keeps the number of lines so far", arguments: [SerialKind.lines, .nonin])
  func closedPort(kind: SerialKind) async {
    let serial = SerialSettings(path: "/nowhere/port", kind: kind)
    let thread = SensorThread(.init(clock: MonotonicClock(), tally: SampleTally()), after: 600) {
      thread, units throws(LinkFault) in
      try SerialConnection(serial, latency: .zero, device: nil, on: thread).read(&units)
      return .stopped
    }
    guard case .closed(.broken, let lines) = await thread.queue.next() else {
      Issue.record("opened")
      return
    }
    #expect(lines == 600)
  }
}

/// A pretended device at a pseudo-terminal, in real time, that can be unplugged.
final class PluggedDevice: Sendable {
  /// The path of the port.
  let path: String
  private let run: Run
  private let task: Task<Void, Never>

  init(_ kind: SerialKind, inputs: [SerialSettings.Input] = []) throws {
    let cable = try PseudoTerminal()
    path = cable.path
    var settings = SerialSettings(path: cable.path, kind: kind)
    settings.inputs = inputs
    let run = Run(cable)
    self.run = run
    // A thread of its own: a device does not wait for other tests.
    task = Task { [settings] in await WaitingThread.run { run.perform(settings) } }
  }

  /// Closes the device's end.
  func unplug() async {
    run.end()
    await task.value
  }

  private final class Run: Sendable {
    private let cable: Mutex<PseudoTerminal?>
    private let alarm = Alarm()

    init(_ cable: consuming PseudoTerminal) { self.cable = Mutex(cable) }

    func end() {
      cable.withLock { $0 = nil }
      alarm.ring()
    }

    func perform(_ settings: SerialSettings) {
      var device = PretendedDevice(settings)
      let clock = MonotonicClock()
      let start = clock.now
      while cable.withLock({ cable in
        guard let terminal = cable.take() else { return false }
        for command in terminal.received() { device.take(command) }
        terminal.send(device.bytes(until: start.duration(to: clock.now).seconds))
        cable = consume terminal
        return true
      }) {
        _ = alarm.wait([], milliseconds: 5)
      }
    }
  }
}

@Suite("A device at a serial port", .timeLimit(.minutes(5)))
struct SerialSensorTests {
  private let clock = MonotonicClock()
  private let folder = TemporaryFolder()

  private func sensor(_ address: String) throws -> any Sensor { try SensorAddress(address).sensor() }

  /// The first event that satisfies a condition.
  private func first(
    of events: inout AsyncStream<SensorEvent>.Iterator, where isMeant: (SensorEvent) -> Bool
  ) async -> SensorEvent? {
    while let event = await events.next(isolation: #isolation) { if isMeant(event) { return event } }
    return nil
  }

  private func isWave(_ event: SensorEvent) -> Bool { if case .waveform = event { true } else { false } }

  @Test(
    "delivers its wave", arguments: ["pulsesensor", "nonin", "bitalino&a2=electrocardiogram"])
  func wave(kind: String) async throws {
    let type = try #require(QuantityType(channel: "electrocardiogram"))
    let name = String(kind.prefix { $0 != "&" })
    let device = try PluggedDevice(
      #require(SerialKind(named: name)), inputs: kind.contains("a2") ? [.init(number: 2, type: type)] : [])
    var events = try sensor("serial:\(device.path)?kind=\(kind)").events(on: clock).makeAsyncIterator()
    // On a busy computer the first attempt may take too long.
    let connected = await first(of: &events) { if case .connected = $0 { true } else { false } }
    #expect(connected == .connected(SerialSensor.device(at: device.path)))
    let wave = await first(of: &events, where: isWave)
    if case .waveform(let frames) = wave { #expect(frames.count > 0 && frames.end <= clock.now) }
    await device.unplug()
  }

  @Test("that is unplugged is lost, and found again behind the same link")
  func replugged() async throws {
    let link = "\(folder.path)/file"
    let before = try PluggedDevice(.nonin)
    unsafe _ = symlink(before.path, link)
    var events = try sensor("serial:\(link)?kind=nonin").events(on: clock).makeAsyncIterator()
    _ = await first(of: &events, where: isWave)
    await before.unplug()
    unsafe _ = unlink(link)
    // On a busy computer it may have seemed silent before it was unplugged.
    #expect(await first(of: &events) { if case .lost = $0 { true } else { false } } != nil)
    let after = try PluggedDevice(.nonin)
    unsafe _ = symlink(after.path, link)
    #expect(await first(of: &events, where: isWave) != nil)
    await after.unplug()
  }

  @Test("of another kind is recognised")
  func otherKind() async throws {
    let device = try PluggedDevice(.pulseSensor)
    var events = try sensor("serial:\(device.path)?kind=nonin").events(on: clock).makeAsyncIterator()
    let reason =
      "“\(device.path)” sends no packets of a Nonin oximeter; it looks like lines of a PulseSensor: use kind=pulsesensor"
    #expect(await first(of: &events) { $0 == .lost(reason: reason) } != nil)
    await device.unplug()
  }

  @Test("that another program uses is not shared")
  func busy() async throws {
    let device = try PluggedDevice(.nonin)
    let other = try SerialPort(device.path, baud: 9600)
    var events = try sensor("serial:\(device.path)?kind=nonin").events(on: clock).makeAsyncIterator()
    #expect(
      await events.next()
        == .lost(reason: "cannot open “\(device.path)”: another program uses it; close that program"))
    _ = consume other
    await device.unplug()
  }

  @Test("that sends nothing is said to be silent")
  func silent() async throws {
    let cable = try PseudoTerminal()
    var events = try sensor("serial:\(cable.path)?kind=nonin").events(on: clock).makeAsyncIterator()
    let reason = "“\(cable.path)” sends nothing for 3 s; is the device switched on?"
    #expect(await first(of: &events) { $0 == .lost(reason: reason) } != nil)
    _ = consume cable
  }

  @Test("gets the commands of a BITalino: stop, rate, start; and at the end stop")
  func commands() async throws {
    let cable = try PseudoTerminal()
    let address = "serial:\(cable.path)?kind=bitalino&a1=photoplethysmogram&a3=skinConductance&rate_hz=100"
    let task = Task { [clock] in
      for await _ in try SensorAddress(address).sensor().events(on: clock) {}
    }
    var received: [UInt8] = []
    while received.count < 3 {
      received += cable.received()
      await Task.yield()
    }
    task.cancel()
    _ = await task.result
    received += cable.received()
    // On a busy computer the sensor may have begun again.
    #expect(received.count.isMultiple(of: 4))
    for start in stride(from: 0, to: received.count, by: 4) {
      let commands = Array(received[start...].prefix(4))
      #expect(commands == [0, 2 << 6 | 3, 0b10101, 0])
    }
    _ = consume cable
  }

  @Test("reads lines as any other source of lines")
  func lines() async throws {
    let device = try PluggedDevice(.lines)
    var events = try sensor("serial:\(device.path)?kind=lines").events(on: clock).makeAsyncIterator()
    #expect(await events.next() == .connected(SerialSensor.device(at: device.path)))
    let beat = await first(of: &events) { if case .readings = $0 { true } else { false } }
    #expect(beat != nil)
    await device.unplug()
  }

  @Test(
    "whose address is wrong is refused with a suggestion",
    arguments: [
      (
        "serial:/dev/null",
        "what the device sends is missing; add ?kind= and one of pulsesensor, nonin, bitalino, lines"
      ),
      (
        "serial:/dev/null?kind=nonyn",
        "there is no kind of device “nonyn”; did you mean “nonin”? there are “pulsesensor”, “nonin”, “bitalino”, “lines”"
      ),
      ("serial", "the port is missing; say serial:/dev/ttyACM0?kind=pulsesensor"),
      (
        "serial:/dev/null?kind=bitalino",
        "what the BITalino measures is missing; say at which input, as in a2=electrocardiogram"
      ),
      ("serial:/dev/null?kind=nonin&a1=x", "a1 is not an option of kind=nonin; it is one of kind=bitalino"),
      ("serial:/dev/null?kind=nonin&rate_hz=9", "rate_hz is not an option of kind=nonin"),
    ])
  func wrongAddress(text: String, reason: String) {
    do {
      _ = try SensorAddress(text)
      Issue.record("“\(text)” was taken")
    } catch {
      #expect(error.description == "cannot use the sensor “\(text)”: \(reason)")
    }
  }

  @Test("that is not a terminal is none")
  func noTerminal() async throws {
    var events = try sensor("serial:/dev/null?kind=nonin").events(on: clock).makeAsyncIterator()
    #expect(await events.next() == .lost(reason: "“/dev/null” is not a serial port"))
    #expect(throws: SensorError.self) { _ = try sensor("serial:/dev/ttyNONE?kind=nonin") }
    #expect(throws: SensorError.self) { _ = try sensor("serial:\(folder.file("x"))?kind=nonin") }
  }
}
