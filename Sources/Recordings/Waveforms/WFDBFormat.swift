/// How samples are packed in the files of a WFDB record: "signal(5)" of the WFDB Applications Guide.
enum WFDBFormat: Int, Hashable, Sendable {
  /// 16 bits, the low byte first.
  case format16 = 16
  /// 24 bits, the low byte first.
  case format24 = 24
  /// 32 bits, the low byte first.
  case format32 = 32
  /// 16 bits, the high byte first.
  case format61 = 61
  /// 8 bits above −128.
  case format80 = 80
  /// 16 bits above −32768.
  case format160 = 160
  /// Two samples of 12 bits in three bytes.
  case format212 = 212
  /// Three samples of 10 bits in four bytes: two in the upper bits of 11, the third in the rest.
  case format310 = 310
  /// Three samples of 10 bits in four bytes, one after the other.
  case format311 = 311

  /// The number that marks a missing sample.
  var missing: Int {
    switch self {
    case .format16, .format61, .format160: -1 << 15
    case .format24: -1 << 23
    case .format32: -1 << 31
    case .format80: -1 << 7
    case .format212: -1 << 11
    case .format310, .format311: -1 << 9
    }
  }

  /// Samples that fill whole bytes, and how many bytes those are.
  private var group: (samples: Int, bytes: Int) {
    switch self {
    case .format16, .format61, .format160: (1, 2)
    case .format24: (1, 3)
    case .format32: (1, 4)
    case .format80: (1, 1)
    case .format212: (2, 3)
    case .format310, .format311: (3, 4)
    }
  }

  /// The number of bytes of whole groups of samples.
  func bytes(ofSamples count: Int) -> Int { (count + group.samples - 1) / group.samples * group.bytes }

  /// The number of samples that some bytes hold.
  func samples(inBytes count: Int) -> Int { count / group.bytes * group.samples + rest(count % group.bytes) }

  /// The samples in the bytes of an incomplete group.
  private func rest(_ bytes: Int) -> Int {
    switch self {
    case .format212: bytes >= 2 ? 1 : 0
    case .format310, .format311: bytes >= 2 ? 1 : 0
    default: 0
    }
  }

  /// Unpacks samples, from the beginning of a group.
  func numbers(_ bytes: [UInt8]) -> [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(samples(inBytes: bytes.count))
    func signed(_ value: Int, bits: Int) -> Int { value >= 1 << (bits - 1) ? value - 1 << bits : value }
    // An incomplete group at the end is filled up.
    func byte(_ place: Int) -> Int { place < bytes.count ? Int(bytes[place]) : 0 }
    for place in stride(from: 0, to: bytes.count, by: group.bytes) {
      switch self {
      case .format16: numbers.append(signed(byte(place) | byte(place + 1) << 8, bits: 16))
      case .format61: numbers.append(signed(byte(place + 1) | byte(place) << 8, bits: 16))
      case .format24: numbers.append(signed(byte(place) | byte(place + 1) << 8 | byte(place + 2) << 16, bits: 24))
      case .format32:
        let value = byte(place) | byte(place + 1) << 8 | byte(place + 2) << 16 | byte(place + 3) << 24
        numbers.append(signed(value, bits: 32))
      case .format80: numbers.append(byte(place) - 128)
      case .format160: numbers.append((byte(place) | byte(place + 1) << 8) - 32_768)
      case .format212:
        numbers.append(signed(byte(place) | (byte(place + 1) & 0x0F) << 8, bits: 12))
        numbers.append(signed(byte(place + 2) | (byte(place + 1) & 0xF0) << 4, bits: 12))
      case .format310:
        let (first, second) = (byte(place) | byte(place + 1) << 8, byte(place + 2) | byte(place + 3) << 8)
        numbers.append(signed(first >> 1 & 0x3FF, bits: 10))
        numbers.append(signed(second >> 1 & 0x3FF, bits: 10))
        numbers.append(signed(first >> 11 | (second >> 11) << 5, bits: 10))
      case .format311:
        let value = byte(place) | byte(place + 1) << 8 | byte(place + 2) << 16 | byte(place + 3) << 24
        for shift in [0, 10, 20] { numbers.append(signed(value >> shift & 0x3FF, bits: 10)) }
      }
    }
    let whole = samples(inBytes: bytes.count)
    return numbers.count > whole ? Array(numbers.prefix(whole)) : numbers
  }
}
