package import Basics

/// Reads the blocks of a waveform's file, in constant memory.
///
/// A file may end in the middle of a block, or with bytes that were never written, where a crash tore it: what comes before
/// the last whole block counts. A damaged block before that is skipped and counted, and so are bytes that are no block.
package struct WaveformReader: ~Copyable {
  private let file: File
  private let size: Int
  /// Where the next block begins.
  private var position = 0

  /// Where whole blocks end: what follows is torn.
  private(set) var validBytes = 0
  /// How many blocks were skipped because their frames are damaged.
  private(set) var damagedBlocks = 0
  /// How many bytes were skipped because they belong to no block.
  private(set) var foreignBytes = 0
  /// The same since the last whole block: torn, unless another whole block follows.
  private var pending = (blocks: 0, bytes: 0)

  /// A block with its place in the file.
  package struct Entry: Hashable, Sendable {
    /// Where its frames begin, in bytes.
    let offset: Int
    /// Its number, as it was appended.
    let number: Int
    package let block: WaveformBlock
  }

  /// Opens a file.
  ///
  /// - Throws: `FileError`.
  init(_ path: String) throws(FileError) { try self.init(File(path, .read, isRegular: true)) }

  /// Reads an open file from its beginning.
  ///
  /// - Throws: `FileError`.
  package init(_ file: consuming File) throws(FileError) {
    size = try file.size()
    self.file = file
  }

  /// The next whole block; `nil` at the end.
  ///
  /// - Throws: `FileError`.
  package mutating func next() throws(FileError) -> Entry? {
    while position + WaveformBlock.headerSize <= size {
      let bytes = try read(WaveformBlock.headerSize, at: position)
      guard let header = WaveformHeader(bytes) else {
        try skipForeignBytes()
        continue
      }
      let start = position + WaveformBlock.headerSize
      guard start + header.payload <= size else { return nil }
      let frames = try read(header.payload, at: start)
      position = start + header.payload
      guard fnv1a64(frames) == header.digest else {
        pending.blocks += 1
        continue
      }
      validBytes = position
      damagedBlocks += pending.blocks
      foreignBytes += pending.bytes
      pending = (0, 0)
      let values = unsafe frames.withUnsafeBytes { bytes in
        (0..<header.channels * header.frames).map {
          Float(bitPattern: UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
        }
      }
      let block = WaveformBlock(
        time: header.time, arrived: header.arrived, channels: header.channels, values: values)
      return Entry(offset: start, number: header.number, block: block)
    }
    return nil
  }

  private func read(_ count: Int, at position: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try file.read(upTo: count - bytes.count, at: position + bytes.count)
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  /// Goes on to the next place where a block may begin; each byte is read once, whatever it is.
  private mutating func skipForeignBytes() throws(FileError) {
    let start = position
    position += 1
    while position < size {
      let piece = try read(min(1 << 16, size - position), at: position)
      let found = piece.indices.first { place in
        guard piece[place...].starts(with: WaveformBlock.magic) else { return false }
        let end = place + WaveformBlock.headerSize
        // A header that the piece cuts is looked at from its own beginning.
        return end > piece.count || WaveformHeader(piece[place..<end]) != nil
      }
      if let found, found > 0 || piece.count >= WaveformBlock.headerSize {
        position += found
        pending.bytes += position - start
        return
      }
      if piece.isEmpty || position + piece.count >= size { break }
      // The beginning of a magic may be the end of the piece.
      position += piece.count - (WaveformBlock.magic.count - 1)
    }
    pending.bytes += size - start
    position = size
  }
}
