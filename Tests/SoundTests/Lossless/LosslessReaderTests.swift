import Basics
import TestSupport
import Testing

@testable import Sound

@Suite("Reading WAV and FLAC files")
struct LosslessReaderTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Everything that a file decodes to, read in odd pieces, and what `finish` says.
  private func decode(_ path: String, piece: Int = 3001) throws -> ([Float], ClipContents) {
    var reader = try ClipReader(path)
    var samples: [Float] = []
    while try reader.read(upTo: piece, into: &samples) > 0 {}
    return (samples, try reader.finish())
  }

  /// Integers of so many bits, the largest and the smallest among them.
  private func integers(_ count: Int, bits: Int) -> [Int] {
    let most = 1 << (bits - 1)
    let odd = TestSound.noise(seconds: Double(count) / 1000, rate: 1000, channels: 1)
    return [most - 1, -most, 0, 1, -1] + odd.prefix(count - 5).map { Int(Double($0) * Double(most - 1)) }
  }

  private func floats(_ integers: [Int], bits: Int) -> [Float] {
    integers.map { Float(Double($0) / Double(1 << (bits - 1))) }
  }

  @Test(
    "A WAV file decodes to its samples, bit by bit", arguments: LosslessBytes.Encoding.allCases, [false, true])
  func wave(encoding: LosslessBytes.Encoding, isExtensible: Bool) throws {
    let bits = encoding.isFloat ? 24 : encoding.bits
    for channels in [1, 2] {
      let integers = integers(10_002, bits: bits)
      let bytes = LosslessBytes.wave(integers, as: encoding, channels: channels, isExtensible: isExtensible)
      let (samples, contents) = try decode(try scratch.write(bytes, as: "rain.wav"))
      #expect(samples == floats(integers, bits: bits))
      #expect(
        contents
          == ClipContents(
            format: SoundFormat(sampleRate: 44_100, channels: channels), frames: 10_002 / channels, bytes: bytes.count,
            sha256: SHA256.digest(of: bytes).description, title: "Rain", warnings: []))
    }
  }

  @Test(
    "A FLAC file decodes to its samples, bit by bit, whether its head says its length or not",
    arguments: [16, 24], [true, false])
  func flac(bits: Int, saysLength: Bool) throws {
    for channels in [1, 2] {
      let integers = integers(20_000, bits: bits)
      let bytes = LosslessBytes.flac(integers, bits: bits, rate: 96_000, channels: channels, saysLength: saysLength)
      let (samples, contents) = try decode(try scratch.write(bytes, as: "rain.flac"))
      #expect(samples == floats(integers, bits: bits))
      #expect(
        contents
          == ClipContents(
            format: SoundFormat(sampleRate: 96_000, channels: channels), frames: 20_000 / channels, bytes: bytes.count,
            sha256: SHA256.digest(of: bytes).description, title: nil, warnings: []))
    }
  }

  @Test(
    "FLAC as another encoder writes it, with prediction and channels coupled, decodes bit by bit", arguments: [16, 24])
  func foreignEncoder(bits: Int) throws {
    // Made by FFmpeg 5.1 out of a WAV file with these samples.
    let integers = (0..<6001).flatMap { frame in
      (0..<2).map { channel in
        let (slope, noise) = (frame * (3 + channel) % 400 - 200, (frame * frame + 7 * channel) % 61)
        let squared = slope * slope * (channel * 2 - 1) * 3
        let value = (squared < 0 ? (squared - 4) / 5 : squared / 5) + noise * 9 - 4000
        return bits == 16 ? value : value * 181 + (frame * 31 + channel) % 181
      }
    }
    let path = "\(Repository.root)/Tests/SoundTests/Fixtures/ffmpeg-\(bits).flac"
    let (samples, contents) = try decode(path)
    #expect(samples == floats(integers, bits: bits))
    #expect(contents.frames == 6001)
    #expect(contents.warnings == [])
  }

  @Test("Only as much is decoded as is asked, and the whole file is known all the same", arguments: ["wav", "flac"])
  func partial(ending: String) throws {
    let integers = integers(60_000, bits: 16)
    let bytes = ending == "wav" ? LosslessBytes.wave(integers) : LosslessBytes.flac(integers)
    let path = try scratch.write(bytes, as: "rain.\(ending)")
    let (whole, contents) = try decode(path)
    var reader = try ClipReader(path)
    var samples: [Float] = []
    #expect(try reader.read(upTo: 4001, into: &samples) == 4001)
    #expect(samples == Array(whole.prefix(8002)))
    #expect(try reader.finish() == contents)
    #expect(try reader.read(upTo: 10, into: &samples) == 0)
    var unhashed = try ClipReader(path, hashing: false)
    #expect(try unhashed.finish().sha256 == nil)
  }

  @Test("A file that is cut short plays to where it ends, with a warning", arguments: ["wav", "flac"], [0.5, 0.99])
  func truncated(ending: String, share: Double) throws {
    let integers = integers(200_000, bits: 16)
    let bytes = ending == "wav" ? LosslessBytes.wave(integers) : LosslessBytes.flac(integers)
    let kept = Array(bytes.prefix(Int(Double(bytes.count) * share)))
    let (samples, contents) = try decode(try scratch.write(kept, as: "rain.\(ending)"))
    #expect(samples.count == contents.frames * 2)
    #expect(samples == Array(floats(integers, bits: 16).prefix(samples.count)))
    #expect(abs(Double(contents.frames) - 100_000 * share) < 4097)
    #expect(contents.warnings.count == 1)
    // The library knows the same without being asked for a sample.
    var reader = try ClipReader(scratch.path + "/rain.\(ending)")
    #expect(try reader.finish() == contents)
  }

  @Test("A FLAC file with a changed byte plays to there, with a warning", arguments: [true, false])
  func damaged(saysLength: Bool) throws {
    let integers = integers(100_000, bits: 16)
    var bytes = LosslessBytes.flac(integers, saysLength: saysLength)
    bytes[bytes.count / 2] ^= 4
    let (samples, contents) = try decode(try scratch.write(bytes, as: "rain.flac"))
    #expect(samples.count == contents.frames * 2)
    #expect((20_000...25_000).contains(contents.frames))
    #expect(contents.warnings.count == 1)
  }

  @Test(
    "A WAV file that was written to a pipe says no length, and is taken to its end",
    arguments: [0x7FFF_F000, 0xFFFF_FFFF])
  func unknownLength(length: Int) throws {
    let integers = integers(10_000, bits: 16)
    let (samples, contents) = try decode(
      try scratch.write(LosslessBytes.wave(integers, length: length), as: "rain.wav"))
    #expect(samples == floats(integers, bits: 16))
    #expect(contents.warnings == [])
  }

  @Test("Samples that are no numbers are silent, and counted")
  func unreal() throws {
    var bytes = LosslessBytes.wave([1, 2, 3, 4, 5, 6], as: .float32, channels: 1)
    bytes.replaceSubrange(bytes.count - 8..<bytes.count, with: [0, 0, 0xC0, 0x7F, 0, 0, 0x80, 0xFF])
    let (samples, contents) = try decode(try scratch.write(bytes, as: "rain.wav"))
    #expect(samples == [1, 2, 3, 4, 0, 0].map { Float($0) / 8_388_608 })
    #expect(contents.warnings.count == 1)
  }

  @Test(
    "What is not a clip is refused with its reason",
    arguments: [
      ("rain.wav", .channels(6), Content(LosslessBytes.wave([Int](repeating: 1, count: 600), channels: 6))),
      ("rain.flac", .channels(3), Content(LosslessBytes.flac([Int](repeating: 1, count: 600), channels: 3))),
      ("rain.wav", .sampleRate(4000), Content(LosslessBytes.wave([1, 2], rate: 4000))),
      ("rain.wav", .sampleRate(384_000), Content(LosslessBytes.wave([1, 2], rate: 384_000))),
      ("rain.wav", .encoding(.wav), Content(LosslessBytes.wave([1, 2, 3, 4], as: .bits8, tag: 7))),
      ("rain.wav", .noFrames, Content(LosslessBytes.wave([]))),
      ("rain.flac", .bits(12), Content(LosslessBytes.flac([1, 2], bits: 12))),
      ("rain.flac", .bits(20), Content(LosslessBytes.flac([1, 2], bits: 20))),
      ("rain.flac", .bits(32), Content(LosslessBytes.flac([1, 2], bits: 32))),
      ("rain.flac", .noFrames, Content(LosslessBytes.flac([], saysLength: false))),
      ("rain.wav", .noFrames, Content(Array(LosslessBytes.wave([1, 2]).prefix(30)))),
      ("rain.wav", .empty, Content("")),
      ("rain.flac", .empty, Content("")),
      ("rain.wav", .noHead(.wav), Content("no sound at all")),
      ("rain.FLAC", .noHead(.flac), Content([UInt8](repeating: 0, count: 5000))),
      ("rain.wav", .misnamed(.flac), Content(LosslessBytes.flac([1, 2]))),
      ("rain.flac", .misnamed(.wav), Content(LosslessBytes.wave([1, 2]))),
      ("rain.wav", .misnamed(.mp3), Content(FrameBytes.repeated(FrameBytes.silence, 20))),
      ("rain.flac", .foreign("an Ogg file"), Content(Array("OggS".utf8) + FrameBytes.noise(5000, seed: 1))),
      ("rain.wav", .foreign("a RIFF file without WAV sound"), Content("RIFF....AVI LIST")),
    ] as [(String, ClipError.Reason, Content)])
  func refused(name: String, reason: ClipError.Reason, content: Content) throws {
    let path = try scratch.write(content.bytes, as: name)
    #expect(throws: ClipError(path: path, reason: reason)) { try decode(path) }
  }

  @Test("A folder, a missing file and a missing library are reported as what they are")
  func missing() throws {
    try Folder.create(scratch.path + "/rain.wav")
    #expect(throws: ClipError(path: scratch.path + "/rain.wav", reason: .notAFile)) {
      try decode(scratch.path + "/rain.wav")
    }
    #expect(throws: ClipError.self) { try decode(scratch.path + "/none.flac") }
    #expect(throws: ClipError.Reason.libraryMissing("gone")) { try SndfileLibrary.check("gone") }
  }

  @Test("A file whose name says no format is read as what it begins like")
  func unnamed() throws {
    let integers = integers(1000, bits: 16)
    for bytes in [LosslessBytes.wave(integers), LosslessBytes.flac(integers)] {
      #expect(try decode(try scratch.write(bytes, as: "rain")).0 == floats(integers, bits: 16))
    }
  }

  @Test("A file that changes while it is read is refused", arguments: ["wav", "flac"])
  func changes(ending: String) throws {
    let integers = integers(60_000, bits: 16)
    let bytes = ending == "wav" ? LosslessBytes.wave(integers) : LosslessBytes.flac(integers)
    let path = try scratch.write(bytes, as: "rain.\(ending)")
    var reader = try ClipReader(path)
    var samples: [Float] = []
    _ = try reader.read(upTo: 1000, into: &samples)
    try File(path, .append).write([0])
    do {
      _ = try reader.finish()
      Issue.record("it was not refused")
    } catch {
      #expect(error == ClipError(path: path, reason: .changed))
    }
  }

  @Test("No change of a head does more than make a file another clip, or none", arguments: ["wav", "flac"])
  func mutations(ending: String) throws {
    let integers = integers(3000, bits: 16)
    let bytes = ending == "wav" ? LosslessBytes.wave(integers, isExtensible: true) : LosslessBytes.flac(integers)
    var state: UInt64 = 42
    for _ in 0..<600 {
      var mutated = bytes
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        mutated[Int(state >> 33) % 100] = UInt8(truncatingIfNeeded: state >> 25)
      }
      let path = try scratch.write(mutated, as: "rain.\(ending)")
      if let (samples, contents) = try? decode(path) {
        #expect(!samples.contains { !$0.isFinite })
        #expect((1...2).contains(contents.format.channels))
      }
    }
  }
}
