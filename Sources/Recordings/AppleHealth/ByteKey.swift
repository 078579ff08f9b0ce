import Glibc

/// Texts one after another, quick to hash and to compare.
@safe
struct ByteKey: Hashable {
  private var bytes: [UInt8] = []

  // Bytes that are in no text of an XML file.
  private static let text: UInt8 = 0
  private static let nothing: UInt8 = 1

  /// How many bytes it takes.
  var count: Int { bytes.count }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Takes a text, or that there is none.
  mutating func append(_ text: UnsafePointer<CChar>?) {
    guard let text = unsafe text else { return bytes.append(Self.nothing) }
    bytes.append(Self.text)
    unsafe bytes.append(contentsOf: text.bytes)
  }

  /// The texts taken.
  var texts: [String?] {
    var texts: [[UInt8]?] = []
    for byte in bytes {
      switch byte {
      case Self.text: texts.append([])
      case Self.nothing: texts.append(nil)
      default: texts[texts.count - 1]?.append(byte)
      }
    }
    return texts.map { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  static func == (left: ByteKey, right: ByteKey) -> Bool {
    let count = left.bytes.count
    guard count == right.bytes.count else { return false }
    return unsafe left.bytes.withUnsafeBytes { left in
      unsafe right.bytes.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return unsafe memcmp(left, right, count) == 0
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}
