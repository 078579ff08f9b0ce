import CCrypto

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
