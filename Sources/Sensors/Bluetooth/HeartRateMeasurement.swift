import Basics
import Quantities

/// A value of the characteristic Heart Rate Measurement (0x2A37) of Bluetooth's Heart Rate Service.
///
/// A byte of flags, the rate in one byte or two, the energy in two, and intervals in two bytes each until the end, the
/// lowest byte first: Bluetooth SIG, “Heart Rate Service 1.0”, section 3.1, and “GATT Specification Supplement”, section
/// “Heart Rate Measurement”.
struct HeartRateMeasurement: Hashable, Sendable {
  /// What is wrong with a value; the part that was read before it counts.
  enum Fault: Hashable, Sendable {
    /// It ends before the heart rate.
    case noRate
    /// It ends before the energy that its flags announce.
    case noEnergy
    /// Its flags announce no intervals, or half of one is left over.
    case surplus(bytes: Int)
  }

  /// Beats per minute; `nil` where there is none.
  private(set) var heartRate: Int?
  /// The intervals in units of 1/1024 s, oldest first.
  private(set) var intervals: [Int] = []
  /// Whether the strap touches the skin; `nil` where it does not detect that.
  private(set) var contact: Bool?
  /// The energy spent since it was last reset, in kilojoules; 65535 means that or more.
  private(set) var energy: Int?
  /// What is wrong with it; `nil` for a good value.
  private(set) var fault: Fault?

  init(_ bytes: [UInt8]) {
    var position = 1
    func number(of size: Int) -> Int? {
      guard position + size <= bytes.count else { return nil }
      defer { position += size }
      return size == 1 ? Int(bytes[position]) : Int(bytes[position]) | Int(bytes[position + 1]) << 8
    }
    let flags = bytes.first ?? 0
    // Without the second bit of contact, the first means nothing.
    if flags & 0b100 != 0 { contact = flags & 0b10 != 0 }
    guard let rate = number(of: flags & 1 == 0 ? 1 : 2) else {
      (fault, contact) = (.noRate, nil)
      return
    }
    heartRate = rate
    if flags & 0b1000 != 0 {
      energy = number(of: 2)
      guard energy != nil else {
        fault = .noEnergy
        return
      }
    }
    if flags & 0b1_0000 != 0 {
      while let interval = number(of: 2) { intervals.append(interval) }
    }
    if position < bytes.count { fault = .surplus(bytes: bytes.count - position) }
  }

  /// The heart rate, the intervals and the skin contact, as a sample.
  var sample: Sample {
    var sample = Sample()
    sample.heartRate = heartRate.map(Double.init)
    sample.rrIntervals = intervals.map { Double($0) * 1000 / 1024 }
    sample.contact = contact
    return sample
  }
}

extension HeartRateMeasurement.Fault {
  /// What is wrong, with the value's bytes: `no heart rate, in the value 01 04`.
  func words(of bytes: [UInt8]) -> String {
    let what =
      switch self {
      case .noRate: "ends before the heart rate"
      case .noEnergy: "ends before the energy that its flags announce"
      case .surplus(let count): "has \(count.counted("byte")) too many"
      }
    return "the value \(hexadecimal(bytes)) \(what)"
  }
}

/// The bytes as two digits each: `16 48 ff 03`; at most 32 of them.
func hexadecimal(_ bytes: [UInt8]) -> String {
  let text = bytes.prefix(32).map { [$0].hexDigits }.joined(separator: " ")
  return bytes.count > 32 ? "\(text) …" : text.isEmpty ? "(empty)" : text
}
