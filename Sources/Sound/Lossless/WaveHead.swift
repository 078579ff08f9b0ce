/// The chunks of a WAV file before its samples, for what the decoder does not report about a truncated file.
struct WaveHead: Hashable, Sendable {
  var start: Int
  /// The number of bytes of samples that the header declares; `nil` if it was written before that was known.
  var length: Int?

  /// Finds the samples of a file; `nil` if there is no chunk of samples.
  init?<Failure: Error>(_ read: (_ count: Int, _ position: Int) throws(Failure) -> [UInt8]) throws(Failure) {
    var place = 12
    var long: Int?
    for _ in 0..<Self.maxChunks {
      let head = try read(8, place)
      guard head.count == 8 else { return nil }
      let size = Self.number(head[4...])
      if head.starts(with: "data".utf8) {
        start = place + 8
        // Programs that write to a pipe put the largest number here, or nearly half of it.
        length = size == 0xFFFF_FFFF ? long : size >= 0x7FFF_0000 ? nil : size
        return
      }
      if head.starts(with: "ds64".utf8) {
        let sizes = try read(16, place + 8)
        if sizes.count == 16 { long = Self.number(sizes[8..<12]) | (Self.number(sizes[12...]) & 0x7FFF_FFFF) << 32 }
      }
      place += 8 + size + size % 2
    }
    return nil
  }

  /// Whether nothing but chunks, a tag or zeros follows from a place on in a file of this size.
  static func isEnd<Failure: Error>(
    _ place: Int, _ size: Int, _ read: (_ count: Int, _ position: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Bool {
    var place = place
    for _ in 0..<maxChunks {
      let head = try read(8, place)
      if head.starts(with: "TAG".utf8) || head.starts(with: "ID3".utf8) { return true }
      let length = head.count == 8 ? number(head[4...]) : 0
      // A name has printable letters.
      guard head.count == 8, head.prefix(4).allSatisfy({ 0x20...0x7E ~= $0 }), place + 8 + length <= size else { break }
      place += 8 + length + length % 2
    }
    while place < size {
      let piece = try read(1 << 16, place)
      if piece.isEmpty { break }
      if piece.contains(where: { $0 != 0 }) { return false }
      place += piece.count
    }
    return true
  }

  private static let maxChunks = 1000

  /// Decodes a little-endian number.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
