import Basics

/// A decoder of a WAV or FLAC file from its start: 32-bit floating-point samples at the file's own rate and channels.
///
/// Integers of up to 24 bits and 32-bit floating-point numbers are represented exactly, full scale being ±1. The file
/// is opened once; the decoded bytes are the hashed bytes, and a file that changes meanwhile is refused. Memory is
/// bounded, whatever the file claims.
struct LosslessReader: ~Copyable, Sendable {
  /// The format of the sound.
  let format: SoundFormat

  /// The number of frames that the header declares, limited to what the file can hold.
  let likelyFrames: Int

  private let path: String
  private let kind: ClipFormat
  private let hashing: Bool
  private let bytes: FileBytes
  private let stamp: FileStamp
  private let wave: WaveHead?
  private var decoder: SampleDecoder
  private var decoded = 0
  private var isDamaged = false
  private var hasEnded = false
  /// The number of samples that are not numbers, and were replaced by zero.
  private var unreal = 0

  /// The number of frames decoded at a time.
  private static let batch = 1 << 14

  /// Opens a file and reads its header.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - kind: the format that its content must have.
  ///   - hashing: whether ``finish()`` returns the file's SHA-256.
  /// - Throws: ``ClipError``.
  init(_ path: String, as kind: ClipFormat, hashing: Bool) throws(ClipError) {
    if Folder.exists(path), !Folder.isOrdinaryFile(path) { throw ClipError(path: path, reason: .notAFile) }
    let (bytes, stamp) = try Self.open(path)
    let wave = try Self.head(of: bytes, kind, path)
    let decoder = try Self.decoder(bytes, kind, path)
    format = SoundFormat(sampleRate: decoder.facts.sampleRate, channels: decoder.facts.channels)
    // Limited, so that no header can cause an allocation beyond what the file's bytes could fill; FLAC compresses to
    // half or better.
    likelyFrames = min(decoder.facts.frames ?? .max, bytes.size)
    self.bytes = bytes
    self.stamp = stamp
    self.wave = wave
    self.decoder = decoder
    self.path = path
    self.kind = kind
    self.hashing = hashing
  }

  private static func open(_ path: String) throws(ClipError) -> (FileBytes, FileStamp) {
    do throws(FileError) {
      let bytes = try FileBytes(try File(path, .read))
      return (bytes, try bytes.stamp())
    } catch {
      throw ClipError(path: path, reason: .unreadable(error))
    }
  }

  private static func head(of bytes: FileBytes, _ kind: ClipFormat, _ path: String) throws(ClipError) -> WaveHead? {
    do { return try head(of: bytes, kind) } catch { throw ClipError(path: path, reason: error) }
  }

  private static func decoder(_ bytes: FileBytes, _ kind: ClipFormat, _ path: String) throws(ClipError) -> SampleDecoder
  {
    do throws(ClipError.Reason) {
      let decoder = try SampleDecoder(bytes)
      try check(decoder.facts, kind)
      return decoder
    } catch {
      throw ClipError(path: path, reason: error)
    }
  }

  /// Checks that the content matches the format; returns the header of a WAV file.
  private static func head(of bytes: FileBytes, _ kind: ClipFormat) throws(ClipError.Reason) -> WaveHead? {
    do {
      var start = try bytes.bytes(upTo: 512, at: 0)
      if start.isEmpty { throw ClipError.Reason.empty }
      if let tag = TagBlock.at(0, in: start, reachesEnd: false), tag.block == .id3v2 {
        start = try bytes.bytes(upTo: 512, at: tag.length)
      }
      guard ClipFormat(start: start[...]) == kind else {
        if let other = ClipFormat(start: start[...]) { throw ClipError.Reason.misnamed(other) }
        if let name = ForeignFormat.name(of: start[...]) { throw ClipError.Reason.foreign(name) }
        if MPEGHeader(in: start, at: 0) != nil { throw ClipError.Reason.misnamed(.mp3) }
        throw ClipError.Reason.noHead(kind)
      }
      guard kind == .wav else { return nil }
      let head = try WaveHead { (count, position) throws(FileError) in try bytes.bytes(upTo: count, at: position) }
      guard let head, head.start < bytes.size else { throw ClipError.Reason.noFrames }
      return head
    } catch let error as FileError {
      throw .unreadable(error)
    } catch let error as ClipError.Reason {
      throw error
    } catch {
      throw .decoder("\(error)")
    }
  }

  private static func check(_ facts: SampleDecoder.Facts, _ kind: ClipFormat) throws(ClipError.Reason) {
    guard facts.isPlain else { throw .encoding(kind) }
    guard (1...2).contains(facts.channels) else { throw .channels(facts.channels) }
    guard ClipFormat.rates.contains(facts.sampleRate) else { throw .sampleRate(facts.sampleRate) }
    if facts.frames == 0 { throw .noFrames }
  }

  /// Decodes up to `frames` more frames and appends their samples, channels interleaved.
  ///
  /// - Returns: the number of frames appended; fewer than requested only at the end of the sound.
  mutating func read(upTo frames: Int, into samples: inout [Float]) throws(ClipError) -> Int {
    var missing = frames
    while missing > 0, !hasEnded {
      let start = samples.count
      let (count, isDamaged) = try decode(upTo: min(missing, Self.batch), into: &samples)
      missing -= count
      decoded += count
      if decoder.facts.isFloatingPoint {
        for index in start..<samples.count where !samples[index].isFinite {
          samples[index] = 0
          unreal += 1
        }
      }
      if isDamaged { self.isDamaged = true }
      hasEnded = count == 0 || isDamaged
    }
    return frames - missing
  }

  private mutating func decode(
    upTo frames: Int, into samples: inout [Float]
  ) throws(ClipError) -> (Int, isDamaged: Bool) {
    do { return try decoder.read(upTo: frames, into: &samples) } catch { throw ClipError(path: path, reason: error) }
  }

  /// Reads the rest of the file and returns the properties of the whole file.
  ///
  /// The rest of a FLAC file is decoded: only that verifies its checksums and counts its actual frames.
  mutating func finish() throws(ClipError) -> ClipContents {
    if kind == .flac {
      var rest: [Float] = []
      while try read(upTo: Self.batch, into: &rest) > 0 { rest.removeAll(keepingCapacity: true) }
    }
    hasEnded = true
    let frames = kind == .flac ? decoded : decoder.facts.frames ?? decoded
    guard frames > 0 else { throw ClipError(path: path, reason: .noFrames) }
    let sha256 = hashing ? try digest() : nil
    return ClipContents(
      format: format, frames: frames, bytes: bytes.size, sha256: sha256, title: decoder.title,
      warnings: warnings(frames: frames))
  }

  /// The SHA-256 of the whole file, which must not have changed since it was opened.
  private func digest() throws(ClipError) -> String {
    var hash = SHA256()
    var place = 0
    let isSame: Bool
    do throws(FileError) {
      while true {
        let piece = try bytes.bytes(upTo: 1 << 16, at: place)
        if piece.isEmpty { break }
        hash.update(piece)
        place += piece.count
      }
      isSame = try bytes.stamp() == stamp
    } catch {
      throw ClipError(path: path, reason: .unreadable(error))
    }
    guard isSame else { throw ClipError(path: path, reason: .changed) }
    return hash.digest().description
  }

  /// Warnings about the sound.
  private func warnings(frames: Int) -> [String] {
    var warnings: [String] = []
    func seconds(_ frames: Int) -> Double {
      (Double(frames) / Double(format.sampleRate) * 1000).rounded() / 1000
    }
    if let wave, let length = wave.length, wave.start + length > bytes.size {
      let missing = wave.start + length - bytes.size
      warnings.append(
        "the file ends \(missing) bytes before its head says; the end is missing after \(seconds(frames)) s")
    }
    if kind == .flac, let said = decoder.facts.frames, frames < said {
      warnings.append(
        "the file is damaged or cut short at \(seconds(frames)) s of \(seconds(said)) s; the sound is missing from there on"
      )
    } else if isDamaged {
      warnings.append("the file is damaged or cut short at \(seconds(frames)) s; the sound is missing from there on")
    }
    if unreal > 0 { warnings.append("\(unreal) samples are not finite numbers and were left silent") }
    return warnings
  }
}
