/// MPEG frames and tags assembled byte by byte.
enum FrameBytes {
  /// MPEG 1 layer III, 128 kbit/s, 44.1 kHz, stereo: 417 bytes of digital silence.
  static let silence = frame([0xFF, 0xFB, 0x90, 0x00], length: 417)

  /// The same at 48 kHz: 384 bytes.
  static let silenceAt48 = frame([0xFF, 0xFB, 0x94, 0x00], length: 384)

  /// The same in mono at 44.1 kHz: 417 bytes.
  static let monoSilence = frame([0xFF, 0xFB, 0x90, 0xC0], length: 417)

  static func frame(_ header: [UInt8], length: Int) -> [UInt8] {
    header + [UInt8](repeating: 0, count: length - header.count)
  }

  static func repeated(_ frame: [UInt8], _ count: Int) -> [UInt8] {
    Array(repeatElement(frame, count: count).joined())
  }

  /// A first frame with LAME's tag.
  static func info(frames: Int?, delay: Int, padding: Int, encoder: String = "LAME3.100") -> [UInt8] {
    var bytes = silence
    func put(_ values: [UInt8], at place: Int) { bytes.replaceSubrange(place..<place + values.count, with: values) }
    put(Array("Info".utf8), at: 36)
    var place = 44
    if let frames {
      put([0, 0, 0, 1] + big(frames), at: 40)
      place += 4
    }
    put(Array(encoder.utf8), at: place)
    put([UInt8(delay >> 4), UInt8(delay & 15) << 4 | UInt8(padding >> 8), UInt8(padding & 255)], at: place + 21)
    return bytes
  }

  /// An ID3v2 tag of any contents; `claiming` writes another size than is there.
  static func id3v2(
    _ content: [UInt8], edition: UInt8 = 4, flags: UInt8 = 0, claiming: Int? = nil
  ) -> [UInt8] {
    let size = claiming ?? content.count
    let sizes = [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
    let head = Array("ID3".utf8) + [edition, 0, flags] + sizes
    let foot = flags & 0x10 != 0 ? Array("3DI".utf8) + [edition, 0, flags] + sizes : []
    return head + content + foot
  }

  /// A text frame of ID3v2.4.
  static func text(_ identifier: String, _ text: String) -> [UInt8] {
    let body = [3] + Array(text.utf8)
    return Array(identifier.utf8) + [0, 0, 0, UInt8(body.count), 0, 0] + body
  }

  static func id3v1(title: String) -> [UInt8] {
    let start = Array("TAG".utf8) + Array(title.utf8)
    return start + [UInt8](repeating: 0, count: 128 - start.count)
  }

  static func ape(_ content: [UInt8]) -> [UInt8] {
    let sizes = little(content.count + 32)
    let rest: [UInt8] = [0, 0, 0, 0]
    let reserved = [UInt8](repeating: 0, count: 8)
    let name = Array("APETAGEX".utf8) + little(2000)
    return name + sizes + rest + [0, 0, 0, 0xA0] + reserved + content + name + sizes + rest + [0, 0, 0, 0x80] + reserved
  }

  /// A tag without a head: of version 1, or of version 2 where it says so.
  static func apeWithoutHead(_ content: [UInt8], version: Int) -> [UInt8] {
    // Bit 30 of the flags: there is a foot; bit 31: there is a head.
    content + Array("APETAGEX".utf8) + little(version) + little(content.count + 32) + little(1)
      + [UInt8](repeating: 0, count: 12)
  }

  static func lyrics(_ words: String) -> [UInt8] { Array("LYRICSBEGIN\(words)000123LYRICS200".utf8) }

  /// Bytes without meaning, the same for the same seed.
  static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var state = seed &* 2 &+ 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  private static func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
  private static func little(_ value: Int) -> [UInt8] { [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) } }
}
