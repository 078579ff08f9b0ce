import Basics
package import Quantities

extension SensorTransport {
  /// A heart-rate strap over Bluetooth: the one in reach, or the one with a name, a part of a name or an address.
  ///
  /// `waveforms=ecg,acc` asks a sensor of Polar's for its electrocardiogram and acceleration.
  static let bluetooth = SensorTransport(
    scheme: "bluetooth", forms: [.init(text: "bluetooth[:NAME|:ADDRESS]")],
    nicknames: [
      .init(
        address: "bluetooth",
        words: [
          "polar", "h7", "h9", "h10", "oh1", "verity", "garmin", "wahoo", "tickr", "coospo", "magene", "suunto",
          "movesense", "strap", "belt", "chest", "cheststrap", "hrm", "ble", "bt", "heartrate", "pulse", "watch",
        ])
    ]
  ) { reader, rest throws(SensorError) in try reader.bluetooth(rest) }
}

extension BluetoothSettings: SensorKind {
  /// Creates the sensor.
  package func sensor(named name: String, latency: Duration, location: Metadata.SensorLocation?) -> any Sensor {
    BluetoothSensor(self, latency: latency, name: name, location: location)
  }
}

extension AddressReader {
  fileprivate func bluetooth(_ rest: String?) throws(SensorError) -> SensorTransport.Reading {
    let (name, options) = try split(rest ?? "", known: Self.commonOptions + ["waveforms"])
    guard name.utf8.count <= 248, !name.contains("\0") else {
      throw error("a Bluetooth name has at most 248 bytes", nil)
    }
    var settings = BluetoothSettings(
      name.isEmpty ? .any : Self.isBluetoothAddress(name) ? .address(name.uppercased()) : .name(name))
    for word in (options["waveforms"] ?? "").split(separator: ",") {
      guard let waveform = BluetoothSettings.Waveform(rawValue: String(word)) else {
        throw error(
          "there is no waveform “\(word)”",
          Spelling.advice(for: String(word), among: BluetoothSettings.Waveform.allCases.map(\.rawValue)))
      }
      settings.waveforms.insert(waveform)
    }
    if options["waveforms"]?.isEmpty == true { throw error("the waveforms are missing", "say waveforms=ecg,acc") }
    return (settings, try latency(options), try location(options["location"]))
  }

  /// Whether a text is six bytes in hexadecimal digits, with colons between them.
  private static func isBluetoothAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 6 && parts.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
  }
}
