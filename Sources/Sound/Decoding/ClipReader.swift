import Basics

/// A decoder of a clip's file from its start: 32-bit floating-point samples at the file's own rate and channels.
///
/// The extension determines the format, and the content must match it; a file with any other extension is recognised by
/// its signature. Memory is bounded, whatever the file claims.
package struct ClipReader: ~Copyable, Sendable {
  // Exactly one of them is set.
  private var mpeg: MP3Reader?
  private var lossless: LosslessReader?
  package let format: SoundFormat

  /// An estimate of the number of frames in the file, precise enough for allocating memory.
  let likelyFrames: Int

  /// Opens a file, to be hashed for ``finish()`` or not, and reads it up to its first frame of sound.
  package init(_ path: String, hashing: Bool = true) throws(ClipError) {
    let kind = ClipFormat(named: Folder.name(of: path)) ?? Self.begun(path) ?? .mp3
    if kind == .mp3 {
      let reader = try MP3Reader(path, hashing: hashing)
      (format, likelyFrames) = (reader.format, reader.likelyFrames)
      mpeg = consume reader
      lossless = nil
    } else {
      let reader = try LosslessReader(path, as: kind, hashing: hashing)
      (format, likelyFrames) = (reader.format, reader.likelyFrames)
      mpeg = nil
      lossless = consume reader
    }
  }

  /// The format suggested by a file's first bytes, for a file without a known extension.
  private static func begun(_ path: String) -> ClipFormat? {
    guard Folder.isOrdinaryFile(path), let file = try? File(path, .read), let start = try? file.read(upTo: 16) else {
      return nil
    }
    return ClipFormat(start: start[...])
  }

  /// Decodes up to `frames` more frames and appends their samples, channels interleaved; fewer only at the end of the sound.
  package mutating func read(upTo frames: Int, into samples: inout [Float]) throws(ClipError) -> Int {
    if let count = try mpeg?.read(upTo: frames, into: &samples) { return count }
    return try lossless?.read(upTo: frames, into: &samples) ?? 0
  }

  /// Reads the rest of the file and returns the properties of the whole file; no samples can be read afterwards.
  package mutating func finish() throws(ClipError) -> ClipContents {
    if let contents = try mpeg?.finish() { return contents }
    if let contents = try lossless?.finish() { return contents }
    preconditionFailure("a reader reads one format")
  }
}
