@testable import Sensors

/// BlueZ with straps that are not there: the objects that it shows on the bus, and what it answers and signals.
///
/// It does what BlueZ does as seen from a program that reads a strap: discovery, connection, reading, subscribing, and losing
/// the link in the three ways that ``Loss`` names. It decides only; ``PretendedBluetooth`` puts it on a bus.
struct PretendedBluez: Sendable {
  /// What becomes of a device's objects when its link is lost.
  enum Loss: Hashable, Sendable, CaseIterable {
    /// They stay, as those of a paired device, and its subscriptions with them.
    case kept
    /// Its characteristics are removed.
    case removed
    /// The device is removed with them.
    case forgotten

    var words: String {
      switch self {
      case .kept: "its objects stay"
      case .removed: "its characteristics are removed"
      case .forgotten: "the device is removed"
      }
    }
  }

  /// A strap.
  struct Strap: Hashable, Sendable {
    var name = "Polar H10 00000001"
    var address = "A0:9E:1A:00:00:01"
    /// The charge of its battery, in percent.
    var battery: UInt8 = 90
    /// Whether it has Polar's measurement service.
    var hasWaveforms = true
    /// The strength of its signal, in dBm.
    var strength: Int64 = -58
    /// The values that it sends as soon as its heart rate is subscribed to.
    var firstValues: [[UInt8]] = []

    /// The path of its object.
    var path: String { "\(PretendedBluez.adapter)/dev_\(String(address.map { $0 == ":" ? "_" : $0 }))" }
  }

  /// What is to be done on the bus.
  enum Action: Hashable, Sendable {
    case answer(Int, [BusArgument])
    case refuse(Int, name: String, text: String)
    case signal(path: String, interface: String, member: String, [BusArgument])
  }

  private struct State: Sendable {
    let strap: Strap
    var isInReach = true
    var isKnown = false
    var isConnected = false
    var isResolved = false
    /// The characteristics that are subscribed to, by their identifiers.
    var notified: Set<String> = []
    /// The waveforms that were started.
    var waveforms: Set<PolarMeasurement.Kind> = []
  }

  static let adapter = "/org/bluez/hci0"
  private typealias Identifier = BluetoothIdentifier

  private var states: [State]
  /// Whether the adapter is switched on.
  private(set) var isPowered = true
  /// Whether a program is searching.
  private(set) var isDiscovering = false
  private var actions: [Action] = []

  init(_ straps: [Strap]) { states = straps.map { State(strap: $0) } }

  /// Whether a strap's values are being heard.
  func isHeard(_ strap: Int) -> Bool {
    states[strap].isConnected && states[strap].notified.contains(Identifier.heartRateMeasurement)
  }

  /// The waveforms that a strap sends.
  func waveforms(_ strap: Int) -> Set<PolarMeasurement.Kind> {
    states[strap].isConnected ? states[strap].waveforms : []
  }

  // MARK: What straps do

  /// A strap sends a value; without a link, or a subscription, it is lost.
  mutating func send(_ value: [UInt8], as identifier: String, from strap: Int) -> [Action] {
    guard states[strap].isConnected, states[strap].notified.contains(identifier),
      let characteristic = characteristics(of: states[strap].strap).first(where: { $0.identifier == identifier })
    else { return [] }
    change(characteristic.path, BluezObjects.Interface.characteristic, ["Value": .variant("ay", .bytes(value))])
    return taken()
  }

  /// A strap leaves: its link is lost.
  mutating func lose(_ strap: Int, _ loss: Loss) -> [Action] {
    states[strap].isInReach = false
    drop(strap, loss)
    return taken()
  }

  /// A strap is back in reach.
  mutating func bringBack(_ strap: Int) -> [Action] {
    states[strap].isInReach = true
    if isDiscovering { advertise(strap) }
    return taken()
  }

  /// The straps in reach advertise, as they do again and again.
  mutating func advertise() -> [Action] {
    if isDiscovering { for strap in states.indices { advertise(strap) } }
    return taken()
  }

  /// The adapter is switched off or on.
  mutating func power(_ isOn: Bool) -> [Action] {
    isPowered = isOn
    if !isOn { for strap in states.indices { drop(strap, .kept) } }
    change(Self.adapter, BluezObjects.Interface.adapter, ["Powered": .variant("b", .bool(isOn))])
    return taken()
  }

  private mutating func drop(_ strap: Int, _ loss: Loss) {
    guard states[strap].isConnected else { return }
    let path = states[strap].strap.path
    let paths = objects(below: strap).keys.sorted()
    states[strap].isConnected = false
    states[strap].isResolved = false
    states[strap].waveforms = []
    if loss != .kept {
      states[strap].notified = []
      for path in paths { remove(path, [BluezObjects.Interface.characteristic]) }
    }
    change(path, BluezObjects.Interface.device, ["ServicesResolved": .variant("b", .bool(false))])
    change(path, BluezObjects.Interface.device, ["Connected": .variant("b", .bool(false))])
    if loss == .forgotten {
      states[strap].isKnown = false
      remove(path, [BluezObjects.Interface.device])
    }
  }

  private mutating func advertise(_ strap: Int) {
    guard states[strap].isInReach, !states[strap].isConnected else { return }
    let path = states[strap].strap.path
    if states[strap].isKnown {
      let strength = BusValue.variant("n", .integer(states[strap].strap.strength))
      change(path, BluezObjects.Interface.device, ["RSSI": strength])
    } else {
      states[strap].isKnown = true
      add(path, [BluezObjects.Interface.device: device(strap)])
    }
  }

  // MARK: What programs ask

  /// Answers a call.
  mutating func take(_ call: BusMessage) -> [Action] {
    guard case .call(let number) = call.kind else { return [] }
    func isCall(_ interface: String, _ member: String) -> Bool {
      call.member == member && (call.interface == interface || call.interface.isEmpty)
    }
    if isCall(BluezObjects.Interface.manager, "GetManagedObjects") {
      actions.append(.answer(number, [BusArgument("a{oa{sa{sv}}}", .dictionary(allObjects))]))
    } else if call.interface == BluezObjects.Interface.properties {
      takeProperties(call, number)
    } else if call.path == Self.adapter {
      takeAdapter(call, number)
    } else if let strap = states.firstIndex(where: { $0.isKnown && $0.strap.path == call.path }) {
      takeDevice(call, number, strap)
    } else if let strap = states.firstIndex(where: { call.path.hasPrefix("\($0.strap.path)/") }),
      let characteristic = characteristics(of: states[strap].strap).first(where: { $0.path == call.path })
    {
      take(call, number, strap, characteristic)
    } else {
      actions.append(.refuse(number, name: "org.freedesktop.DBus.Error.UnknownObject", text: "no such object"))
    }
    return taken()
  }

  private mutating func takeProperties(_ call: BusMessage, _ number: Int) {
    let interface = call.body.first?.text ?? ""
    let properties = allObjects[call.path]?.members[interface]?.members ?? [:]
    switch (call.member, call.body.dropFirst().first?.text) {
    case ("GetAll", _): actions.append(.answer(number, [BusArgument("a{sv}", .dictionary(properties))]))
    case ("Get", let name?):
      if let value = properties[name] {
        actions.append(.answer(number, [BusArgument("v", value)]))
      } else {
        actions.append(.refuse(number, name: "org.freedesktop.DBus.Error.InvalidArgs", text: "no such property"))
      }
    case ("Set", "Powered"):
      isPowered = call.body.last?.isTrue ?? isPowered
      change(Self.adapter, BluezObjects.Interface.adapter, ["Powered": .variant("b", .bool(isPowered))])
      actions.append(.answer(number, []))
    default: refuse(number)
    }
  }

  private mutating func takeAdapter(_ call: BusMessage, _ number: Int) {
    switch call.member {
    case "SetDiscoveryFilter": actions.append(.answer(number, []))
    case "StartDiscovery" where !isPowered:
      actions.append(.refuse(number, name: "org.bluez.Error.NotReady", text: "Resource Not Ready"))
    case "StartDiscovery":
      isDiscovering = true
      actions.append(.answer(number, []))
      for strap in states.indices { advertise(strap) }
    case "StopDiscovery":
      isDiscovering = false
      actions.append(.answer(number, []))
    default: refuse(number)
    }
  }

  private mutating func takeDevice(_ call: BusMessage, _ number: Int, _ strap: Int) {
    let path = states[strap].strap.path
    switch call.member {
    case "Connect" where !states[strap].isInReach:
      actions.append(.refuse(number, name: "org.bluez.Error.Failed", text: "le-connection-abort-by-local"))
    case "Connect":
      guard !states[strap].isConnected else {
        actions.append(.answer(number, []))
        return
      }
      states[strap].isConnected = true
      change(path, BluezObjects.Interface.device, ["Connected": .variant("b", .bool(true))])
      actions.append(.answer(number, []))
      for (path, interfaces) in objects(below: strap).sorted(by: { $0.key < $1.key }) {
        actions.append(
          .signal(
            path: "/", interface: BluezObjects.Interface.manager, member: "InterfacesAdded",
            [BusArgument("o", .string(path)), BusArgument("a{sa{sv}}", interfaces)]))
      }
      states[strap].isResolved = true
      change(path, BluezObjects.Interface.device, ["ServicesResolved": .variant("b", .bool(true))])
    case "Disconnect":
      drop(strap, .removed)
      actions.append(.answer(number, []))
    default: refuse(number)
    }
  }

  private mutating func take(_ call: BusMessage, _ number: Int, _ strap: Int, _ characteristic: Characteristic) {
    switch call.member {
    case "ReadValue" where characteristic.flags.contains("read"):
      actions.append(.answer(number, [BusArgument("ay", .bytes(characteristic.value))]))
    case "ReadValue":
      actions.append(.refuse(number, name: "org.bluez.Error.NotPermitted", text: "Read not permitted"))
    case "StartNotify":
      states[strap].notified.insert(characteristic.identifier)
      actions.append(.answer(number, []))
      guard characteristic.identifier == Identifier.heartRateMeasurement else { return }
      for value in states[strap].strap.firstValues {
        change(characteristic.path, BluezObjects.Interface.characteristic, ["Value": .variant("ay", .bytes(value))])
      }
    case "StopNotify":
      states[strap].notified.remove(characteristic.identifier)
      actions.append(.answer(number, []))
    case "WriteValue" where characteristic.identifier == Identifier.polarControl:
      actions.append(.answer(number, []))
      command(call.body.first?.octets ?? [], strap, characteristic)
    default: refuse(number)
    }
  }

  /// Answers a command to Polar's control point.
  private mutating func command(_ bytes: [UInt8], _ strap: Int, _ characteristic: Characteristic) {
    guard bytes.count >= 2, states[strap].notified.contains(characteristic.identifier) else { return }
    let answer = PretendedPolar.answer(bytes, &states[strap].waveforms)
    change(characteristic.path, BluezObjects.Interface.characteristic, ["Value": .variant("ay", .bytes(answer))])
  }

  private mutating func refuse(_ number: Int) {
    actions.append(.refuse(number, name: "org.freedesktop.DBus.Error.UnknownMethod", text: "no such method"))
  }

  // MARK: Objects

  private struct Characteristic {
    let path: String
    let service: String
    let identifier: String
    let flags: [String]
    var value: [UInt8] = []
  }

  private func characteristics(of strap: Strap) -> [Characteristic] {
    func one(_ place: String, _ identifier: String, _ flags: [String], _ value: [UInt8] = []) -> Characteristic {
      let service = "\(strap.path)/service\(place.prefix(3))0"
      return Characteristic(
        path: "\(service)/char\(place)", service: service, identifier: identifier, flags: flags, value: value)
    }
    let plain = [
      one("0011", Identifier.heartRateMeasurement, ["notify"]),
      one("0014", Identifier.sensorLocation, ["read"], [1]),
      one("0021", Identifier.battery, ["read", "notify"], [strap.battery]),
      one("0031", Identifier.manufacturer, ["read"], Array("Pretended Straps".utf8)),
      one("0033", Identifier.model, ["read"], Array("H10".utf8)),
      one("0035", Identifier.firmware, ["read"], Array("1.0.0".utf8)),
    ]
    guard strap.hasWaveforms else { return plain }
    return plain + [
      one("0041", Identifier.polarControl, ["read", "write", "indicate"], [0x0F, 1]),
      one("0044", Identifier.polarData, ["notify"]),
    ]
  }

  private static let services = [
    "0010": Identifier.heartRateService, "0020": Identifier.assigned("180f"), "0030": Identifier.assigned("180a"),
    "0040": "fb005c80-02e7-f387-1cad-8acd2d8df0c8",
  ]

  private func device(_ strap: Int) -> BusValue {
    let state = states[strap]
    let services = [Identifier.heartRateService, Identifier.assigned("180f")].map { BusValue.string($0) }
    var properties: [String: BusValue] = [
      "Address": .variant("s", .string(state.strap.address)), "AddressType": .variant("s", .string("random")),
      "Name": .variant("s", .string(state.strap.name)), "Alias": .variant("s", .string(state.strap.name)),
      "Paired": .variant("b", .bool(false)), "Trusted": .variant("b", .bool(false)),
      "Adapter": .variant("o", .string(Self.adapter)), "UUIDs": .variant("as", .list(services)),
      "Connected": .variant("b", .bool(state.isConnected)),
      "ServicesResolved": .variant("b", .bool(state.isResolved)),
    ]
    if state.isInReach, !state.isConnected { properties["RSSI"] = .variant("n", .integer(state.strap.strength)) }
    return .dictionary(properties)
  }

  /// The services and characteristics of a strap.
  private func objects(below strap: Int) -> [String: BusValue] {
    let state = states[strap]
    var objects: [String: BusValue] = [:]
    for characteristic in characteristics(of: state.strap) {
      let service = String(characteristic.service.suffix(4))
      objects[characteristic.service] = .dictionary([
        "org.bluez.GattService1": .dictionary([
          "UUID": .variant("s", .string(Self.services[service] ?? "")),
          "Primary": .variant("b", .bool(true)), "Device": .variant("o", .string(state.strap.path)),
        ])
      ])
      objects[characteristic.path] = .dictionary([
        BluezObjects.Interface.characteristic: .dictionary([
          "UUID": .variant("s", .string(characteristic.identifier)),
          "Service": .variant("o", .string(characteristic.service)),
          "Flags": .variant("as", .list(characteristic.flags.map { .string($0) })),
          "Notifying": .variant("b", .bool(state.notified.contains(characteristic.identifier))),
          "Value": .variant("ay", .bytes([])),
        ])
      ])
    }
    return objects
  }

  private var allObjects: [String: BusValue] {
    var objects: [String: BusValue] = [
      Self.adapter: .dictionary([
        BluezObjects.Interface.adapter: .dictionary([
          "Address": .variant("s", .string("00:1A:7D:DA:71:13")), "Powered": .variant("b", .bool(isPowered)),
          "Discovering": .variant("b", .bool(isDiscovering)), "Name": .variant("s", .string("pretended")),
          "Roles": .variant("as", .list([.string("central")])),
        ])
      ])
    ]
    for (index, state) in states.enumerated() where state.isKnown {
      objects[state.strap.path] = .dictionary([BluezObjects.Interface.device: device(index)])
      if state.isResolved { objects.merge(self.objects(below: index)) { $1 } }
    }
    return objects
  }

  // MARK: Signals

  private mutating func change(_ path: String, _ interface: String, _ properties: [String: BusValue]) {
    actions.append(
      .signal(
        path: path, interface: BluezObjects.Interface.properties, member: "PropertiesChanged",
        [
          BusArgument("s", .string(interface)), BusArgument("a{sv}", .dictionary(properties)),
          BusArgument("as", .list([])),
        ]))
  }

  private mutating func add(_ path: String, _ interfaces: [String: BusValue]) {
    actions.append(
      .signal(
        path: "/", interface: BluezObjects.Interface.manager, member: "InterfacesAdded",
        [BusArgument("o", .string(path)), BusArgument("a{sa{sv}}", .dictionary(interfaces))]))
  }

  private mutating func remove(_ path: String, _ interfaces: [String]) {
    actions.append(
      .signal(
        path: "/", interface: BluezObjects.Interface.manager, member: "InterfacesRemoved",
        [BusArgument("o", .string(path)), BusArgument("as", .list(interfaces.map { .string($0) }))]))
  }

  private mutating func taken() -> [Action] {
    defer { actions = [] }
    return actions
  }
}
