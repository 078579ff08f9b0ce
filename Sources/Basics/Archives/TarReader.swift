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
    /// Whether it is a folder.
    package let isFolder: Bool
  }

  /// The longest path, in bytes; no file system takes a longer one.
  private static let maxPathLength = 4096
  /// The largest number of files and folders.
  package static let maxEntries = 1_000_000
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
  /// - Throws: ``TarProblem``, or what the source throws.
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
  /// - Throws: ``TarProblem``, or what the source throws.
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
