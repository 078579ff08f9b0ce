/// A decoder of an mp3 file from its start: 32-bit floating-point samples at the file's own rate and channels.
///
/// The file is opened once and read once; the decoded bytes are the hashed bytes. Memory is bounded, whatever the file
/// claims, and no more is decoded than requested. Encoder delay and padding (LAME's tag) are removed, so that the sound
/// is that of the file before encoding.
struct MP3Reader: ~Copyable, Sendable {
  let format: SoundFormat

  /// An estimate of the number of frames in the file, from its size and header, precise enough for allocating memory.
  let likelyFrames: Int

  private(set) var mpegFramesDecoded = 0

  private var source: MP3Source
  private var decoder: FrameDecoder
  private let tag: EncoderTag?
  private let soundFrames: Int

  /// The next frame, found but not decoded yet.
  private var pending: Range<Int>?
  /// Decoded samples; those from `delivered` to `decoded`, in frames, are still to be delivered.
  private var block: [Float]
  private var delivered = 0
  private var decoded = 0
  /// Frames to drop at the start, and to hold back until it is known whether they are the end.
  private var leading: Int
  private var heldBack: Int
  private var undecodable = 0
  private var hasEnded = false

  /// The number of MPEG frames decoded at a time.
  private static let batch = 16

  /// Opens a file, which must be MPEG audio, and reads it up to its first frame of sound.
  init(_ path: String, hashing: Bool = true) throws(ClipError) {
    var source = try MP3Source(path, hashing: hashing)
    guard let (header, range) = try source.next() else {
      throw ClipError(path: path, reason: source.walk.findings.refusal ?? .notMPEG)
    }
    let size = try source.size()
    let decoder = try Self.decoder(path, freeLength: source.walk.freeLength)
    tag = EncoderTag(header: header, frame: source.walk.window[range])
    pending = tag == nil ? range : nil
    leading = tag?.leading ?? 0
    heldBack = tag?.trailing ?? 0
    format = SoundFormat(sampleRate: header.sampleRate, channels: header.channels)
    soundFrames = header.soundFrames
    let count = min(size / range.count + 1, tag?.frames ?? .max)
    likelyFrames = count * soundFrames
    let room = (Self.batch + 1) * soundFrames + heldBack
    block = [Float](repeating: 0, count: room * header.channels)
    self.decoder = decoder
    self.source = source
  }

  private static func decoder(_ path: String, freeLength: Int?) throws(ClipError) -> FrameDecoder {
    do { return try FrameDecoder(freeLength: freeLength) } catch { throw ClipError(path: path, reason: error) }
  }

  /// Decodes up to `frames` more frames and appends their samples; fewer only at the end of the sound.
  mutating func read(upTo frames: Int, into samples: inout [Float]) throws(ClipError) -> Int {
    var missing = frames
    while missing > 0 {
      let ready = decoded - delivered - heldBack
      if ready <= 0 {
        if hasEnded { break }
        try decodeBatch()
      } else if leading > 0 {
        let step = min(leading, ready)
        leading -= step
        delivered += step
      } else {
        let step = min(missing, ready)
        samples.append(contentsOf: block[delivered * format.channels..<(delivered + step) * format.channels])
        delivered += step
        missing -= step
      }
    }
    return frames - missing
  }

  /// Reads the rest of the file without decoding it, and returns the properties of the whole file; no samples can be
  /// read afterwards.
  mutating func finish() throws(ClipError) -> ClipContents {
    while try source.next() != nil {}
    hasEnded = true
    decoded = delivered
    let findings = source.walk.findings
    if let refusal = findings.refusal { throw ClipError(path: source.path, reason: refusal) }
    let total = (findings.frames - (tag == nil ? 0 : 1)) * soundFrames
    let trimmed = total - (tag?.leading ?? 0) - (isCutShort ? 0 : tag?.trailing ?? 0)
    guard trimmed > 0 else { throw ClipError(path: source.path, reason: .trimmedAway(frames: total)) }
    var warnings = findings.warnings + (tag?.warnings(found: findings.frames - 1) ?? [])
    if undecodable > 0 { warnings.append("\(undecodable) frames could not be decoded and are silent") }
    return ClipContents(
      format: format, frames: trimmed, bytes: source.bytes, sha256: try source.digest(),
      title: ID3Title.of(findings), warnings: warnings)
  }

  /// The SHA-256 of the whole file, available even after ``read(upTo:into:)`` or ``finish()`` has failed.
  mutating func digest() throws(ClipError) -> String? { try source.digest() }

  /// Whether the file ends before the encoder's sound did, so that its last frames are not padding.
  private var isCutShort: Bool { tag?.isCutShort(found: source.walk.findings.frames - 1) ?? false }

  private mutating func nextFrame() throws(ClipError) -> Range<Int>? {
    if let frame = pending {
      pending = nil
      return frame
    }
    return try source.next()?.range
  }

  private mutating func decodeBatch() throws(ClipError) {
    let channels = format.channels
    let rest = decoded - delivered
    if delivered > 0 {
      for index in 0..<rest * channels { block[index] = block[delivered * channels + index] }
    }
    delivered = 0
    decoded = rest
    for _ in 0..<Self.batch {
      guard let frame = try nextFrame() else {
        hasEnded = true
        if isCutShort { heldBack = 0 }
        return
      }
      let isGood = decoder.decode(
        frame, of: source.walk.window, over: &block, at: decoded * channels, count: soundFrames * channels)
      if !isGood { undecodable += 1 }
      mpegFramesDecoded += 1
      decoded += soundFrames
    }
  }
}
