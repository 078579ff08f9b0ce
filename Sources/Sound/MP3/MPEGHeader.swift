/// The four-byte header of an MPEG audio frame (ISO/IEC 11172-3, 13818-3, and the unofficial MPEG 2.5).
struct MPEGHeader: Hashable, Sendable {
  /// The versions; 2.5 halves the sample rates of 2.
  enum Version: Sendable { case mpeg1, mpeg2, mpeg25 }

  static let size = 4
  let version: Version
  /// 1, 2 or 3.
  let layer: Int
  let sampleRate: Int
  /// 1 or 2.
  let channels: Int
  /// Bits per second; `nil` for free format, where only the distance to the next header gives the length.
  let bitrate: Int?
  /// Whether the frame has one slot more than an unpadded one.
  let isPadded: Bool
  /// Whether a two-byte checksum follows the header.
  let isProtected: Bool

  /// The properties that all frames of one stream share.
  struct Stream: Hashable, Sendable {
    let version: Version
    let layer: Int
    let sampleRate: Int
    let channels: Int
    let isFreeFormat: Bool
  }

  /// Parses a header from these four bytes; `nil` if they are not one.
  ///
  /// Any emphasis is accepted, including the reserved value: decoders ignore it, and an ISO conformance stream has it.
  init?(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
    guard first == 0xFF, second & 0xE0 == 0xE0 else { return nil }
    switch second >> 3 & 3 {
    case 0: version = .mpeg25
    case 2: version = .mpeg2
    case 3: version = .mpeg1
    default: return nil
    }
    layer = 4 - Int(second >> 1 & 3)
    let rateIndex = Int(third >> 2 & 3)
    let bitrateIndex = Int(third >> 4)
    guard layer < 4, rateIndex < 3, bitrateIndex < 15 else { return nil }
    let base = [44_100, 48_000, 32_000][rateIndex]
    sampleRate = version == .mpeg1 ? base : version == .mpeg2 ? base / 2 : base / 4
    channels = fourth >> 6 == 3 ? 1 : 2
    bitrate = bitrateIndex == 0 ? nil : Self.kilobits(version, layer)[bitrateIndex - 1] * 1000
    isPadded = third & 2 != 0
    isProtected = second & 1 == 0
  }

  /// Parses the header at `offset`; `nil` if there is none, or if the bytes end.
  init?(in bytes: [UInt8], at offset: Int) {
    guard offset >= 0, offset + Self.size <= bytes.count, bytes[offset] == 0xFF else { return nil }
    self.init(bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3])
  }

  var stream: Stream {
    Stream(
      version: version, layer: layer, sampleRate: sampleRate, channels: channels, isFreeFormat: bitrate == nil)
  }

  /// The number of sound frames that one MPEG frame decodes to.
  var soundFrames: Int {
    switch layer {
    case 1: 384
    case 2: 1152
    default: version == .mpeg1 ? 1152 : 576
    }
  }

  /// The number of bytes of one slot, the unit of padding.
  var slot: Int { layer == 1 ? 4 : 1 }

  /// The length of the frame in bytes, header and checksum included; `nil` for free format.
  var length: Int? {
    guard let bitrate else { return nil }
    return (soundFrames / 8 / slot * bitrate / sampleRate + (isPadded ? 1 : 0)) * slot
  }

  /// The length, derived from an unpadded frame's length for a free-format stream, which keeps it throughout.
  func length(unpadded: Int?) -> Int? {
    length ?? unpadded.map { $0 + (isPadded ? slot : 0) }
  }

  /// The number of bytes of a layer III frame between its header and its main data, without the checksum.
  var sideInformation: Int {
    version == .mpeg1 ? (channels == 1 ? 17 : 32) : (channels == 1 ? 9 : 17)
  }

  private static func kilobits(_ version: Version, _ layer: Int) -> [Int] {
    switch (version, layer) {
    case (.mpeg1, 1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    case (.mpeg1, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (.mpeg1, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (_, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }
}

extension MPEGHeader.Stream: CustomStringConvertible {
  /// A description for messages: `MPEG 1 layer III, 44100 Hz, stereo`.
  var description: String {
    let edition = version == .mpeg1 ? "1" : version == .mpeg2 ? "2" : "2.5"
    let numeral = String(repeating: "I", count: layer)
    return "MPEG \(edition) layer \(numeral), \(sampleRate) Hz, \(channels == 1 ? "mono" : "stereo")"
  }
}
