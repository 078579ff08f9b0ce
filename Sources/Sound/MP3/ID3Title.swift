import CMpg123

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
