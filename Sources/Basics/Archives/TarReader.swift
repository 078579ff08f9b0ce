/// Reads a tar archive from its beginning to its end, and refuses whatever could be unpacked as something else.
///
/// Only regular files and folders are taken, under names inside the archive, each once, with nothing before, between or
/// after them. A checked archive can be unpacked by any program, which finds the same files with the same bytes.
package struct TarReader: ~Copyable {
  /// A regular file or a folder of an archive.
  package struct Entry: Hashable, Sendable {
    /// Its path in the archive, without a slash at its end.
    package let path: String
    /// The file's size in bytes; 0 for a folder.
    package let size: Int
    package let isFolder: Bool
  }

  /// The longest path, in bytes; no file system takes a longer one.
  private static let maxPathLength = 4096
  /// The largest number of files and folders.
  static let maxEntries = 1_000_000
  /// The largest extended header, in bytes.
  private static let maxHeader = 1 << 20

  private let source: (Int) throws -> [UInt8]
  private var buffer: [UInt8] = []
  private var start = 0
  /// How many bytes were taken.
  private var position = 0
  private var rest = 0
  private var padding = 0
  private var folders: Set<String> = []
  private var files: Set<String> = []

  /// Reads what `source` delivers: up to a number of bytes, none at the end.
  package init(_ source: @escaping (Int) throws -> [UInt8]) { self.source = source }

  /// The next file or folder; `nil` at the end of an archive that is complete.
  ///
  /// - Throws: `TarProblem`, or what the source throws.
  package mutating func next() throws -> Entry? {
    while try !read(upTo: 1 << 16).isEmpty {}
    var path: [UInt8]?
    var size: Int?
    while true {
      let place = position
      let header = try block(at: place)
      if header.allSatisfy({ $0 == 0 }) {
        guard path == nil, size == nil else { throw TarProblem.damagedHeader(place) }
        try finish()
        return nil
      }
      let fields = try TarFields(header, at: place)
      switch fields.kind {
      case "x", "L":
        guard (1...Self.maxHeader).contains(fields.size) else { throw TarProblem.damagedHeader(place) }
        let content = try bytes(fields.size, at: place)
        if fields.kind == "L" {
          guard content.last == 0 else { throw TarProblem.damagedHeader(place) }
          path = Array(content.dropLast())
        } else {
          for (keyword, value) in try TarFields.records(content, at: place) {
            if keyword == "path" { path = value }
            if keyword == "size" { size = try TarFields.decimal(value, at: place) }
            if keyword.hasPrefix("GNU.sparse") || keyword == "linkpath" {
              throw TarProblem.otherKind(place, "sparse file or link")
            }
          }
        }
      case "0", "\u{0}", "5":
        return try entry(fields, path ?? fields.name, size ?? fields.size, at: place)
      default: throw TarProblem.otherKind(place, TarFields.noun(of: fields.kind))
      }
    }
  }

  /// The next bytes of the file that ``next()`` returned last; an empty result means its end.
  ///
  /// - Throws: `TarProblem`, or what the source throws.
  package mutating func read(upTo count: Int) throws -> [UInt8] {
    guard rest > 0 else {
      if padding > 0 {
        let zeros = try exactly(padding)
        padding = 0
        guard zeros.allSatisfy({ $0 == 0 }) else { throw TarProblem.notEmpty(position) }
      }
      return []
    }
    let bytes = try some(min(rest, count))
    rest -= bytes.count
    return bytes
  }

  private mutating func entry(
    _ fields: TarFields, _ name: [UInt8], _ size: Int, at place: Int
  ) throws(TarProblem) -> Entry {
    var name = name[...]
    let isFolder = fields.kind == "5"
    if isFolder, name.last == UInt8(ascii: "/") { name = name.dropLast() }
    guard let path = String(validating: name, as: UTF8.self) else {
      throw .badName(place, "\(String(decoding: name, as: UTF8.self))")
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard name.count <= Self.maxPathLength else { throw .badName(place, String(path.prefix(80)) + "…") }
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !name.contains(0) else {
      throw .badName(place, path)
    }
    guard !isFolder || size == 0 else { throw .damagedHeader(place) }
    guard files.count + folders.count < Self.maxEntries else { throw .tooMany }
    for count in 1..<max(1, parts.count) {
      let above = parts.prefix(count).joined(separator: "/")
      guard !files.contains(above) else { throw .twice(above) }
      folders.insert(above)
    }
    // A folder may be named after a file in it was.
    guard !files.contains(path), isFolder || !folders.contains(path) else { throw .twice(path) }
    if isFolder { folders.insert(path) } else { files.insert(path) }
    (rest, padding) = (size, (TarHeader.block - size % TarHeader.block) % TarHeader.block)
    return Entry(path: path, size: size, isFolder: isFolder)
  }

  /// Two empty blocks end an archive; programs fill the last record with more of them.
  private mutating func finish() throws {
    guard try block(at: position).allSatisfy({ $0 == 0 }) else { throw TarProblem.notEmpty(position) }
    while true {
      let bytes = try some(1 << 16, mayEnd: true)
      if bytes.isEmpty { return }
      guard bytes.allSatisfy({ $0 == 0 }) else { throw TarProblem.notEmpty(position) }
    }
  }

  private mutating func block(at place: Int) throws -> [UInt8] { try exactly(TarHeader.block) }

  /// The content of an extended header.
  private mutating func bytes(_ count: Int, at place: Int) throws -> [UInt8] {
    let content = try exactly(count)
    let zeros = try exactly((TarHeader.block - count % TarHeader.block) % TarHeader.block)
    guard zeros.allSatisfy({ $0 == 0 }) else { throw TarProblem.notEmpty(place) }
    return content
  }

  private mutating func exactly(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += try some(count - bytes.count) }
    return bytes
  }

  private mutating func some(_ count: Int, mayEnd: Bool = false) throws -> [UInt8] {
    if start == buffer.count { (buffer, start) = (try source(1 << 16), 0) }
    guard start < buffer.count else {
      guard mayEnd else { throw TarProblem.truncated(position) }
      return []
    }
    let bytes = Array(buffer[start..<min(buffer.count, start + count)])
    start += bytes.count
    position += bytes.count
    return bytes
  }
}

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
enum TarProblem: Error, Hashable, Sendable, CustomStringConvertible {
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

  var description: String {
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

/// Headers of tar archives (POSIX.1-2017, pax), which are the same whenever the same files are archived.
package enum TarHeader: Sendable {
  /// The size of a block, in bytes.
  static let block = 512

  /// The two empty blocks that end an archive.
  package static let end = [UInt8](repeating: 0, count: 2 * block)

  /// The header of a regular file without owner and time.
  ///
  /// A name that is too long, or not ASCII, and a size beyond 8 GiB are in an extended header before it.
  ///
  /// - Parameters:
  ///   - path: the path in the archive.
  ///   - size: the file's size in bytes.
  /// - Returns: the bytes before the file's own.
  package static func file(_ path: String, size: Int) -> [UInt8] {
    let name = Array(path.utf8)
    var records: [UInt8] = []
    if name.count > 100 || !name.allSatisfy({ (0x20...0x7E).contains($0) }) { records += record("path", name) }
    if size >= 1 << 33 { records += record("size", Array("\(size)".utf8)) }
    let own = header(Array(name.prefix(100)), size: min(size, (1 << 33) - 1), kind: "0")
    guard !records.isEmpty else { return own }
    let extended = header(Array("pax".utf8), size: records.count, kind: "x")
    return extended + records + padding(after: records.count) + own
  }

  /// The zeros that fill the last block of a file.
  package static func padding(after size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: (block - size % block) % block)
  }

  /// A record `LENGTH KEYWORD=VALUE\n`, whose length counts itself.
  private static func record(_ keyword: String, _ value: [UInt8]) -> [UInt8] {
    let rest = Array(" \(keyword)=".utf8) + value + [10]
    var length = rest.count
    while rest.count + "\(length)".utf8.count != length { length = rest.count + "\(length)".utf8.count }
    return Array("\(length)".utf8) + rest
  }

  private static func header(_ name: [UInt8], size: Int, kind: Unicode.Scalar) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: block)
    func put(_ field: [UInt8], at place: Int) { bytes.replaceSubrange(place..<(place + field.count), with: field) }
    func octal(_ value: Int, _ width: Int) -> [UInt8] {
      let digits = String(value, radix: 8)
      return Array((String(repeating: "0", count: width - digits.utf8.count) + digits).utf8)
    }
    put(name, at: 0)
    put(octal(0o644, 7), at: 100)
    put(octal(0, 7), at: 108)
    put(octal(0, 7), at: 116)
    put(octal(size, 11), at: 124)
    put(octal(0, 11), at: 136)
    put(Array("        ".utf8), at: 148)
    put([UInt8(kind.value)], at: 156)
    put(Array("ustar\u{0}00".utf8), at: 257)
    put(octal(bytes.reduce(0) { $0 + Int($1) }, 6) + [0, 0x20], at: 148)
    return bytes
  }
}
