import Basics

/// A decoder of a WAV or FLAC file from its start: 32-bit floating-point samples at the file's own rate and channels.
///
/// Integers of up to 24 bits and 32-bit floating-point numbers are represented exactly, full scale being ±1. The file
/// is opened once; the decoded bytes are the hashed bytes, and a file that changes meanwhile is refused. Memory is
/// bounded, whatever the file claims.
struct LosslessReader: ~Copyable, Sendable {
  let format: SoundFormat

  /// The number of frames that the header declares, limited to what the file can hold.
  let likelyFrames: Int

  private let path: String
  private let kind: ClipFormat
  private let hashing: Bool
  private let bytes: VirtualFile
  private let stamp: FileStamp
  private let head: Head
  private var decoder: SampleDecoder
  private var decoded = 0
  private var isDamaged = false
  private var hasEnded = false
  /// The number of samples that are not numbers, and were replaced by zero.
  private var unreal = 0

  /// What a file says of itself.
  private enum Head: Sendable {
    case wav(WaveHead)
    /// `nil` where only the decoder knows.
    case flac(FLACHead?)

    /// The number of frames that the decoder is not told, so that it decodes all that are there.
    var frames: Int? { if case .flac(let head) = self { head?.frames } else { nil } }
  }

  /// The number of frames decoded at a time.
  private static let batch = 1 << 14

  /// Opens a file, whose content must have this format, and reads its header.
  init(_ path: String, as kind: ClipFormat, hashing: Bool) throws(ClipError) {
    if Folder.exists(path), !Folder.isOrdinaryFile(path) { throw ClipError(path: path, reason: .notAFile) }
    let (bytes, stamp) = try Self.open(path)
    let head = try Self.head(of: bytes, kind, path)
    let decoder = try Self.decoder(bytes, kind, head, path)
    format = SoundFormat(sampleRate: decoder.facts.sampleRate, channels: decoder.facts.channels)
    // Limited, so that no header can cause an allocation beyond what the file's bytes could fill; FLAC compresses to
    // half or better.
    likelyFrames = min(head.frames ?? decoder.facts.frames ?? .max, bytes.size)
    self.bytes = bytes
    self.stamp = stamp
    self.head = head
    self.decoder = decoder
    self.path = path
    self.kind = kind
    self.hashing = hashing
  }

  private static func open(_ path: String) throws(ClipError) -> (VirtualFile, FileStamp) {
    do throws(FileError) {
      let bytes = try VirtualFile(try File(path, .read))
      return (bytes, try bytes.stamp())
    } catch {
      throw ClipError(path: path, reason: .unreadable(error))
    }
  }

  private static func head(of bytes: VirtualFile, _ kind: ClipFormat, _ path: String) throws(ClipError) -> Head {
    do { return try head(of: bytes, kind) } catch { throw ClipError(path: path, reason: error) }
  }

  private static func decoder(
    _ bytes: VirtualFile, _ kind: ClipFormat, _ head: Head, _ path: String
  ) throws(ClipError) -> SampleDecoder {
    do throws(ClipError.Reason) {
      let decoder = try SampleDecoder(bytes)
      try check(decoder.facts, kind)
      return decoder
    } catch {
      if case .decoder = error, case .flac(let head?) = head, ![8, 16, 24].contains(head.bits) {
        throw ClipError(path: path, reason: .bits(head.bits))
      }
      throw ClipError(path: path, reason: error)
    }
  }

  /// Checks that the content matches the format; returns what the file says of itself.
  ///
  /// A wrong number of frames is kept from the decoder, so that it decodes all that are there.
  private static func head(of bytes: VirtualFile, _ kind: ClipFormat) throws(ClipError.Reason) -> Head {
    func read(_ count: Int, _ position: Int) throws(FileError) -> [UInt8] {
      try bytes.bytes(upTo: count, at: position)
    }
    do {
      var (start, offset) = (try read(512, 0), 0)
      if start.isEmpty { throw ClipError.Reason.empty }
      if let tag = TagBlock.at(0, in: start, reachesEnd: false), tag.block == .id3v2 {
        (start, offset) = (try read(512, tag.length), tag.length)
      }
      guard ClipFormat(start: start[...]) == kind else {
        if let other = ClipFormat(start: start[...]) { throw ClipError.Reason.misnamed(other) }
        if let name = ForeignFormat.name(of: start[...]) { throw ClipError.Reason.foreign(name) }
        if MPEGHeader(in: start, at: 0) != nil { throw ClipError.Reason.misnamed(.mp3) }
        throw ClipError.Reason.noHead(kind)
      }
      guard kind == .wav else {
        let head = try FLACHead(at: offset, read)
        if let head {
          let first = try read(1, head.count).first ?? 0
          bytes.replace(at: head.count, with: [first & 0xF0, 0, 0, 0, 0])
        }
        return .flac(head)
      }
      guard let head = try WaveHead(read), head.start < bytes.size else { throw ClipError.Reason.noFrames }
      let rest = bytes.size - head.start
      if head.length == 0, try !WaveHead.isEnd(head.start, bytes.size, read) {
        let size = UInt32(clamping: rest)
        bytes.replace(at: head.start - 4, with: (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) })
      }
      return .wav(head)
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

  /// Decodes up to `frames` more frames and appends their samples; fewer only at the end of the sound.
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
    let walk = try walk()
    let frames = kind == .flac ? decoded : decoder.facts.frames ?? decoded
    guard frames > 0 else { throw ClipError(path: path, reason: .noFrames) }
    let sha256 = hashing ? try digest() : nil
    return ClipContents(
      format: format, frames: frames, bytes: bytes.size, sha256: sha256, title: decoder.title,
      warnings: try warnings(frames: frames, walk))
  }

  /// The walk through a FLAC file, whose properties must not change.
  private func walk() throws(ClipError) -> FLACWalk? {
    guard case .flac(let head?) = head else { return nil }
    let walk: FLACWalk
    do throws(FileError) {
      walk = try FLACWalk(head) { (count, position) throws(FileError) in try bytes.bytes(upTo: count, at: position) }
    } catch {
      throw ClipError(path: path, reason: .unreadable(error))
    }
    guard let change = walk.change else { return walk }
    let (from, to) = (
      FLACHead.words(rate: head.rate, channels: head.channels, bits: head.bits),
      FLACHead.words(rate: change.block.rate, channels: change.block.channels, bits: change.block.bits)
    )
    let seconds = Double(change.frames) / Double(max(1, head.rate))
    throw ClipError(path: path, reason: .changes(from: from, to: to, byte: change.byte, seconds: seconds))
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

  /// Whether nothing follows the sound of a WAV file from a place on but chunks.
  private func isEnd(of wave: WaveHead, _ end: Int) throws(ClipError) -> Bool {
    do throws(FileError) {
      return try WaveHead.isEnd(end, bytes.size) { (count, position) throws(FileError) in
        try bytes.bytes(upTo: count, at: position)
      }
    } catch {
      throw ClipError(path: path, reason: .unreadable(error))
    }
  }

  private func warnings(frames: Int, _ walk: FLACWalk?) throws(ClipError) -> [String] {
    var warnings: [String] = []
    func seconds(_ frames: Int) -> Double {
      (Double(frames) / Double(format.sampleRate) * 1000).rounded() / 1000
    }
    if case .wav(let wave) = head, let length = wave.length {
      let end = wave.start + length + length % 2
      if wave.start + length > bytes.size {
        let missing = wave.start + length - bytes.size
        warnings.append(
          "the file ends \(missing) bytes before its head says; the end is missing after \(seconds(frames)) s")
      } else if try !isEnd(of: wave, end) {
        warnings.append(
          length == 0
            ? "its head says that there is no sound, and \(bytes.size - end) bytes follow; they are played to the end"
            : "its head says that the sound ends at \(seconds(frames)) s, and \(bytes.size - end) bytes follow that are not "
              + "played; if they are sound, export it again")
      }
    }
    let said = head.frames ?? frames
    if let walk, walk.joinedBytes > 0 {
      warnings.append(
        "another file of \(walk.joinedBytes) bytes follows its sound\(frames > said ? "" : " and is not played"); several "
          + "files seem to be joined, encode them as one")
    } else if frames > said {
      warnings.append("its head says \(seconds(said)) s of sound, and \(seconds(frames)) s are there; all are played")
    } else if frames < said {
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
