import CCrypto

/// A private key for Ed25519 signatures (RFC 8032), as OpenSSL writes it: PKCS #8 in PEM (RFC 8410).
package struct SigningKey: Sendable {
  private let seed: [UInt8]
  package let publicKey: VerifyingKey

  /// What precedes the 32 bytes of the key.
  private static let head: [UInt8] = [
    0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ]
  private static let label = "PRIVATE KEY"

  package init() {
    // The system's generator is one for secrets.
    self.init(seed: (0..<32).map { _ in UInt8.random(in: .min ... .max) })
  }

  /// The key of a PEM document; `nil` if it holds no such key.
  package init?(pem: String) {
    guard let bytes = PEM.bytes(of: pem, Self.label), bytes.count == 48, bytes.starts(with: Self.head) else {
      return nil
    }
    self.init(seed: Array(bytes.suffix(32)))
  }

  private init(seed: [UInt8]) {
    var point = [UInt8](repeating: 0, count: 32)
    unsafe ccrypto_public_key(seed, &point)
    (self.seed, publicKey) = (seed, VerifyingKey(point: point))
  }

  /// The key as a PEM document; a secret.
  package var pem: String { PEM.text(Self.head + seed, Self.label) }

  /// The signature of a message, 64 bytes.
  package func signature(of message: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: 64)
    unsafe ccrypto_sign(seed, message, message.count, &signature)
    return signature
  }
}

/// A public key for Ed25519 signatures, as OpenSSL writes it: SubjectPublicKeyInfo in PEM (RFC 8410).
package struct VerifyingKey: Hashable, Sendable {
  private let point: [UInt8]

  private static let head: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
  private static let label = "PUBLIC KEY"

  fileprivate init(point: [UInt8]) { self.point = point }

  /// The key of a PEM document; `nil` if it holds no such key.
  package init?(pem: String) {
    guard let bytes = PEM.bytes(of: pem, Self.label), bytes.count == 44, bytes.starts(with: Self.head) else {
      return nil
    }
    point = Array(bytes.suffix(32))
  }

  /// The key as a PEM document.
  package var pem: String { PEM.text(Self.head + point, Self.label) }

  /// What the key is recognised by: the beginning of the SHA-256 of its SubjectPublicKeyInfo.
  package var fingerprint: String { String(SHA256.digest(of: Self.head + point).description.prefix(16)) }

  /// Whether a signature is this key's of a message.
  package func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == 64 else { return false }
    return unsafe ccrypto_accepts(point, message, message.count, signature)
  }
}

/// Documents of base 64 between two lines (RFC 7468).
private enum PEM {
  static func text(_ bytes: [UInt8], _ label: String) -> String {
    // Keys are shorter than a line of 64 characters is.
    "-----BEGIN \(label)-----\n\(bytes.base64)\n-----END \(label)-----\n"
  }

  static func bytes(of text: String, _ label: String) -> [UInt8]? {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimming() }
    guard let first = lines.firstIndex(of: "-----BEGIN \(label)-----"),
      let last = lines.firstIndex(of: "-----END \(label)-----"), first < last
    else { return nil }
    return [UInt8](base64: lines[(first + 1)..<last].joined())
  }
}

extension Substring {
  fileprivate func trimming() -> String {
    let text = drop { $0 == " " }
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}

extension [UInt8] {
  /// The bytes in base 64 (RFC 4648, 4), with padding.
  package var base64: String {
    // OpenSSL ends the text with a zero.
    var text = [UInt8](repeating: 0, count: (count + 2) / 3 * 4 + 1)
    let length = unsafe ccrypto_encode(&text, self, Int32(count))
    return String(decoding: text.prefix(Int(length)), as: UTF8.self)
  }

  /// The bytes that a text in base 64 stands for; `nil` for any other text.
  init?(base64 text: String) {
    let padding = text.utf8.suffix(2).count { $0 == UInt8(ascii: "=") }
    var bytes = [UInt8](repeating: 0, count: (text.utf8.count + 3) / 4 * 3)
    let length = unsafe ccrypto_decode(&bytes, text, Int32(text.utf8.count))
    guard length >= padding else { return nil }
    self = Array(bytes.prefix(Int(length) - padding))
    // The library also takes spaces and bits that are not zero.
    guard base64 == text else { return nil }
  }
}
