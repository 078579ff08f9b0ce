import Basics
import Quantities

/// What a Bluetooth sensor says of itself.
struct DeviceFacts: Hashable, Sendable {
  var name = ""
  var address = ""
  /// The charge of its battery in percent; `nil` if it does not tell that.
  var battery: Int?
  /// Where on the body it is worn.
  private(set) var location: Metadata.SensorLocation?
  private var texts: [String: String] = [:]

  /// The characteristics that are read: of the heart-rate, battery and device information services.
  static let characteristics = [
    BluetoothIdentifier.sensorLocation, BluetoothIdentifier.battery, BluetoothIdentifier.manufacturer,
    BluetoothIdentifier.model, BluetoothIdentifier.hardware, BluetoothIdentifier.firmware,
    BluetoothIdentifier.software,
  ]

  /// Takes the value of a characteristic.
  mutating func take(_ bytes: [UInt8], of identifier: String) {
    switch identifier {
    case BluetoothIdentifier.sensorLocation:
      // The numbers are HealthKit's too.
      location = bytes.first.flatMap { Metadata.SensorLocation(rawValue: Int($0)) }
    case BluetoothIdentifier.battery: if let percent = bytes.first, percent <= 100 { battery = Int(percent) }
    default:
      let text = String(decoding: bytes.prefix { $0 != 0 }.prefix(128), as: UTF8.self).visible
      if !text.isEmpty { texts[identifier] = text }
    }
  }

  /// The device for results.
  var device: Device {
    Device(
      name: name, manufacturer: texts[BluetoothIdentifier.manufacturer], model: texts[BluetoothIdentifier.model],
      hardwareVersion: texts[BluetoothIdentifier.hardware], firmwareVersion: texts[BluetoothIdentifier.firmware],
      softwareVersion: texts[BluetoothIdentifier.software], localIdentifier: address.isEmpty ? nil : address)
  }

  /// So low a battery, in percent, is told.
  static let lowBattery = 20

  /// Whether its battery is low.
  var isLow: Bool { battery.map { $0 <= Self.lowBattery } ?? false }

  /// A remark on a low battery; `nil` for one that is not low.
  var batteryNote: String? {
    isLow ? battery.map { "has a battery at \($0) %; replace or charge it before the session" } : nil
  }
}
