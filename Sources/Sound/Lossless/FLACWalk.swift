/// The stream's properties that a FLAC file begins with: RFC 9639, section 8.2.
struct FLACHead: Hashable, Sendable {
  let rate: Int
  let channels: Int
  let bits: Int
  /// The number of frames; `nil` if it was written before that was known.
  let frames: Int?
  /// The offset of the first block of sound.
  let start: Int
  /// The offset of the number of frames: the lower half of a byte, and four more.
  let count: Int

  /// Reads the properties of a file that begins at `offset`, after a tag; `nil` if it has none.
  init?<Failure: Error>(
    at offset: Int, _ read: (_ count: Int, _ position: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    let bytes = try read(42, offset)
    guard bytes.count == 42, bytes.starts(with: "fLaC".utf8), bytes[4] & 0x7F == 0 else { return nil }
    let info = bytes[8...]
    func number(_ range: Range<Int>) -> Int {
      info.dropFirst(range.lowerBound).prefix(range.count).reduce(0) { $0 << 8 | Int($1) }
    }
    let packed = number(10..<14)
    rate = packed >> 12
    channels = packed >> 9 & 7 + 1
    bits = packed >> 4 & 31 + 1
    let said = (packed & 15) << 32 | number(14..<18)
    frames = said == 0 ? nil : said
    count = offset + 8 + 13
    var place = offset + 4
    for _ in 0..<Self.maxBlocks {
      let head = try read(4, place)
      guard head.count == 4 else { return nil }
      place += 4 + head[1...].reduce(0) { $0 << 8 | Int($1) }
      if head[0] & 0x80 != 0 {
        start = place
        return
      }
    }
    return nil
  }

  private static let maxBlocks = 1000

  static func words(rate: Int, channels: Int, bits: Int) -> String {
    "\(rate) Hz \(channels == 1 ? "mono" : channels == 2 ? "stereo" : "with \(channels) channels") of \(bits) bits"
  }
}

/// The head of a block of sound in a FLAC file: RFC 9639, section 9.1.
struct FLACBlock: Hashable, Sendable {
  let frames: Int
  let rate: Int
  let channels: Int
  let bits: Int

  /// The longest head, in bytes.
  static let maxLength = 16

  private static let rates = [
    0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
  ]
  private static let sizes = [0, 8, 12, 0, 16, 20, 24, 32]

  /// Reads a head at a place; `nil` if there is none, or its checksum is wrong.
  init?(in bytes: borrowing Span<UInt8>, at place: Int, _ head: FLACHead) {
    guard place + 6 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xFE == 0xF8, bytes[place + 3] & 1 == 0
    else {
      return nil
    }
    let (sizeCode, rateCode) = (Int(bytes[place + 2] >> 4), Int(bytes[place + 2] & 15))
    let (channelCode, bitsCode) = (Int(bytes[place + 3] >> 4), Int(bytes[place + 3] >> 1 & 7))
    guard sizeCode != 0, rateCode != 15, channelCode < 11, bitsCode != 3 else { return nil }
    // The block's number, in the form of UTF-8.
    let ones = (~bytes[place + 4]).leadingZeroBitCount
    guard ones != 1, ones < 8 else { return nil }
    var next = place + 4 + max(1, ones)
    func number(_ count: Int) -> Int? {
      guard next + count <= bytes.count else { return nil }
      var value = 0
      for index in next..<next + count { value = value << 8 | Int(bytes[index]) }
      next += count
      return value
    }
    switch sizeCode {
    case 1: frames = 192
    case 2...5: frames = 576 << (sizeCode - 2)
    case 6, 7:
      guard let value = number(sizeCode - 5) else { return nil }
      frames = value + 1
    default: frames = 256 << (sizeCode - 8)
    }
    switch rateCode {
    case 0: rate = head.rate
    case 12, 13, 14:
      guard let value = number(rateCode == 12 ? 1 : 2) else { return nil }
      rate = rateCode == 12 ? value * 1000 : rateCode == 13 ? value : value * 10
    default: rate = Self.rates[rateCode]
    }
    channels = channelCode < 8 ? channelCode + 1 : 2
    bits = bitsCode == 0 ? head.bits : Self.sizes[bitsCode]
    guard next < bytes.count, next - place < Self.maxLength else { return nil }
    var check: UInt8 = 0
    for index in place..<next {
      check ^= bytes[index]
      for _ in 0..<8 { check = check & 0x80 != 0 ? check << 1 ^ 0x07 : check << 1 }
    }
    guard check == bytes[next] else { return nil }
  }
}

/// Finds the blocks of sound of a FLAC file, for what the decoder does not report: a change of their properties, and
/// what follows the last of them.
///
/// A block ends where its checksum is right and the next head, a tag, another file or the file's end follows.
struct FLACWalk: Sendable {
  /// The sound has other properties from a place on.
  struct Change: Hashable, Sendable {
    let block: FLACBlock
    let byte: Int
    /// The number of frames before it.
    let frames: Int
  }

  /// The first block that has not the properties of the file.
  private(set) var change: Change?
  /// The number of bytes after the last block that belong to another file; 0 if there are none, or the walk ended before.
  private(set) var joinedBytes = 0

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index) << 8) { value, _ in value & 0x8000 != 0 ? value << 1 ^ 0x8005 : value << 1 }
  }

  private static let piece = 1 << 18

  /// Walks through a file until its properties change, or a block is damaged.
  init<Failure: Error>(
    _ head: FLACHead, _ read: (_ count: Int, _ position: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    var (window, start, place) = ([UInt8](), head.start, 0)
    var (sum, frames, isBegun) = (UInt16(0), 0, false)
    let table = Self.table
    while true {
      window.removeFirst(place)
      start += place
      place = 0
      let more = try read(Self.piece, start + window.count)
      let isLast = more.isEmpty
      window += more
      let bytes = window.span
      let end = isLast ? bytes.count : max(0, bytes.count - FLACBlock.maxLength)
      while place < end {
        if sum == 0 {
          if bytes[place] == 0xFF, let block = FLACBlock(in: bytes, at: place, head) {
            guard block.rate == head.rate, block.channels == head.channels, block.bits == head.bits else {
              change = Change(block: block, byte: start + place, frames: frames)
              return
            }
            frames += block.frames
            isBegun = true
          } else if isBegun, Self.tags.contains(where: { Self.begins(bytes, place, $0) }) {
            return
          } else if isBegun, Self.begins(bytes, place, Array("fLaC".utf8)) {
            while true {
              let rest = try read(Self.piece, start + place + joinedBytes)
              if rest.isEmpty { return }
              joinedBytes += rest.count
            }
          }
        }
        guard isBegun else { return }
        sum = sum << 8 ^ table[Int(sum >> 8) ^ Int(bytes[place])]
        place += 1
      }
      if isLast { return }
    }
  }

  private static let tags = ["TAG", "APETAGEX", "ID3"].map { Array($0.utf8) }

  private static func begins(_ bytes: borrowing Span<UInt8>, _ place: Int, _ text: [UInt8]) -> Bool {
    guard place + text.count <= bytes.count else { return false }
    for index in text.indices where bytes[place + index] != text[index] { return false }
    return true
  }
}
