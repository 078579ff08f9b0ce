import CCrypto

/// SHA-256 (FIPS 180-4) over data in pieces, by OpenSSL, which uses the processor's instructions for it where there are any.
package struct SHA256: Sendable {
  private var context = Context()

  package init() {}

  /// Adds the next bytes.
  package mutating func update(_ bytes: [UInt8]) {
    if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
    context.update(bytes)
  }

  /// The digest of all bytes added so far; more may follow.
  package func digest() -> Digest { Context(copying: context).finish() }

  /// The digest of these bytes.
  package static func digest(of bytes: [UInt8]) -> Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest()
  }
}

/// OpenSSL's computation of a digest; changed only while one value has it.
@safe private final class Context: Sendable {
  nonisolated(unsafe) private let hash: OpaquePointer

  init() { unsafe hash = ccrypto_hash_new() }

  init(copying other: Context) { unsafe hash = ccrypto_hash_copy(other.hash) }

  deinit { unsafe ccrypto_hash_free(hash) }

  func update(_ bytes: [UInt8]) { unsafe ccrypto_hash_update(hash, bytes, bytes.count) }

  /// The digest; nothing may follow.
  func finish() -> Digest {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe ccrypto_hash_finish(hash, &digest)
    return Digest(bytes: digest)
  }
}

/// A SHA-256 digest.
package struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// Its 32 bytes.
  package let bytes: [UInt8]

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
  package var description: String { bytes.hexDigits }
}
