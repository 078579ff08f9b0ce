import Basics
import Quantities

/// Consecutive frames of a waveform with the time of the first: what a sensor delivers at once, such as a quarter of a second
/// of an electrocardiogram.
///
/// In the file of a waveform a block is a header of 48 bytes and its frames; all numbers are little-endian:
///
/// | byte | what |
/// |---|---|
/// | 0 | `STWF` |
/// | 4 | UInt16: the size of the header, 48 |
/// | 6 | UInt16: the number of channels |
/// | 8 | UInt32: the number of frames |
/// | 12 | UInt32: the number of the block, from 0 |
/// | 16 | Int64: the time of the first frame, in ns since the trial's zero |
/// | 24 | Int64: when the block arrived, in ns since the trial's zero |
/// | 32 | UInt64: FNV-1a of the frames |
/// | 40 | UInt64: FNV-1a of the bytes 0 to 39 |
/// | 48 | Float32: the value of each channel, frame by frame |
package struct WaveformBlock: Hashable, Sendable {
  /// The time of the first frame, since the trial's zero.
  var time: Duration
  /// When the block arrived.
  package var arrived: Duration
  /// The number of channels.
  package var channels: Int
  /// The values, frame by frame: as many for each frame as there are channels.
  package var values: [Float]

  /// The number of frames.
  var frames: Int { channels > 0 ? values.count / channels : 0 }

  /// The time of a frame at a nominal rate, to the nanosecond.
  package func time(of frame: Int, rate: Double) -> Duration {
    time + Duration(nearestNanoseconds: Double(frame) / rate * 1e9)
  }

  /// The frames from one time to before another.
  package func frames(from start: Duration, to stop: Duration, rate: Double) -> Range<Int> {
    func first(at moment: Duration) -> Int {
      // By the times themselves, since a product of seconds is not exact.
      var frame = Int(min(max(0, (moment - time).seconds * rate), Double(frames)))
      while frame > 0, time(of: frame - 1, rate: rate) >= moment { frame -= 1 }
      while frame < frames, time(of: frame, rate: rate) < moment { frame += 1 }
      return frame
    }
    let lower = first(at: start)
    return lower..<max(lower, first(at: stop))
  }

  /// The largest number of channels.
  static let maxChannels = 1024
  /// The largest number of values in a block: 16 MiB.
  static let maxValues = 1 << 22

  /// The size of a block's header, in bytes.
  static let headerSize = 48
  /// How a block begins.
  static let magic = Array("STWF".utf8)

  /// Creates a block.
  ///
  /// - Precondition: the values fill whole frames, 1 … `maxChannels` channels and at most `maxValues` values.
  package init(time: Duration, arrived: Duration, channels: Int, values: [Float]) {
    precondition((1...Self.maxChannels).contains(channels) && values.count <= Self.maxValues)
    precondition(values.count.isMultiple(of: channels))
    self.time = time
    self.arrived = arrived
    self.channels = channels
    self.values = values
  }

  /// The bytes of the block as the file has them.
  func encoded(number: Int) -> [UInt8] {
    var frames: [UInt8] = []
    frames.reserveCapacity(values.count * 4)
    for value in values { frames.append(littleEndian: value.bitPattern) }
    var bytes = Self.magic
    bytes.reserveCapacity(Self.headerSize + frames.count)
    bytes.append(littleEndian: UInt16(Self.headerSize))
    bytes.append(littleEndian: UInt16(channels))
    bytes.append(littleEndian: UInt32(self.frames))
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: number))
    bytes.append(littleEndian: time.nanoseconds)
    bytes.append(littleEndian: arrived.nanoseconds)
    bytes.append(littleEndian: fnv1a64(frames))
    bytes.append(littleEndian: fnv1a64(bytes))
    return bytes + frames
  }
}

/// The header of a block in a file.
struct WaveformHeader: Hashable, Sendable {
  let channels: Int
  let frames: Int
  let number: Int
  let time: Duration
  let arrived: Duration
  /// FNV-1a of the frames.
  let digest: UInt64

  /// The size of the frames, in bytes.
  var payload: Int { channels * frames * 4 }

  /// Reads a header; `nil` if it is torn or damaged.
  init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == WaveformBlock.headerSize, bytes.starts(with: WaveformBlock.magic),
      UInt64(littleEndian: bytes[40..<48]) == fnv1a64(bytes[..<40]),
      UInt16(littleEndian: bytes[4..<6]) == WaveformBlock.headerSize
    else { return nil }
    channels = Int(UInt16(littleEndian: bytes[6..<8]))
    frames = Int(UInt32(littleEndian: bytes[8..<12]))
    number = Int(UInt32(littleEndian: bytes[12..<16]))
    time = .nanoseconds(Int64(littleEndian: bytes[16..<24]))
    arrived = .nanoseconds(Int64(littleEndian: bytes[24..<32]))
    digest = UInt64(littleEndian: bytes[32..<40])
    guard (1...WaveformBlock.maxChannels).contains(channels), channels * frames <= WaveformBlock.maxValues else {
      return nil
    }
  }
}

extension [UInt8] {
  /// Appends a number, its lowest byte first.
  fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
    var rest = number
    for _ in 0..<(number.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}

extension FixedWidthInteger {
  /// A number from its bytes, the lowest first.
  init(littleEndian bytes: some BidirectionalCollection<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }
}

/// What a trial's journal says of a waveform before its first block.
package struct WaveformHead: Hashable, Sendable, Codable, CheckedInJSON {
  /// The name of its file, without folder and extension: `electrocardiogram`.
  var file: String
  /// The sensor's name.
  var sensor: String
  /// The identifier of the quantity type.
  var quantityType: String
  /// The unit of the values.
  var unit: String
  /// The nominal number of frames per second, in Hz.
  var rate: Double
  /// The names of the channels, in the order of a frame's values.
  var channels: [String]

  private enum CodingKeys: String, CodingKey {
    case file, sensor, quantityType, unit, channels
    case rate = "rate_Hz"
  }

  /// What is wrong with values of the right type.
  package var jsonProblem: String? {
    if !Self.isPlain(file) { return "“file” is not the plain name of a file" }
    if !(1...WaveformBlock.maxChannels).contains(channels.count) { return "“channels” has \(channels.count) names" }
    guard WaveformFormat.rates.contains(rate) else { return "“rate_Hz” is not a rate" }
    return nil
  }

  /// Whether a name may be that of a waveform's file: ASCII letters, digits, `-`, `_` and `.` inside.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 100 && !name.hasPrefix(".")
      && name.utf8.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber) || "-_.".contains(character)
      }
  }

  /// Creates a head.
  package init(file: String, sensor: String, quantityType: String, unit: String, rate: Double, channels: [String]) {
    self.file = file
    self.sensor = sensor
    self.quantityType = quantityType
    self.unit = unit
    self.rate = rate
    self.channels = channels
  }
}
