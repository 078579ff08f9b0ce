import Quantities

/// The packets of Polar's measurement service, with which its sensors send the electrocardiogram and the acceleration.
///
/// A packet has the kind of measurement in its first byte, then the sensor's time of the last frame in nanoseconds in eight
/// bytes, then the form of the frames; numbers have their lowest byte first. Source: Polar, “Polar Measurement Data
/// Specification for 3rd Party” (in the technical documentation of polar-ble-sdk).
struct PolarMeasurement: Hashable, Sendable {
  /// What can be measured.
  enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case electrocardiogram = 0
    case acceleration = 2

    /// The name in a sensor's address.
    var name: String { self == .electrocardiogram ? "ecg" : "acc" }
    /// The names of a frame's values.
    var channels: [String] { self == .electrocardiogram ? ["ecg"] : ["x", "y", "z"] }
    var type: QuantityType { self == .electrocardiogram ? .electrocardiogram : .acceleration }
    /// What values are multiplied by: microvolts become millivolts, thousandths of the standard gravity m/s².
    var scale: Double { self == .electrocardiogram ? 0.001 : 0.00980665 }
    /// The rate that is asked for, in Hz; the H10 has both.
    var rate: Int { self == .electrocardiogram ? 130 : 50 }
  }

  /// A packet that cannot be read.
  struct Fault: Error, Hashable, Sendable {
    let reason: String
  }

  let kind: Kind
  /// The time of the last frame, in seconds of the sensor's own clock.
  let time: Double
  /// Frame by frame: microvolts, or thousandths of the standard gravity along three axes.
  let values: [Int]

  /// Reads a packet.
  init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count >= 10 else { throw Fault(reason: "a packet of \(bytes.count) bytes has no header") }
    guard let kind = Kind(rawValue: bytes[0]) else { throw Fault(reason: "unknown measurement \(bytes[0])") }
    self.kind = kind
    let nanoseconds = bytes[1...8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    time = Double(nanoseconds) / 1e9
    let frames = bytes[10...]
    switch (kind, bytes[9]) {
    case (.electrocardiogram, 0): values = try Self.plain(frames, size: 3, width: 1)
    case (.acceleration, 0...2): values = try Self.plain(frames, size: Int(bytes[9]) + 1, width: 3)
    case (.acceleration, 0x80...0x82):
      values = try Self.differences(frames, size: [1, 2, 3][Int(bytes[9] & 0x7F)], width: 3)
    default: throw Fault(reason: "unknown form \(bytes[9]) of the \(kind.name)")
    }
  }

  private static func plain(_ bytes: ArraySlice<UInt8>, size: Int, width: Int) throws(Fault) -> [Int] {
    guard !bytes.isEmpty, bytes.count.isMultiple(of: size * width) else {
      throw Fault(reason: "\(bytes.count) bytes are not frames of \(size * width)")
    }
    return stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map { start in
      signed(bytes[start..<start + size].reversed().reduce(0) { $0 << 8 | Int($1) }, bits: 8 * size)
    }
  }

  /// Frames that follow a whole one in blocks of differences: the number of bits of one, the number of frames, then the
  /// differences from the lowest bit of the first byte on; each block begins with a new byte.
  private static func differences(_ bytes: ArraySlice<UInt8>, size: Int, width: Int) throws(Fault) -> [Int] {
    guard bytes.count >= size * width else { throw Fault(reason: "the first frame is not whole") }
    var last = try plain(bytes.prefix(size * width), size: size, width: width)
    var values = last
    var rest = bytes.dropFirst(size * width)
    while !rest.isEmpty {
      guard rest.count >= 2, case let (bits, count) = (Int(rest[rest.startIndex]), Int(rest[rest.startIndex + 1])),
        bits <= 32, values.count < 100_000
      else { throw Fault(reason: "a block of differences has no header, or there are too many") }
      rest = rest.dropFirst(2)
      let length = (bits * count * width + 7) / 8
      guard length <= rest.count else { throw Fault(reason: "a block of differences is not whole") }
      for index in 0..<count * width {
        var difference = 0
        for bit in 0..<bits {
          let place = index * bits + bit
          if rest[rest.startIndex + place / 8] >> UInt8(place % 8) & 1 == 1 { difference |= 1 << bit }
        }
        last[index % width] &+= signed(difference, bits: bits)
        values.append(last[index % width])
      }
      rest = rest.dropFirst(length)
    }
    return values
  }

  private static func signed(_ value: Int, bits: Int) -> Int {
    bits > 0 && value >> (bits - 1) & 1 == 1 ? value - 1 << bits : value
  }
}

/// What is written to the control point of Polar's measurement service, and what it answers.
enum PolarControl {
  /// What a sensor offers: the possible values of each setting, by its number.
  typealias Offer = [UInt8: [Int]]

  /// The settings that are two bytes wide; one byte and four bytes are the others'.
  static let rate: UInt8 = 0
  static let resolution: UInt8 = 1
  static let range: UInt8 = 2

  /// Asks for the possible settings of a measurement.
  static func question(_ kind: PolarMeasurement.Kind) -> [UInt8] { [1, kind.rawValue] }

  /// Starts a measurement with the values chosen for each setting that was offered.
  static func start(_ kind: PolarMeasurement.Kind, _ choice: [UInt8: Int]) -> [UInt8] {
    [2, kind.rawValue]
      + choice.sorted { $0.key < $1.key }.flatMap { setting, value in
        [setting, 1] + (0..<size(of: setting)).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
  }

  /// Of each setting that was offered: the rate nearest to the one wanted, the highest resolution, the smallest range that
  /// no movement of a person at rest exceeds (4 g), else what comes first.
  static func choice(from offer: Offer, rate wanted: Int) -> [UInt8: Int] {
    offer.compactMapValues { values in values.first }.merging(
      offer.compactMap { setting, values in
        switch setting {
        case rate: values.min { abs($0 - wanted) < abs($1 - wanted) }.map { (setting, $0) }
        case resolution: values.max().map { (setting, $0) }
        case range: (values.filter { $0 >= 4 }.min() ?? values.max()).map { (setting, $0) }
        default: nil
        }
      }, uniquingKeysWith: { $1 })
  }

  /// An answer of the control point; `nil` for bytes that are none.
  struct Answer: Hashable, Sendable {
    /// What it answers: 1 a question, 2 a start.
    let command: UInt8
    let kind: UInt8
    /// 0 for success.
    let status: UInt8
    let offer: Offer

    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 4, bytes[0] == 0xF0 else { return nil }
      (command, kind, status) = (bytes[1], bytes[2], bytes[3])
      var offer: Offer = [:]
      // After the status comes whether more packets follow.
      var rest = bytes.dropFirst(5)
      while rest.count >= 2 {
        let (setting, count) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]))
        let size = PolarControl.size(of: setting)
        rest = rest.dropFirst(2)
        guard rest.count >= count * size else { break }
        offer[setting] = (0..<count).map { index in
          let start = rest.startIndex + index * size
          return rest[start..<start + size].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        rest = rest.dropFirst(count * size)
      }
      self.offer = offer
    }

    /// Why a command was refused.
    var reason: String {
      switch status {
      case 1: "invalid command"
      case 2: "invalid measurement"
      case 3: "not supported"
      case 4: "invalid length"
      case 5: "invalid parameter"
      case 6: "already started"
      case 7: "invalid resolution"
      case 8: "invalid sampling rate"
      case 9: "invalid range"
      case 10: "invalid MTU"
      case 11: "invalid number of channels"
      case 12: "invalid state"
      case 13: "the sensor is charging"
      default: "error \(status)"
      }
    }
  }

  private static func size(of setting: UInt8) -> Int {
    switch setting {
    case 4: 1
    case 3, 5: 4
    default: 2
    }
  }
}
