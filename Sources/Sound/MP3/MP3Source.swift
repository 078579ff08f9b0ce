import Basics
import CMpg123

/// The frames of a file that is read once, from its first byte to its last, and hashed on the way.
struct MP3Source: ~Copyable, Sendable {
  let path: String

  /// The state of the walk; ``MPEGWalk/window`` holds the bytes of the last frame.
  private(set) var walk = MPEGWalk()

  private(set) var bytes = 0

  private let file: File
  private var hash: SHA256?
  private var hasEnded = false

  private static let pieceSize = 1 << 16

  init(_ path: String, hashing: Bool) throws(ClipError) {
    self.path = path
    if Folder.exists(path), !Folder.isOrdinaryFile(path) { throw ClipError(path: path, reason: .notAFile) }
    hash = hashing ? SHA256() : nil
    do { file = try File(path, .read) } catch { throw ClipError(path: path, reason: .unreadable(error)) }
  }

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

/// A libmpg123 decoder that is given one frame at a time.
///
/// It never searches for frames, skips an encoder's tag, or trims: testable code outside makes these decisions.
@safe
struct FrameDecoder: ~Copyable, Sendable {
  // Only the unique owner calls it: it can be sent, but not shared.
  nonisolated(unsafe) private let handle: OpaquePointer

  /// Creates a decoder; `freeLength` is the unpadded frame length of a free-format stream.
  init(freeLength: Int?) throws(ClipError.Reason) {
    var code = MPG123_OK.rawValue
    guard let handle = unsafe mpg123_new(nil, &code) else { throw .decoder(Self.text(of: code)) }
    code = unsafe cmpg123_set_flags(handle, freeLength.map { $0 - MPEGHeader.size } ?? 0)
    if code == MPG123_OK.rawValue { code = unsafe mpg123_open_feed(handle) }
    guard code == MPG123_OK.rawValue else {
      unsafe mpg123_delete(handle)
      throw .decoder(Self.text(of: code))
    }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe mpg123_delete(handle) }

  /// Decodes one frame into the `count` samples from `place` on; `false` if it cannot be decoded, and its samples are zero.
  mutating func decode(
    _ frame: Range<Int>, of bytes: [UInt8], over samples: inout [Float], at place: Int, count: Int
  ) -> Bool {
    precondition(place + count <= samples.count && frame.upperBound <= bytes.count, "a frame fits where it belongs")
    var done = 0
    var result: Int32 = 0
    unsafe bytes.withUnsafeBufferPointer { input in
      unsafe samples.withUnsafeMutableBytes { output in
        guard let source = input.baseAddress, let start = output.baseAddress else { return }
        let target = unsafe start + place * 4
        unsafe result = mpg123_decode(handle, source + frame.lowerBound, frame.count, target, count * 4, &done)
        // The first call only announces the format; the second returns the sound.
        if result == MPG123_NEW_FORMAT.rawValue {
          unsafe result = mpg123_decode(handle, nil, 0, target, count * 4, &done)
        }
      }
    }
    guard done == count * 4 else {
      for index in place + done / 4..<place + count { samples[index] = 0 }
      return false
    }
    return true
  }

  private static func text(of code: Int32) -> String { unsafe String(cString: mpg123_plain_strerror(code)) }
}
