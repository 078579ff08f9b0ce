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
  ///
  /// - Parameters:
  ///   - head: the file's properties.
  ///   - read: returns up to the given number of bytes from a position; none at the end of the file.
  /// - Throws: the errors of `read`.
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
