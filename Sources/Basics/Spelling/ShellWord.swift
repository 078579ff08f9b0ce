extension String {
  /// The text as one word of a POSIX shell, quoted if necessary.
  package var shellQuoted: String {
    let isPlain = utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/._-+:=,".utf8.contains(byte)
    }
    return isPlain && !isEmpty ? self : singleQuoted
  }

  /// The text between single quotes, as one word of a POSIX shell.
  package var singleQuoted: String {
    // By scalar: an apostrophe followed by a combining mark is still an apostrophe to a shell.
    unicodeScalars.reduce(into: "'") { text, scalar in
      if scalar == "'" { text += "'\\''" } else { text.unicodeScalars.append(scalar) }
    } + "'"
  }
}
