/// WAV and FLAC files assembled byte by byte, from whole numbers of known sizes.
package enum LosslessBytes: Sendable {
  /// What a WAV file keeps a sample as.
  package enum Encoding: String, Sendable, CaseIterable {
    /// Integers of so many bits.
    case bits8, bits16, bits24, bits32
    /// Floating-point numbers of so many bits.
    case float32, float64

    /// Bits a sample.
    package var bits: Int {
      switch self {
      case .bits8: 8
      case .bits16: 16
      case .bits24: 24
      case .bits32, .float32: 32
      case .float64: 64
      }
    }

    /// Whether samples are floating-point numbers.
    package var isFloat: Bool { self == .float32 || self == .float64 }
  }

  /// A WAV file.
  ///
  /// - Parameters:
  ///   - samples: integers of the encoding's bits; for floating-point numbers integers of 24 bits, full scale being 1.
  ///   - encoding: what a sample is kept as.
  ///   - rate: frames a second.
  ///   - channels: samples a frame.
  ///   - isExtensible: whether the format is given as `WAVE_FORMAT_EXTENSIBLE`.
  ///   - tag: another format tag than the encoding's.
  ///   - length: what the head says of the length of the samples, in bytes; the truth unless it is given.
  /// - Returns: the file.
  package static func wave(
    _ samples: [Int], as encoding: Encoding = .bits16, rate: Int = 44_100, channels: Int = 2,
    isExtensible: Bool = false,
    tag: Int? = nil, length: Int? = nil
  ) -> [UInt8] {
    let size = encoding.bits / 8
    let kind = tag ?? (encoding.isFloat ? 3 : 1)
    var format = little(isExtensible ? 0xFFFE : kind, 2) + little(channels, 2) + little(rate, 4)
    format += little(rate * channels * size, 4) + little(channels * size, 2) + little(encoding.bits, 2)
    if isExtensible {
      format += little(22, 2) + little(encoding.bits, 2) + little(channels == 1 ? 4 : (1 << channels) - 1, 4)
      format += little(kind, 2) + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    let data = samples.flatMap { little(encoded($0, as: encoding), size) }
    let title = Array("Rain".utf8)
    let list = Array("INFOINAM".utf8) + little(4, 4) + title
    let chunks =
      chunk("fmt ", format) + chunk("LIST", list) + Array("data".utf8) + little(length ?? data.count, 4) + data
    return Array("RIFF".utf8) + little(4 + chunks.count, 4) + Array("WAVE".utf8) + chunks
  }

  /// A FLAC file whose samples are kept as they are, in blocks of 4096 frames.
  ///
  /// - Parameters:
  ///   - samples: integers of so many bits.
  ///   - bits: 16 or 24.
  ///   - rate: frames a second.
  ///   - channels: samples a frame.
  ///   - saysLength: whether the head says how long it is.
  ///   - length: what the head says of the number of frames; the truth unless it is given.
  ///   - rateCode: how each block gives its rate: 0 as the head does, 9 is 44.1 kHz, 10 is 48 kHz.
  /// - Returns: the file.
  package static func flac(
    _ samples: [Int], bits: Int = 16, rate: Int = 44_100, channels: Int = 2, saysLength: Bool = true,
    length: Int? = nil, rateCode: UInt8 = 0
  ) -> [UInt8] {
    let frames = samples.count / channels
    let said = saysLength ? length ?? frames : 0
    let head = UInt64(rate) << 44 | UInt64(channels - 1) << 41 | UInt64(bits - 1) << 36 | UInt64(said)
    var bytes = Array("fLaC".utf8) + [0x80, 0, 0, 34] + big(4096, 2) + big(4096, 2) + big(0, 6)
    bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: head >> (8 * UInt64($0))) } + big(0, 16)
    for (number, start) in stride(from: 0, to: frames, by: 4096).enumerated() {
      let block = start..<min(start + 4096, frames)
      var frame: [UInt8] = [0xFF, 0xF8, 0x70 | rateCode, UInt8(channels - 1) << 4]
      frame += Array(String(Unicode.Scalar(UInt32(number)) ?? " ").utf8) + big(block.count - 1, 2)
      frame.append(UInt8(checksum(frame, width: 8, polynomial: 0x07)))
      for channel in 0..<channels {
        frame.append(0x02)
        for place in block { frame += big(samples[place * channels + channel], bits / 8) }
      }
      bytes += frame + big(checksum(frame, width: 16, polynomial: 0x8005), 2)
    }
    return bytes
  }

  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(bytes.count, 4) + bytes
  }

  private static func encoded(_ sample: Int, as encoding: Encoding) -> Int {
    switch encoding {
    case .bits8: sample + 128
    case .float32: Int((Float(sample) / 8_388_608).bitPattern)
    case .float64: Int(truncatingIfNeeded: (Double(sample) / 8_388_608).bitPattern)
    default: sample
    }
  }

  private static func checksum(_ bytes: [UInt8], width: Int, polynomial: Int) -> Int {
    var sum = 0
    for byte in bytes {
      sum ^= Int(byte) << (width - 8)
      for _ in 0..<8 { sum = sum & 1 << (width - 1) != 0 ? sum << 1 ^ polynomial : sum << 1 }
      sum &= 1 << width - 1
    }
    return sum
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> (8 * $0) : 0) }
  }
}
