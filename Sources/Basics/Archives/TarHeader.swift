/// Headers of tar archives (POSIX.1-2017, pax), which are the same whenever the same files are archived.
package enum TarHeader: Sendable {
  /// The size of a block, in bytes.
  package static let block = 512

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
