package import Basics

/// One file of a bundle, as manifests know it.
struct PayloadDigest: Hashable, Sendable {
  /// The path inside the bundle: `data/heart.json`.
  let path: String
  let bytes: Int
  /// SHA-256 in lower-case hexadecimal digits.
  let sha256: String
}

/// A file of a bundle while it is written, or only counted and digested.
struct PayloadFile: ~Copyable {
  private let path: String
  private let file: File?
  private var buffer: [UInt8] = []
  private var hash = SHA256()
  private var bytes = 0

  /// Makes a file in a bundle's folder; without a folder nothing is written, and the digest is the same.
  init(_ path: String, in folder: String?) throws(FileError) {
    self.path = path
    if let folder {
      file = try File("\(folder)/\(path)", .create, isPrivate: true)
    } else {
      file = nil
    }
  }

  /// Takes the next bytes.
  mutating func write(_ piece: [UInt8]) throws(FileError) {
    buffer += piece
    if buffer.count >= 1 << 16 { try drain() }
  }

  private mutating func drain() throws(FileError) {
    try file?.write(buffer)
    hash.update(buffer)
    bytes += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// Brings the file to the disk.
  mutating func finish() throws(FileError) -> PayloadDigest {
    try drain()
    try file?.synchronize()
    return PayloadDigest(path: path, bytes: bytes, sha256: hash.digest().description)
  }
}

extension File {
  /// The size and SHA-256 of a file, or of its first bytes, read in pieces.
  package static func digest(of path: String, first count: Int = .max) throws(FileError) -> (bytes: Int, sha256: String)
  {
    try File(path, .read, isRegular: true).digest(first: count)
  }

  /// The size and SHA-256 of the rest of the file, or of its next bytes, read in pieces.
  package borrowing func digest(first count: Int = .max) throws(FileError) -> (bytes: Int, sha256: String) {
    var hash = SHA256()
    var bytes = 0
    while bytes < count {
      let piece = try read(upTo: min(count - bytes, 1 << 16))
      if piece.isEmpty { break }
      hash.update(piece)
      bytes += piece.count
    }
    return (bytes, hash.digest().description)
  }
}
