/// The byte order mark of UTF-8, which spreadsheets write at the beginning of a file.
package enum ByteOrderMark: Sendable {
  static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension Collection<UInt8> {
  /// The text after its byte order mark; all of it if there is none.
  package var afterByteOrderMark: SubSequence {
    starts(with: ByteOrderMark.bytes) ? dropFirst(ByteOrderMark.bytes.count) : self[...]
  }
}

extension Span<UInt8> {
  /// How many bytes of its beginning are a byte order mark: three or none.
  package var byteOrderMarkLength: Int {
    let length = ByteOrderMark.bytes.count
    return count >= length && (0..<length).allSatisfy { self[$0] == ByteOrderMark.bytes[$0] } ? length : 0
  }
}
