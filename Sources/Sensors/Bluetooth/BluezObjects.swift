/// The objects of BlueZ, Linux's Bluetooth service, as its messages describe them: adapters, devices and characteristics.
///
/// Interfaces and properties: BlueZ, `doc/org.bluez.Adapter.rst`, `org.bluez.Device.rst`, `org.bluez.GattCharacteristic.rst`.
struct BluezObjects: Hashable, Sendable {
  /// The names of interfaces.
  enum Interface {
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let characteristic = "org.bluez.GattCharacteristic1"
    static let battery = "org.bluez.Battery1"
    static let properties = "org.freedesktop.DBus.Properties"
    static let manager = "org.freedesktop.DBus.ObjectManager"
  }

  /// The name of the service on the bus.
  static let service = "org.bluez"

  /// The properties, by path and interface.
  private var objects: [String: [String: [String: BusValue]]] = [:]

  /// A change that a message made.
  struct Change: Hashable, Sendable {
    let path: String
    let interface: String
    /// The properties that changed; empty for an interface that was removed.
    let properties: [String: BusValue]
  }

  /// Takes all objects, from the answer to GetManagedObjects.
  mutating func take(all answer: [BusValue]) {
    objects = [:]
    for (path, interfaces) in answer.first?.members ?? [:] {
      objects[path] = interfaces.members.mapValues(\.members)
    }
  }

  /// Takes a signal.
  ///
  /// - Returns: what it changed.
  mutating func take(_ signal: BusMessage) -> [Change] {
    switch (signal.interface, signal.member) {
    case (Interface.manager, "InterfacesAdded"):
      guard signal.body.count == 2, let path = signal.body[0].text else { return [] }
      return signal.body[1].members.map { interface, properties in
        // The value of a characteristic that has just been found is an old one.
        let properties = properties.members.filter { $0.key != "Value" }
        objects[path, default: [:]][interface] = properties
        return Change(path: path, interface: interface, properties: properties)
      }
    case (Interface.manager, "InterfacesRemoved"):
      guard signal.body.count == 2, let path = signal.body[0].text else { return [] }
      return signal.body[1].elements.compactMap(\.text).map { interface in
        objects[path]?[interface] = nil
        if objects[path]?.isEmpty == true { objects[path] = nil }
        return Change(path: path, interface: interface, properties: [:])
      }
    case (Interface.properties, "PropertiesChanged"):
      guard signal.body.count >= 2, let interface = signal.body[0].text else { return [] }
      let changed = signal.body[1].members
      // A value comes once a second and is of no use later.
      objects[signal.path, default: [:]][interface, default: [:]].merge(changed.filter { $0.key != "Value" }) { $1 }
      for name in signal.body.dropFirst(2).first?.elements.compactMap(\.text) ?? [] {
        objects[signal.path]?[interface]?[name] = nil
      }
      return [Change(path: signal.path, interface: interface, properties: changed)]
    default: return []
    }
  }

  /// Forgets everything.
  mutating func clear() { objects = [:] }

  /// A property; `nil` where the object does not have it.
  func property(_ name: String, _ interface: String, of path: String) -> BusValue? {
    objects[path]?[interface]?[name]
  }

  func has(_ interface: String, at path: String) -> Bool { objects[path]?[interface] != nil }

  /// The paths of the adapters, in order.
  var adapters: [String] { paths(Interface.adapter) }

  /// A device.
  struct Peripheral: Hashable, Sendable {
    let path: String
    let address: String
    let name: String
    /// The services that it advertises.
    let services: Set<String>
    let isConnected: Bool
    /// The strength of its signal in dBm; `nil` where it was not seen in this search.
    let strength: Int?

    /// Whether it can be reached now, as far as is known.
    var isPresent: Bool { isConnected || strength != nil }
  }

  /// The devices, those with the strongest signal first.
  var devices: [Peripheral] {
    paths(Interface.device).map(device).sorted { ($0.strength ?? -200, $1.path) > ($1.strength ?? -200, $0.path) }
  }

  func device(_ path: String) -> Peripheral {
    func value(_ name: String) -> BusValue? { property(name, Interface.device, of: path) }
    let address = value("Address")?.text ?? ""
    return Peripheral(
      path: path, address: address, name: value("Alias")?.text ?? value("Name")?.text ?? address,
      services: Set(value("UUIDs")?.elements.compactMap { $0.text?.lowercased() } ?? []),
      isConnected: value("Connected")?.isTrue ?? false, strength: value("RSSI")?.number)
  }

  /// The characteristic of a device with this identifier; the first where there are several.
  func characteristic(_ identifier: String, of device: String) -> String? {
    paths(Interface.characteristic).first { path in
      path.hasPrefix("\(device)/")
        && property("UUID", Interface.characteristic, of: path)?.text?.lowercased() == identifier
    }
  }

  private func paths(_ interface: String) -> [String] {
    objects.filter { $0.value[interface] != nil }.keys.sorted()
  }
}

/// The identifiers of Bluetooth services and characteristics, as BlueZ writes them.
enum BluetoothIdentifier {
  static let heartRateService = assigned("180d")
  static let heartRateMeasurement = assigned("2a37")
  static let sensorLocation = assigned("2a38")
  static let battery = assigned("2a19")
  static let manufacturer = assigned("2a29")
  static let model = assigned("2a24")
  static let hardware = assigned("2a27")
  static let firmware = assigned("2a26")
  static let software = assigned("2a28")
  static let polarControl = "fb005c81-02e7-f387-1cad-8acd2d8df0c8"
  static let polarData = "fb005c82-02e7-f387-1cad-8acd2d8df0c8"

  /// The full form of a number that the Bluetooth SIG assigned.
  static func assigned(_ number: String) -> String { "0000\(number)-0000-1000-8000-00805f9b34fb" }
}
