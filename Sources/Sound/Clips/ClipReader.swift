import Basics

/// A clip's file being decoded from its start: 32-bit floating-point samples at the file's own rate and channels.
///
/// The name says the format, and the content must be of that format; a file whose name says none is read as what it
/// begins like. Memory is bounded whatever the file says.
package struct ClipReader: ~Copyable, Sendable {
  // Exactly one of them is there.
  private var mpeg: MP3Reader?
  private var lossless: LosslessReader?

  /// The format of the sound.
  package let format: SoundFormat

  /// A guess at the number of frames in the file: good enough to set memory aside.
  package let likelyFrames: Int

  /// Opens a file and reads it up to its first frame of sound.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - hashing: whether ``finish()`` is to say the file's SHA-256.
  /// - Throws: ``ClipError`` for what is no clip.
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

  /// The format that a file's first bytes suggest, where its name has no known ending.
  private static func begun(_ path: String) -> ClipFormat? {
    guard Folder.isOrdinaryFile(path), let file = try? File(path, .read), let start = try? file.read(upTo: 16) else {
      return nil
    }
    return ClipFormat(start: start[...])
  }

  /// Decodes up to `frames` more frames and appends their samples, channels interleaved.
  ///
  /// - Returns: the number of frames appended; fewer than asked only where the sound ends.
  package mutating func read(upTo frames: Int, into samples: inout [Float]) throws(ClipError) -> Int {
    if let count = try mpeg?.read(upTo: frames, into: &samples) { return count }
    return try lossless?.read(upTo: frames, into: &samples) ?? 0
  }

  /// Reads the rest of the file, and says what the whole file is; nothing is decoded for the caller afterwards.
  ///
  /// - Throws: ``ClipError`` when the rest shows that the file is no clip.
  package mutating func finish() throws(ClipError) -> ClipContents {
    if let contents = try mpeg?.finish() { return contents }
    if let contents = try lossless?.finish() { return contents }
    preconditionFailure("a reader reads one format")
  }
}
