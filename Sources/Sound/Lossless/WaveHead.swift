/// The chunks of a WAV file up to its samples: what the decoder does not report of a truncated file.
struct WaveHead: Hashable, Sendable {
  /// Where the samples begin.
  var start: Int
  /// How many bytes of samples the head says; `nil` where it was written before that was known.
  var length: Int?

  /// Finds the samples of a file; `nil` where there is no chunk of samples.
  ///
  /// - Parameter read: gives so many bytes from a position on; fewer where the file ends.
  /// - Throws: what `read` throws.
  init?<Failure: Error>(_ read: (_ count: Int, _ position: Int) throws(Failure) -> [UInt8]) throws(Failure) {
    var place = 12
    var long: Int?
    for _ in 0..<Self.mostChunks {
      let head = try read(8, place)
      guard head.count == 8 else { return nil }
      let size = Self.number(head[4...])
      if head.starts(with: "data".utf8) {
        start = place + 8
        // A program that writes to a pipe puts in the largest number, or nearly half of it.
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

  private static let mostChunks = 1000

  /// Four bytes, the lowest first.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
