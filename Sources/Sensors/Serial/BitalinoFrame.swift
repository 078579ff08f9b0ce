/// The frames in which a BITalino sends its inputs: a sequence number of four bits, the digital inputs, up to six samples
/// and a checksum (CRC-4 of x⁴ + x + 1).
enum BitalinoFrame {
  /// The sequence numbers are counted modulo this.
  static let cycle = 16

  /// The length of a frame with so many analogue inputs, in bytes.
  static func size(_ inputs: Int) -> Int {
    inputs <= 4 ? (12 + 10 * inputs + 7) / 8 : (52 + 6 * (inputs - 4) + 7) / 8
  }

  /// The number of bits of an input at a place in the frame, from 0.
  static func bits(_ place: Int) -> Int { place < 4 ? 10 : 6 }

  /// The sequence number of a frame; `nil` where the checksum does not match.
  static func sequence(of frame: ArraySlice<UInt8>) -> Int? {
    guard let last = frame.last, checksum(frame) == last & 0x0F else { return nil }
    return Int(last >> 4)
  }

  /// The samples of a frame, by place.
  static func samples(of frame: ArraySlice<UInt8>, inputs: Int) -> [Int] {
    func byte(_ back: Int) -> Int { Int(frame[frame.endIndex - back]) }
    let all: [() -> Int] = [
      { (byte(2) & 0x0F) << 6 | byte(3) >> 2 }, { (byte(3) & 0x03) << 8 | byte(4) }, { byte(5) << 2 | byte(6) >> 6 },
      { (byte(6) & 0x3F) << 4 | byte(7) >> 4 }, { (byte(7) & 0x0F) << 2 | byte(8) >> 6 }, { byte(8) & 0x3F },
    ]
    return all.prefix(inputs).map { $0() }
  }

  /// A frame with these samples.
  static func frame(sequence: Int, samples: [Int]) -> [UInt8] {
    var frame = [Int](repeating: 0, count: 8)
    func set(_ back: Int, _ bits: Int) { frame[8 - back] |= bits & 0xFF }
    for (place, sample) in samples.enumerated() {
      switch place {
      case 0:
        set(2, sample >> 6)
        set(3, sample << 2 & 0xFC)
      case 1:
        set(3, sample >> 8)
        set(4, sample)
      case 2:
        set(5, sample >> 2)
        set(6, sample << 6)
      case 3:
        set(6, sample >> 4)
        set(7, sample << 4)
      case 4:
        set(7, sample >> 2)
        set(8, sample << 6)
      default: set(8, sample)
      }
    }
    set(1, (sequence % cycle) << 4)
    var bytes = frame.suffix(size(samples.count)).map { UInt8($0) }
    bytes[bytes.count - 1] |= checksum(bytes[...])
    return bytes
  }

  /// How many frames follow each other from the place where most of them do.
  static func count(in bytes: [UInt8], inputs: Int) -> Int {
    let size = size(inputs)
    return (0..<size).map { start in
      var (count, before) = (0, Int?.none)
      for place in stride(from: start, through: bytes.count - size, by: size) {
        let sequence = sequence(of: bytes[place..<place + size])
        if let sequence, before == (sequence + cycle - 1) % cycle { count += 1 }
        before = sequence
      }
      return count
    }.max() ?? 0
  }

  /// The checksum of a frame, in whose last four bits it lies.
  private static func checksum(_ frame: ArraySlice<UInt8>) -> UInt8 {
    var rest: UInt8 = 0
    for (index, byte) in frame.enumerated() {
      let byte = index == frame.count - 1 ? byte & 0xF0 : byte
      for bit in (0..<8).reversed() {
        rest = rest << 1 | byte >> bit & 1
        if rest & 0x10 != 0 { rest ^= 0x13 }
      }
    }
    return rest
  }
}

/// The commands of a BITalino.
enum BitalinoCommand {
  /// Ends the acquisition.
  static let stop: UInt8 = 0

  /// The rates that a BITalino knows, in Hz, by their code.
  static let rates = [1.0, 10, 100, 1000]

  /// Sets the rate; `nil` for one that it does not know.
  static func rate(_ rate: Double) -> UInt8? { rates.firstIndex(of: rate).map { UInt8($0) << 6 | 0x03 } }

  /// Begins the acquisition of inputs, numbered from 1.
  static func start(_ inputs: [Int]) -> UInt8 { inputs.reduce(0x01) { $0 | 1 << (UInt8($1) + 1) } }
}
