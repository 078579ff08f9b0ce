import Quantities
import Testing

@testable import Sensors
@testable import pretend

@Suite("A Bluetooth strap")
struct BluetoothMachineTests {
  private typealias Action = BluetoothMachine.Action
  private static let value: [UInt8] = [0x10, 75, 0x33, 0x03]

  private func connected(_ settings: BluetoothSettings = BluetoothSettings(.any)) -> Air {
    var air = Air(settings)
    air.begin()
    air.wait(.seconds(2))
    _ = air.take()
    return air
  }

  @Test("is found, connected to, described and heard")
  func whole() throws {
    var air = Air(BluetoothSettings(.any))
    air.begin()
    #expect(air.take().isEmpty)
    // Others in reach are given 2 s to show themselves.
    air.wait(.seconds(2))
    guard case .connected(let facts) = try #require(air.take().first) else {
      Issue.record("not connected")
      return
    }
    #expect(facts.location == .chest)
    #expect(facts.battery == 90)
    #expect(facts.device.name == "Polar H10 00000001")
    #expect(facts.device.model == "H10")
    #expect(facts.device.firmwareVersion == "1.0.0")
    #expect(facts.device.localIdentifier == "A0:9E:1A:00:00:01")
    air.send(Self.value)
    #expect(air.take() == [.measured(Self.value)])
    #expect(
      air.calls.prefix(5) == ["GetManagedObjects", "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery", "Connect"])
  }

  @Test("is connected to at once where its address is given", arguments: ["a0:9e:1a:00:00:01", "A0:9E:1A:00:00:01"])
  func address(text: String) {
    var air = Air(BluetoothSettings(.address(text)))
    air.begin()
    #expect(air.delivered.count == 1)
  }

  @Test(
    "is one of several only if it is named",
    arguments: [
      (.any, nil), (.name("polar"), nil), (.name("H10 A"), "A0:9E:1A:00:00:0A"),
      (.name("polar h10 b"), "A0:9E:1A:00:00:0B"),
      (.address("A0:9E:1A:00:00:0B"), "A0:9E:1A:00:00:0B"), (.name("Polar H10 A"), "A0:9E:1A:00:00:0A"),
    ] as [(BluetoothSettings.Choice, String?)])
  func several(choice: BluetoothSettings.Choice, address: String?) {
    var air = Air(
      BluetoothSettings(choice),
      [
        .init(name: "Polar H10 A", address: "A0:9E:1A:00:00:0A"),
        .init(name: "Polar H10 B", address: "A0:9E:1A:00:00:0B"),
      ])
    air.begin()
    air.wait(.seconds(3))
    let delivered = air.take()
    if let address {
      guard case .connected(let facts)? = delivered.first else {
        Issue.record("not connected: \(delivered)")
        return
      }
      #expect(facts.address == address)
    } else {
      let named = [("Polar H10 A", "A0:9E:1A:00:00:0A"), ("Polar H10 B", "A0:9E:1A:00:00:0B")]
      #expect(delivered == [.lost(.ambiguous(named.map { .init(name: $0.0, address: $0.1) }))])
      // It is said once.
      air.wait(.seconds(30))
      #expect(air.take().isEmpty)
    }
  }

  @Test("comes back after each way of losing it, and nothing is repeated", arguments: PretendedBluez.Loss.allCases)
  func losses(loss: PretendedBluez.Loss) {
    var air = connected()
    air.send(Self.value)
    #expect(air.take() == [.measured(Self.value)])
    for round in 0..<3 {
      air.change { $0.lose(0, loss) }
      let name = "Polar H10 00000001"
      #expect(air.take() == [.lost(.dropped(name: name))], "round \(round)")
      air.wait(.seconds(20))
      // That it cannot be connected to meanwhile is nothing new.
      #expect(air.take().isEmpty)
      air.change { $0.bringBack(0) }
      air.wait(.milliseconds(500))
      guard case .connected? = air.delivered.first else {
        Issue.record("not connected: \(air.delivered) \(air.calls) \(air.machine.phase)")
        return
      }
      _ = air.take()
      air.send(Self.value)
      #expect(air.take() == [.measured(Self.value)])
    }
  }

  @Test("that was lost is not replaced by another one")
  func replacement() {
    var air = Air(
      BluetoothSettings(.any), [.init(), .init(name: "Another", address: "00:00:00:00:00:02")])
    air.change { $0.lose(1, .kept) }
    air.begin()
    air.wait(.seconds(2))
    air.send(Self.value)
    _ = air.take()
    air.change { $0.lose(0, .forgotten) }
    _ = air.take()
    air.change { $0.bringBack(1) }
    air.wait(.seconds(30))
    #expect(air.take().isEmpty)
    #expect(!air.bluez.isHeard(1))
  }

  @Test("that sends nothing for 5 s is taken down and connected to again")
  func silence() {
    var air = connected()
    air.wait(.seconds(4))
    air.send(Self.value)
    _ = air.take()
    air.wait(.milliseconds(4900))
    #expect(air.take().isEmpty)
    let before = air.calls.count
    air.wait(.milliseconds(600))
    #expect(air.take().first == .lost(.silent(name: "Polar H10 00000001")))
    #expect(air.calls[before...].first == "Disconnect")
    air.wait(.seconds(1))
    #expect(air.bluez.isHeard(0))
  }

  @Test("survives a restart of the Bluetooth service")
  func restart() {
    var air = connected()
    air.send(Self.value)
    _ = air.take()
    air.turn(service: false)
    #expect(air.take() == [.lost(.noService)])
    air.bluez = PretendedBluez([PretendedBluez.Strap()])
    air.turn(service: true)
    air.wait(.seconds(1))
    guard case .connected? = air.take().first else {
      Issue.record("not connected")
      return
    }
    air.send(Self.value)
    #expect(air.take() == [.measured(Self.value)])
  }

  @Test("without service, adapter or power is waited for, with the reason")
  func absence() {
    var air = Air(BluetoothSettings(.any))
    air.isOnBus = false
    air.begin()
    #expect(air.take() == [.lost(.noService)])
    air.turn(service: true)
    air.wait(.seconds(2))
    #expect(air.bluez.isHeard(0))
    _ = air.take()
    air.change { $0.power(false) }
    #expect(air.take() == [.lost(.dropped(name: "Polar H10 00000001")), .lost(.isOff)])
    air.change { $0.power(true) }
    air.wait(.seconds(3))
    #expect(air.bluez.isHeard(0))
  }

  @Test("that is not in reach is searched for, and said once")
  func search() {
    var air = Air(BluetoothSettings(.any))
    air.change { $0.lose(0, .forgotten) }
    air.begin()
    air.wait(.seconds(60))
    #expect(air.take() == [.lost(.notFound(target: "a heart-rate sensor"))])
    air.change { $0.bringBack(0) }
    air.wait(.seconds(2))
    #expect(air.bluez.isHeard(0))
  }

  @Test("with a low battery is remarked on", arguments: [(20, 1), (21, 0), (0, 1)])
  func battery(percent: UInt8, notes: Int) {
    var air = Air(BluetoothSettings(.any), [.init(battery: percent)])
    air.begin()
    air.wait(.seconds(2))
    #expect(air.take().count { if case .noted = $0 { true } else { false } } == notes)
  }

  @Test("sends its electrocardiogram if it is asked for")
  func waveforms() {
    var settings = BluetoothSettings(.any)
    settings.waveforms = [.electrocardiogram]
    var air = connected(settings)
    #expect(air.bluez.waveforms(0) == [.electrocardiogram])
    let packet: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]
    air.change { $0.send(packet, as: BluetoothIdentifier.polarData, from: 0) }
    #expect(air.take() == [.waveform(packet)])
    // After a loss it is started again.
    air.change { $0.lose(0, .removed) }
    #expect(air.bluez.waveforms(0).isEmpty)
    air.change { $0.bringBack(0) }
    air.wait(.seconds(1))
    #expect(air.bluez.waveforms(0) == [.electrocardiogram])
    #expect(connected().bluez.waveforms(0).isEmpty)
    settings.waveforms = [.acceleration, .electrocardiogram]
    #expect(connected(settings).bluez.waveforms(0) == [.electrocardiogram, .acceleration])
  }

  @Test(
    "starts its waveforms where values come before the answer to the subscription, and gives up one that is not answered"
  )
  func early() {
    var settings = BluetoothSettings(.any)
    (settings.waveforms, settings.silence) = ([.electrocardiogram], .seconds(600))
    var air = connected(settings)
    (air.machine.waveforms, air.machine.phase) = (WaveformStart(), .receiving(last: air.now))
    let actions = air.machine.take(answer: [], to: .subscribe, at: air.now)
    #expect(actions.count { if case .call(let call) = $0 { call.member == "StartNotify" } else { false } } == 1)
    #expect(air.machine.deadline == air.now.advanced(by: .seconds(10)))
    let late = air.machine.tick(at: air.now.advanced(by: .seconds(10)))
    #expect(late.count { if case .noted = $0 { true } else { false } } == 1 && late.count == 1)
    guard case .receiving = air.machine.phase else {
      Issue.record("the heart rate is lost with it")
      return
    }
  }

  @Test("that offers a sampling rate of zero keeps its heart rate, and says so")
  func rateOfZero() throws {
    var settings = BluetoothSettings(.any)
    settings.waveforms = [.electrocardiogram]
    var air = connected(settings)
    let path = try #require(air.machine.characteristic(BluetoothIdentifier.polarControl))
    air.machine.waveforms = WaveformStart(stage: .asking, left: [.electrocardiogram])
    air.machine.takeWaveforms([0xF0, 1, 0, 0, 0, 0, 1, 0, 0], of: path, at: air.now)
    #expect(air.machine.waveforms.stage == .running)
    #expect(air.machine.actions.count == 1)
    guard case .noted = air.machine.actions.first else {
      Issue.record("\(air.machine.actions)")
      return
    }
  }

  @Test("is searched for again where the adapter refused to search, which is the reason given")
  func refusedSearch() {
    var air = Air(BluetoothSettings(.any))
    air.change { $0.lose(0, .forgotten) }
    air.begin()
    _ = air.machine.take(refusal: "org.bluez.Error.Failed", "busy", of: .discover, at: air.now)
    air.wait(.seconds(7))
    #expect(air.calls.count { $0 == "StartDiscovery" } == 2)
    let reason = BluetoothFault.refused(name: "Bluetooth adapter", what: "the search", reason: "busy")
    #expect(air.take() == [.lost(reason)])
    air.change { $0.bringBack(0) }
    air.wait(.seconds(2))
    #expect(air.bluez.isHeard(0))
  }

  @Test("is not lost by an answer about an earlier link")
  func staleAnswer() {
    var air = connected()
    #expect(
      air.machine.take(refusal: "org.freedesktop.DBus.Error.NoReply", "late", of: .subscribe, at: air.now).isEmpty)
    guard case .receiving = air.machine.phase else {
      Issue.record("\(air.machine.phase)")
      return
    }
  }

  @Test("without a measurement service of Polar's keeps its heart rate, and says so")
  func plain() {
    var settings = BluetoothSettings(.any)
    settings.waveforms = [.electrocardiogram]
    var air = Air(settings, [.init(hasWaveforms: false)])
    air.begin()
    air.wait(.seconds(2))
    #expect(air.take().count { if case .noted = $0 { true } else { false } } == 1)
    #expect(air.bluez.isHeard(0))
  }

  @Test("is let go at the end, if it was connected by us")
  func end() {
    var air = connected()
    let members = air.machine.end().compactMap { action -> String? in
      if case .call(let call) = action { call.member } else { nil }
    }
    #expect(members == ["Disconnect"])
  }
}
