/// What is sent or archived, in pieces, so that large files are not held in memory.
package struct Body: Sendable {
  /// A piece.
  package enum Piece: Sendable {
    case bytes([UInt8])
    /// A regular file inside a folder, of which that many bytes are sent.
    case file(folder: String, path: String, size: Int)

    /// How many bytes it has.
    package var size: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(_, _, let size): size
      }
    }
  }

  /// The pieces in their order.
  let pieces: [Piece]
  /// The media type.
  package let type: String

  package init(pieces: [Piece], type: String) { (self.pieces, self.type) = (pieces, type) }

  package init(_ bytes: [UInt8], type: String) { self.init(pieces: [.bytes(bytes)], type: type) }

  /// How many bytes it has.
  package var size: Int { pieces.reduce(0) { $0 + $1.size } }

  /// The SHA-256 of all bytes.
  ///
  /// - Throws: `FileError` for a file that cannot be read or has another size.
  package func digest() throws(FileError) -> Digest {
    var hash = SHA256()
    var reader = BodyReader(self)
    while true {
      let bytes = try reader.read(upTo: 1 << 16)
      if bytes.isEmpty { return hash.digest() }
      hash.update(bytes)
    }
  }

  /// All bytes.
  ///
  /// - Throws: `FileError` for a file that cannot be read or has another size.
  package func contents() throws(FileError) -> [UInt8] {
    var all: [UInt8] = []
    var reader = BodyReader(self)
    while true {
      let bytes = try reader.read(upTo: 1 << 16)
      if bytes.isEmpty { return all }
      all += bytes
    }
  }
}

/// Reads a body from its beginning to its end.
package struct BodyReader: ~Copyable {
  private let body: Body
  private var index = 0
  private var position = 0
  private var file: File?

  package init(_ body: Body) { self.body = body }

  /// Reads up to `count` bytes; an empty result means the end.
  ///
  /// - Throws: `FileError` for a file that cannot be read, or that is shorter than it was.
  package mutating func read(upTo count: Int) throws(FileError) -> [UInt8] {
    while index < body.pieces.count {
      let piece = body.pieces[index]
      let rest = piece.size - position
      guard rest > 0 else {
        (index, position) = (index + 1, 0)
        file = nil
        continue
      }
      let bytes = try self.bytes(of: piece, min(rest, count))
      position += bytes.count
      return bytes
    }
    return []
  }

  /// Goes back to the beginning.
  package mutating func rewind() {
    (index, position) = (0, 0)
    file = nil
  }

  private mutating func bytes(of piece: Body.Piece, _ count: Int) throws(FileError) -> [UInt8] {
    switch piece {
    case .bytes(let bytes): return Array(bytes[position..<(position + count)])
    case .file(let folder, let path, _):
      if file == nil { file = try File(inside: folder, path) }
      let bytes = try file?.read(upTo: count, at: position) ?? []
      guard !bytes.isEmpty else { throw FileError("read", "\(folder)/\(path)", code: FileError.damaged) }
      return bytes
    }
  }
}
