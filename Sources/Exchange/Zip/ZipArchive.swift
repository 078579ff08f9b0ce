import Basics

/// The members of a zip archive, as its directory lists them.
struct ZipArchive: ~Copyable {
  /// A member.
  struct Entry: Hashable {
    let name: String
    /// Where its own header begins.
    let offset: Int
    /// Its bytes in the archive, and unpacked.
    let (packed, size): (Int, Int)
    let checksum: UInt32
    /// 0 for bytes as they are, 8 for deflated ones.
    let method: Int
    let isEncrypted: Bool
  }

  /// Why an archive cannot be read.
  struct Problem: Error, Hashable { let reason: String }

  let file: File
  let entries: [Entry]

  // An export with a workout a day for twenty years has seven thousand members of a hundred bytes.
  private static let longestDirectory = 64 << 20
  private static let longestEnd = 22 + 65_535
  private static let damaged = Problem(reason: "the zip archive is damaged or incomplete; copy it again")

  /// Reads the directory at the end of an archive.
  ///
  /// - Throws: ``Problem``, and `FileError`.
  init(_ path: String) throws {
    let file = try File(path, .read)
    let size = try file.size()
    let start = max(0, size - Self.longestEnd)
    let end = ZipBytes(try Self.read(file, start, size - start))
    // The end is searched from behind: it may have a comment.
    guard size >= 22,
      let place = stride(from: end.count - 22, through: 0, by: -1).first(where: { end.number($0, 4) == 0x0605_4B50 })
    else { throw Self.damaged }
    var (length, offset) = (end.number(place + 12, 4), end.number(place + 16, 4))
    if place >= 20, end.number(place - 20, 4) == 0x0706_4B50 {
      let large = ZipBytes(try Self.read(file, end.number(place - 12, 8), 56))
      guard large.count == 56, large.number(0, 4) == 0x0606_4B50 else { throw Self.damaged }
      (length, offset) = (large.number(40, 8), large.number(48, 8))
    }
    guard length >= 0, length <= Self.longestDirectory, offset >= 0, offset <= size - length else { throw Self.damaged }
    entries = try Self.entries(ZipBytes(try Self.read(file, offset, length)))
    self.file = file
  }

  private static func read(_ file: borrowing File, _ position: Int, _ count: Int) throws(FileError) -> [UInt8] {
    guard position >= 0, count > 0 else { return [] }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try file.read(upTo: count - bytes.count, at: position + bytes.count)
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  private static func entries(_ bytes: ZipBytes) throws(Problem) -> [Entry] {
    var entries: [Entry] = []
    var position = 0
    while position + 46 <= bytes.count, bytes.number(position, 4) == 0x0201_4B50 {
      let (length, extra) = (bytes.number(position + 28, 2), bytes.number(position + 30, 2))
      let end = position + 46 + length + extra + bytes.number(position + 32, 2)
      guard end <= bytes.count else { throw damaged }
      var numbers = [24, 20, 42].map { bytes.number(position + $0, 4) }
      bytes.replaceLarge(&numbers, position + 46 + length, extra)
      guard numbers.allSatisfy({ $0 >= 0 }) else { throw damaged }
      entries.append(
        Entry(
          name: bytes.text(position + 46, length), offset: numbers[2], packed: numbers[1], size: numbers[0],
          checksum: UInt32(bytes.number(position + 16, 4)), method: bytes.number(position + 10, 2),
          isEncrypted: bytes.number(position + 8, 2) & 1 == 1))
      position = end
    }
    return entries
  }

  /// Where a member's bytes begin, behind its own header.
  ///
  /// - Throws: ``Problem``, and `FileError`.
  func content(of entry: Entry) throws -> Int {
    let header = ZipBytes(try Self.read(file, entry.offset, 30))
    guard header.count == 30, header.number(0, 4) == 0x0403_4B50 else { throw Self.damaged }
    return entry.offset + 30 + header.number(26, 2) + header.number(28, 2)
  }
}

/// Bytes with numbers whose lowest byte comes first.
private struct ZipBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// A number; one of eight bytes that is too large is negative.
  func number(_ position: Int, _ size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
  }

  func text(_ position: Int, _ length: Int) -> String {
    String(decoding: bytes[position..<(position + length)], as: UTF8.self)
  }

  /// Replaces those of a member's three numbers that do not fit four bytes by what its extra field says.
  func replaceLarge(_ numbers: inout [Int], _ start: Int, _ length: Int) {
    var position = start
    while position + 4 <= start + length {
      let (kind, size) = (number(position, 2), number(position + 2, 2))
      guard position + 4 + size <= start + length else { return }
      if kind == 1 {
        var place = position + 4
        for index in numbers.indices where numbers[index] == 0xFFFF_FFFF && place + 8 <= position + 4 + size {
          numbers[index] = number(place, 8)
          place += 8
        }
      }
      position += 4 + size
    }
  }
}
