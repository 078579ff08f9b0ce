/// A place in the bytes of a NUT file.
struct NutCursor {
  /// Why something cannot be read.
  enum Problem: Error, Hashable {
    /// More bytes are needed.
    case incomplete
    /// No bytes that may follow make it readable.
    case malformed(String)
  }

  private let content: [UInt8]
  private(set) var position: Int

  init(_ content: [UInt8], at position: Int) { (self.content, self.position) = (content, position) }

  func peek() throws(Problem) -> UInt8 {
    guard position < content.count else { throw .incomplete }
    return content[position]
  }

  mutating func byte() throws(Problem) -> UInt8 {
    let byte = try peek()
    position += 1
    return byte
  }

  mutating func bytes(_ count: Int) throws(Problem) -> ArraySlice<UInt8> {
    guard count <= content.count - position else { throw .incomplete }
    defer { position += count }
    return content[position..<position + count]
  }

  /// Eight bytes, the highest first.
  mutating func number64() throws(Problem) -> UInt64 { try bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }

  /// A number in groups of seven bits, the highest first; all but the last have their top bit set.
  mutating func variable() throws(Problem) -> UInt64 {
    var value: UInt64 = 0
    while true {
      let byte = try byte()
      guard value < 1 << 56 else { throw .malformed("a number is too large") }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
  }

  /// A number with a sign, in the order 0, 1, −1, 2, −2.
  mutating func signed() throws(Problem) -> Int64 {
    let value = Int64(try variable()) + 1
    return value & 1 == 1 ? -(value >> 1) : value >> 1
  }
}
