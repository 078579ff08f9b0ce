/// The encodings of Unicode text with two or four bytes per character.
package enum UnicodeForm: String {
  case utf16 = "UTF-16"
  case utf16LittleEndian = "UTF-16LE"
  case utf16BigEndian = "UTF-16BE"
  case utf32 = "UTF-32"
  case utf32LittleEndian = "UTF-32LE"
  case utf32BigEndian = "UTF-32BE"

  /// Recognises the encoding by the byte order mark, or by the zeros in the first characters; `nil` for any other
  /// bytes.
  package init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      self = .utf32
    } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16
    } else {
      // The pattern of four characters, or two, from ASCII.
      let zeros = bytes.prefix(8).map { $0 == 0 }
      switch zeros {
      case [false, true, true, true, false, true, true, true]: self = .utf32LittleEndian
      case [true, true, true, false, true, true, true, false]: self = .utf32BigEndian
      case [false, true, false, true, false, true, false, true]: self = .utf16LittleEndian
      case [true, false, true, false, true, false, true, false]: self = .utf16BigEndian
      default: return nil
      }
    }
  }
}
