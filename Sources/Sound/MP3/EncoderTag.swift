/// The encoder's tag in a first frame without sound: Xing or Info with LAME's extension, or VBRI.
struct EncoderTag: Hashable, Sendable {
  /// The number of frames that follow, as declared by the encoder; `nil` if it did not know.
  var frames: Int?

  /// The encoder's name as written in the tag: `LAME3.100`.
  var encoder: String?

  /// The number of sound frames that the encoder put before the sound, without the decoder's own delay.
  var delay: Int?

  /// The number of sound frames that the encoder put after the sound, including the decoder's delay.
  var padding: Int?

  /// The delay of a layer III decoder in sound frames: one, and half of its filter bank's 1056 (ISO/IEC 11172-3).
  static let decoderDelay = 529

  /// The number of sound frames to drop at the start.
  var leading: Int { delay.map { $0 + Self.decoderDelay } ?? 0 }

  /// The number of sound frames to drop at the end.
  var trailing: Int { padding.map { max(0, $0 - Self.decoderDelay) } ?? 0 }

  /// Parses the tag in a frame's bytes; `nil` if the frame holds sound.
  init?(header: MPEGHeader, frame: ArraySlice<UInt8>) {
    guard header.layer == 3 else { return nil }
    let bytes = Array(frame)
    let afterSide = MPEGHeader.size + header.sideInformation
    for place in [afterSide, afterSide + 2] where place == afterSide || header.isProtected {
      let name = bytes.dropFirst(place).prefix(4)
      if name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8) {
        readXing(bytes, at: place + 4)
        return
      }
    }
    guard bytes.dropFirst(36).starts(with: "VBRI".utf8) else { return nil }
    frames = Self.count(bytes, at: 36 + 14)
  }

  /// Parses the flags, the fields that they announce, and LAME's extension.
  private mutating func readXing(_ bytes: [UInt8], at start: Int) {
    guard let flags = Self.number(bytes, at: start) else { return }
    var place = start + 4
    if flags & 1 != 0 {
      frames = Self.count(bytes, at: place)
      place += 4
    }
    if flags & 2 != 0 { place += 4 }
    if flags & 4 != 0 { place += 100 }
    if flags & 8 != 0 { place += 4 }
    guard place + 24 <= bytes.count else { return }
    let name = bytes[place..<place + 9].prefix { $0 != 0 }
    guard name.count >= 4, name.prefix(4).allSatisfy({ 0x20 < $0 && $0 < 0x7F }) else { return }
    encoder = String(decoding: name, as: UTF8.self)
    let both = Int(bytes[place + 21]) << 16 | Int(bytes[place + 22]) << 8 | Int(bytes[place + 23])
    // Zeros are valid values: LAME and mpg123 drop the decoder's own delay for them too.
    delay = both >> 12
    padding = both & 0xFFF
  }

  /// A number of frames; 0 stands for an unknown one.
  private static func count(_ bytes: [UInt8], at place: Int) -> Int? {
    number(bytes, at: place).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> Int? {
    guard place + 4 <= bytes.count else { return nil }
    return bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}

extension EncoderTag {
  /// Whether the file has fewer frames than the encoder wrote.
  ///
  /// Encoders without a name may have counted their tag as a frame.
  func isCutShort(found: Int) -> Bool {
    guard let frames else { return false }
    return found < frames - (encoder == nil ? 1 : 0)
  }

  func warnings(found: Int) -> [String] {
    guard let frames else { return [] }
    if isCutShort(found: found) {
      return ["the encoder wrote \(frames) frames and \(found) are there; the end is missing, encode or copy it again"]
    }
    if found > frames {
      return ["the encoder wrote \(frames) frames and \(found) are there; several files seem to be joined"]
    }
    return []
  }
}
