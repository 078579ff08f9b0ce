/// What a header block of a tar archive says.
struct TarFields {
  /// The path, or its beginning where an extended header has the whole.
  let name: [UInt8]
  /// The size in bytes.
  let size: Int
  /// The kind of the entry.
  let kind: Unicode.Scalar

  /// Reads a block.
  ///
  /// - Parameters:
  ///   - block: its 512 bytes.
  ///   - place: where it lies, for messages.
  /// - Throws: ``TarProblem``.
  init(_ block: [UInt8], at place: Int) throws(TarProblem) {
    guard block.count == TarHeader.block, block[257..<262].elementsEqual("ustar".utf8) else { throw .notTar(place) }
    let sum = block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 0x20 : Int($1.element)) }
    guard try Self.octal(block[148..<156], at: place) == sum else { throw .damagedHeader(place) }
    kind = Unicode.Scalar(block[156])
    size = try Self.octal(block[124..<136], at: place)
    let name = block[0..<100].prefix { $0 != 0 }
    let prefix = block[345..<500].prefix { $0 != 0 }
    // GNU's headers have times where those of POSIX have the beginning of the path.
    let hasPrefix = block[262] == 0 && !prefix.isEmpty
    self.name = hasPrefix ? Array(prefix) + [UInt8(ascii: "/")] + Array(name) : Array(name)
  }

  /// A number of octal digits, which a space or a zero ends.
  private static func octal(_ field: ArraySlice<UInt8>, at place: Int) throws(TarProblem) -> Int {
    let digits = field.prefix { (48...55).contains($0) }
    guard !digits.isEmpty, field.dropFirst(digits.count).allSatisfy({ $0 == 0 || $0 == 0x20 }) else {
      throw .damagedHeader(place)
    }
    return digits.reduce(0) { $0 << 3 | Int($1 - 48) }
  }

  /// A number of decimal digits.
  static func decimal(_ digits: [UInt8], at place: Int) throws(TarProblem) -> Int {
    guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }),
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { throw .damagedHeader(place) }
    return number
  }

  /// The records `LENGTH KEYWORD=VALUE\n` of an extended header.
  static func records(_ content: [UInt8], at place: Int) throws(TarProblem) -> [(String, [UInt8])] {
    var records: [(String, [UInt8])] = []
    var rest = content[...]
    while !rest.isEmpty {
      let digits = rest.prefix { $0 != 0x20 }
      let length = try decimal(Array(digits.prefix(10)), at: place)
      guard digits.count <= 10, length <= rest.count, length > digits.count + 2 else { throw .damagedHeader(place) }
      let record = rest.prefix(length).dropFirst(digits.count + 1)
      guard record.last == 10, let sign = record.firstIndex(of: UInt8(ascii: "=")) else { throw .damagedHeader(place) }
      let keyword = String(decoding: record[..<sign], as: UTF8.self)
      guard !records.contains(where: { $0.0 == keyword }) else { throw .damagedHeader(place) }
      records.append((keyword, Array(record[(sign + 1)...].dropLast())))
      rest = rest.dropFirst(length)
    }
    return records
  }

  /// What an entry of a kind is.
  static func noun(of kind: Unicode.Scalar) -> String {
    switch kind {
    case "1": "hard link"
    case "2": "symbolic link"
    case "3", "4": "device"
    case "6": "pipe"
    case "S": "sparse file"
    default: "part of the kind “\(kind.isASCII && kind.value >= 0x20 ? String(kind) : "\(kind.value)")”"
    }
  }
}

/// Why an archive is refused, with the place in it in bytes.
package enum TarProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no header of a tar archive.
  case notTar(Int)
  /// A header does not have its checksum, or has values that are not possible.
  case damagedHeader(Int)
  /// The archive ends within a file, or without its end.
  case truncated(Int)
  /// There is something where there should be zeros.
  case notEmpty(Int)
  /// A name leads out of the archive or cannot be a file's.
  case badName(Int, String)
  /// A path is there twice, or as a file and as a folder.
  case twice(String)
  /// An entry is not a file or a folder.
  case otherKind(Int, String)
  /// There are more files than any bundle has.
  case tooMany

  /// What is wrong.
  package var description: String {
    switch self {
    case .notTar(0): "it is not a tar archive"
    case .notTar(let place): "it has no header of a file at byte \(place); the archive is damaged"
    case .damagedHeader(let place): "the header at byte \(place) is damaged"
    case .truncated(let place): "it ends at byte \(place), before the archive does; it was not copied completely"
    case .notEmpty(let place): "it has data before byte \(place) that belong to no file"
    case .badName(let place, let name):
      "the name “\(name.visible)” in the header at byte \(place) is not a path inside the archive"
    case .twice(let path): "“\(path.visible)” is in it twice"
    case .otherKind(let place, let noun):
      "the header at byte \(place) is of a \(noun); a bundle has regular files only"
    case .tooMany: "it has more than \(TarReader.maxEntries) files"
    }
  }
}
