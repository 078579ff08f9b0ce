import Foundation
import Quantities
import TestSupport
import Testing

@testable import Sensors
@testable import pretend

/// Over a message bus of their own: real D-Bus, a strap that is not there.
@Suite("A Bluetooth sensor on a message bus")
struct BluetoothSensorTests {
  private let clock = MonotonicClock()
  private let bluetooth = PretendedBluetooth([PretendedBluez.Strap()])

  private func sensor(_ choice: BluetoothSettings.Choice = .address("A0:9E:1A:00:00:01")) async throws
    -> BluetoothSensor
  {
    var settings = BluetoothSettings(choice)
    // A test that waits for a processor is no strap that is silent.
    settings.silence = .seconds(600)
    return BluetoothSensor(
      settings, latency: .zero, name: "bluetooth", location: nil, bus: try await bluetooth.address())
  }

  private func send(_ rate: UInt8, _ intervals: [Int] = []) {
    let flags: UInt8 = intervals.isEmpty ? 0x06 : 0x16
    let tail: [UInt8] = intervals.flatMap { interval in [UInt8(interval & 0xFF), UInt8(interval >> 8)] }
    let bytes = [flags, rate] + tail
    bluetooth.order(.send(bytes, as: BluetoothIdentifier.heartRateMeasurement, from: 0))
  }

  @Test("delivers each value once and in order, at 2000 a second")
  func burst() async throws {
    defer { bluetooth.stop() }
    var events = try await sensor().events(on: clock).makeAsyncIterator()
    guard case .connected(let device?) = await events.next() else {
      Issue.record("not connected")
      return
    }
    #expect(device.model == "H10")
    #expect(device.localIdentifier == "A0:9E:1A:00:00:01")
    let sent = (0..<5000).map { 500 + $0 % 700 }
    let sending = Task {
      let start = clock.now
      for (index, interval) in sent.enumerated() {
        try? await clock.sleep(until: start.advanced(by: .microseconds(500 * index)), tolerance: nil)
        send(60, [interval])
      }
    }
    var received: [Double] = []
    while received.count < sent.count, let event = await events.next() {
      guard case .readings(let batch) = event else { continue }
      received += batch.flatMap(\.rrIntervals)
    }
    await sending.value
    #expect(received == sent.map { Double($0) / 1.024 })
  }

  @Test("comes back after each way of losing it", arguments: PretendedBluez.Loss.allCases)
  func losses(loss: PretendedBluez.Loss) async throws {
    defer { bluetooth.stop() }
    var events = try await sensor().events(on: clock).makeAsyncIterator()
    guard case .connected = await events.next() else {
      Issue.record("not connected")
      return
    }
    send(61)
    #expect(rates([await events.next() ?? .connected(nil)]) == [61])
    bluetooth.order(.lose(0, loss))
    guard case .lost = await events.next() else {
      Issue.record("not lost")
      return
    }
    // Values that a strap has without a link are gone.
    send(62)
    bluetooth.order(.bringBack(0))
    var event = await events.next()
    while case .lost? = event { event = await events.next() }
    guard case .connected? = event else {
      Issue.record("not connected again: \(String(describing: event))")
      return
    }
    send(63)
    #expect(rates([await events.next() ?? .connected(nil)]) == [63])
  }

  @Test("survives a restart of the service, and ends its connection with the bus")
  func restart() async throws {
    var events = try await sensor().events(on: clock).makeAsyncIterator()
    guard case .connected = await events.next() else {
      Issue.record("not connected")
      return
    }
    bluetooth.order(.leave)
    #expect(await events.next() == .lost(reason: BluetoothFault.noService.words))
    bluetooth.order(.join)
    guard case .connected = await events.next() else {
      Issue.record("not connected again")
      return
    }
    send(64)
    #expect(rates([await events.next() ?? .connected(nil)]) == [64])
    bluetooth.stop()
    guard case .lost = await events.next() else {
      Issue.record("not lost with the bus")
      return
    }
  }

  @Test("without a bus says so, and goes on trying")
  func noBus() async {
    bluetooth.stop()
    let sensor = BluetoothSensor(
      BluetoothSettings(.any), latency: .zero, name: "bluetooth", location: nil, bus: "unix:path=/nowhere/bus")
    var events = sensor.events(on: clock).makeAsyncIterator()
    guard case .lost(let reason) = await events.next() else {
      Issue.record("no reason")
      return
    }
    #expect(reason.contains("D-Bus"))
  }

  @Test("has a pretended strap that another client reads alike")
  func bleak() async throws {
    self.bluetooth.stop()
    let values = [[0x16, 75, 0x33, 0x03], [0x06, 76], [0x1E, 77, 0xF4, 0x01, 0x20, 0x03]] as [[UInt8]]
    let bluetooth = PretendedBluetooth([PretendedBluez.Strap(firstValues: values)])
    defer { bluetooth.stop() }
    let address = try await bluetooth.address()
    let process = Process()
    process.executableURL = URL(filePath: Repository.python)
    process.arguments = ["\(Repository.root)/Tests/SensorsTests/Bluetooth/read_strap.py", "\(values.count)"]
    process.environment = ProcessInfo.processInfo.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": address]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try #require(
      String(data: output.fileHandleForReading.readDataToEndOfFile(), encoding: .utf8))
    process.waitUntilExit()
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines == ["location 1", "battery 90"] + values.map { hexadecimal($0) })
  }
}
