import Basics

/// The frames of a file that is read once, from its first byte to its last, and hashed on the way.
struct MP3Source: ~Copyable, Sendable {
  /// The file as named by the caller.
  let path: String

  /// The state of the walk; ``MPEGWalk/window`` holds the bytes of the last frame.
  private(set) var walk = MPEGWalk()

  /// The number of bytes read.
  private(set) var bytes = 0

  private let file: File
  private var hash: SHA256?
  private var hasEnded = false

  private static let pieceSize = 1 << 16

  /// Opens a file.
  init(_ path: String, hashing: Bool) throws(ClipError) {
    self.path = path
    if Folder.exists(path), !Folder.isOrdinaryFile(path) { throw ClipError(path: path, reason: .notAFile) }
    hash = hashing ? SHA256() : nil
    do { file = try File(path, .read) } catch { throw ClipError(path: path, reason: .unreadable(error)) }
  }

  /// The file's size, from the system.
  func size() throws(ClipError) -> Int {
    do { return try file.size() } catch { throw ClipError(path: path, reason: .unreadable(error)) }
  }

  /// The next frame and its range in the window; `nil` at the end.
  mutating func next() throws(ClipError) -> (header: MPEGHeader, range: Range<Int>)? {
    while true {
      let piece: MPEGWalk.Piece
      do { piece = try walk.next() } catch { throw ClipError(path: path, reason: error) }
      switch piece {
      case .frame(let header, let range): return (header, range)
      case .needsMore: try readOn()
      case .end: return nil
      }
    }
  }

  /// The SHA-256 of the whole file, which is read to its end; `nil` if it was not requested.
  mutating func digest() throws(ClipError) -> String? {
    guard hash != nil else { return nil }
    while !hasEnded { _ = try readPiece() }
    return hash?.digest().description
  }

  private mutating func readOn() throws(ClipError) {
    let piece = try readPiece()
    if piece.isEmpty { walk.finish() } else { walk.supply(piece) }
  }

  private mutating func readPiece() throws(ClipError) -> [UInt8] {
    let piece: [UInt8]
    do { piece = try file.read(upTo: Self.pieceSize) } catch { throw ClipError(path: path, reason: .unreadable(error)) }
    hash?.update(piece)
    bytes += piece.count
    hasEnded = piece.isEmpty
    return piece
  }
}
