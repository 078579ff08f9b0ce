import CMpg123

/// A block of metadata that may lie before, between or after MPEG frames.
enum TagBlock: Hashable, Sendable {
  /// ID3 version 2 of any revision, including its footer.
  case id3v2
  /// ID3 version 1, at the end of the file.
  case id3v1
  /// APE, version 2.
  case ape
  /// The footer of an APE tag without a header (version 1, or version 2 by choice), preceded by this many bytes of
  /// items.
  case apeFoot(items: Int)
  /// Lyrics3, whose header contains no length.
  case lyrics

  /// Recognises the block at `offset` in a window of the file; its length, which it claims, may exceed the file.
  static func at(_ offset: Int, in bytes: [UInt8], reachesEnd: Bool) -> (block: TagBlock, length: Int)? {
    guard offset < bytes.count else { return nil }
    switch bytes[offset] {
    case UInt8(ascii: "I"): return id3v2(bytes[offset...]).map { (.id3v2, $0) }
    case UInt8(ascii: "A"): return ape(bytes[offset...])
    case UInt8(ascii: "L"): return lyrics(bytes[offset...]).map { (.lyrics, $0) }
    case UInt8(ascii: "T") where reachesEnd:
      guard bytes[offset...].starts(with: "TAG".utf8) else { return nil }
      let rest = bytes.count - offset
      // The extended tag of 227 bytes precedes the ordinary one.
      if rest == 227 + 128, bytes[offset + 3] == UInt8(ascii: "+") { return (.id3v1, 227) }
      return rest == 128 ? (.id3v1, 128) : nil
    default: return nil
    }
  }

  /// Parses a ten-byte header with a size of four times seven bits, and a ten-byte footer if a flag announces it.
  private static func id3v2(_ bytes: ArraySlice<UInt8>) -> Int? {
    let head = Array(bytes.prefix(10))
    guard head.count == 10, head.starts(with: "ID3".utf8), head[3] < 0xFF, head[4] < 0xFF else { return nil }
    guard head[6...].allSatisfy({ $0 < 0x80 }) else { return nil }
    let size = head[6...].reduce(0) { $0 << 7 | Int($1) }
    return 10 + size + (head[3] >= 4 && head[5] & 0x10 != 0 ? 10 : 0)
  }

  /// Parses a header of 32 bytes, whose size counts what follows it; or a footer, whose size counts itself and what
  /// precedes it.
  private static func ape(_ bytes: ArraySlice<UInt8>) -> (TagBlock, Int)? {
    let head = Array(bytes.prefix(32))
    guard head.count == 32, head.starts(with: "APETAGEX".utf8) else { return nil }
    let size = head[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    // Bit 29 of the flags marks a header. In version 1 all flags are zero.
    return head[23] & 0x20 != 0 ? (.ape, 32 + size) : (.apeFoot(items: max(0, size - 32)), 32)
  }

  /// Finds the length from `LYRICSBEGIN` to `LYRICSEND`, or to a size and `LYRICS200`; searches only the window.
  private static func lyrics(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.starts(with: "LYRICSBEGIN".utf8) else { return nil }
    var place = bytes.startIndex + 11
    while place + 9 <= bytes.endIndex {
      if bytes[place] == UInt8(ascii: "L") {
        let word = bytes[place..<place + 9]
        if word.elementsEqual("LYRICS200".utf8) || word.elementsEqual("LYRICSEND".utf8) {
          return place + 9 - bytes.startIndex
        }
      }
      place += 1
    }
    return nil
  }
}

/// The title in a file's ID3 tags.
enum ID3Title {
  /// The title of the ID3v2 tag, or otherwise that of the ID3v1 tag.
  static func of(_ findings: MPEGFindings) -> String? {
    inSecondVersion(findings.id3v2) ?? inFirstVersion(findings.id3v1)
  }

  /// The title of an ID3v1 tag: thirty bytes of Latin-1.
  static func inFirstVersion(_ tag: [UInt8]) -> String? {
    guard tag.count == 128 else { return nil }
    return cleaned(String(String.UnicodeScalarView(tag[3..<33].prefix { $0 != 0 }.map { Unicode.Scalar($0) })))
  }

  /// The title of an ID3v2 tag, parsed by libmpg123, which supports all versions, encodings and unsynchronisation.
  static func inSecondVersion(_ tag: [UInt8]) -> String? {
    guard !tag.isEmpty, let handle = unsafe mpg123_new(nil, nil) else { return nil }
    defer { unsafe mpg123_delete(handle) }
    guard unsafe cmpg123_set_flags(handle, 0) == MPG123_OK.rawValue,
      unsafe mpg123_open_feed(handle) == MPG123_OK.rawValue
    else { return nil }
    var done = 0
    unsafe _ = mpg123_decode(handle, tag, tag.count, nil, 0, &done)
    var second: UnsafeMutablePointer<mpg123_id3v2>?
    guard unsafe mpg123_id3(handle, nil, &second) == MPG123_OK.rawValue,
      let title = unsafe second?.pointee.title, let text = unsafe title.pointee.p
    else { return nil }
    return cleaned(unsafe String(cString: text))
  }

  /// The text without surrounding blanks; `nil` if nothing is left.
  static func cleaned(_ text: String) -> String? {
    let isBlank: (Character) -> Bool = { $0.isWhitespace || $0 == "\0" }
    var rest = Substring(text).drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest.isEmpty ? nil : String(rest)
  }
}
