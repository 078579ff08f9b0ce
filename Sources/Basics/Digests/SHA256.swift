import CSodium

/// SHA-256 (FIPS 180-4) over data in pieces.
package struct SHA256: Sendable {
  private var state: crypto_hash_sha256_state

  /// Creates an empty digest computation.
  package init() {
    state = crypto_hash_sha256_state()
    unsafe crypto_hash_sha256_init(&state)
  }

  /// Adds the next bytes.
  package mutating func update(_ bytes: [UInt8]) {
    unsafe crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
  }

  /// The digest of all bytes added so far; more may follow.
  package func digest() -> Digest {
    var state = state
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe crypto_hash_sha256_final(&state, &digest)
    return Digest(bytes: digest)
  }

  /// The digest of these bytes.
  package static func digest(of bytes: [UInt8]) -> Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest()
  }
}

/// A SHA-256 digest.
package struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// Its 32 bytes.
  package let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The first sixteen bytes as two big-endian words, sufficient as an identifier.
  package var words: (high: UInt64, low: UInt64) {
    var words: (high: UInt64, low: UInt64) = (0, 0)
    for index in 0..<8 {
      words.high = words.high << 8 | UInt64(bytes[index])
      words.low = words.low << 8 | UInt64(bytes[index + 8])
    }
    return words
  }

  /// 64 lower-case hexadecimal digits.
  package var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
