import Basics
import Quantities

extension AddressReader {
  /// Reads what follows `bluetooth:`; all of it may be missing.
  func bluetooth(_ rest: String?) throws(SensorError) -> Reading {
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
    return (.bluetooth(settings), try latency(options), try location(options["location"]))
  }

  /// Whether a text is six bytes in hexadecimal digits, with colons between them.
  private static func isBluetoothAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 6 && parts.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
  }
}
