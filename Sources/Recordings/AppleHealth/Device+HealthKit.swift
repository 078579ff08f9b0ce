import Glibc
import Quantities

extension Device {
  /// Reads HealthKit's description of a device.
  ///
  ///     <<HKDevice: 0x2818c8a50>, name:Apple Watch, manufacturer:Apple Inc., hardware:Watch6,2, software:10.3.1>
  ///
  /// The address, which differs in every export, and the day on which the phone first saw the device are left out. A
  /// text of another form is the device's name.
  init(healthKit description: String) {
    guard description.hasPrefix("<<HKDevice:"), let start = description.firstRange(of: ">, ")?.upperBound else {
      self.init(name: description)
      return
    }
    self.init()
    var rest = description[start...]
    if rest.hasSuffix(">") { rest = rest.dropLast() }
    // A value may hold commas; it goes on until the next key that is known.
    var fields: [(key: String, value: String)] = []
    for part in rest.split(separator: ", ", omittingEmptySubsequences: false) {
      let words = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      if words.count == 2, Self.keys.contains(String(words[0])) {
        fields.append((String(words[0]), String(words[1])))
      } else if !fields.isEmpty {
        fields[fields.count - 1].value += ", " + part
      }
    }
    for field in fields {
      switch field.key {
      case "name": name = field.value
      case "manufacturer": manufacturer = field.value
      case "model": model = field.value
      case "hardware": hardwareVersion = field.value
      case "firmware": firmwareVersion = field.value
      case "software": softwareVersion = field.value
      case "localIdentifier": localIdentifier = field.value
      case "UDIDeviceIdentifier": udiDeviceIdentifier = field.value
      default: break
      }
    }
  }

  private static let keys = [
    "name", "manufacturer", "model", "hardware", "firmware", "software", "localIdentifier", "UDIDeviceIdentifier",
    "creation date",
  ]

  /// What follows the address in HealthKit's description of a device; all of any other text.
  static func withoutAddress(_ description: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
    let beginning: StaticString = "<<HKDevice:"
    for index in 0..<beginning.utf8CodeUnitCount {
      guard unsafe UInt8(bitPattern: description[index]) == beginning.utf8Start[index] else {
        return unsafe description
      }
    }
    return unsafe strchr(description, Int32(UInt8(ascii: ","))).map { unsafe UnsafePointer($0) } ?? description
  }
}
