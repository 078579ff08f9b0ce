import Basics
import Foundation
import TestSupport
import Testing

@testable import Sound

@Suite("Reading mp3 files")
struct MP3ReaderTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Everything that a file decodes to, read in odd pieces, and what `finish` says.
  private func decode(_ path: String, piece: Int = 3001) throws -> ([Float], ClipContents) {
    var reader = try MP3Reader(path)
    var samples: [Float] = []
    while try reader.read(upTo: piece, into: &samples) > 0 {}
    return (samples, try reader.finish())
  }

  struct Setting: Sendable, CustomTestStringConvertible {
    let rate: Int
    let channels: Int
    let arguments: [String]
    var testDescription: String { "\(rate) Hz, \(channels) channels, \(arguments.joined(separator: " "))" }
  }

  static let settings = [
    Setting(rate: 44_100, channels: 2, arguments: ["-b", "160"]),
    Setting(rate: 44_100, channels: 2, arguments: ["-b", "320"]),
    Setting(rate: 44_100, channels: 2, arguments: ["-V", "0"]),
    Setting(rate: 44_100, channels: 2, arguments: ["-V", "6"]),
    Setting(rate: 44_100, channels: 2, arguments: ["--abr", "110"]),
    Setting(rate: 44_100, channels: 2, arguments: ["-m", "s", "-b", "128"]),
    Setting(rate: 44_100, channels: 2, arguments: ["-m", "f", "-b", "192"]),
    Setting(rate: 44_100, channels: 2, arguments: ["-p", "-b", "128"]),
    Setting(rate: 44_100, channels: 2, arguments: ["--nores", "-b", "128"]),
    Setting(rate: 44_100, channels: 2, arguments: ["--freeformat", "-b", "400"]),
    Setting(rate: 44_100, channels: 1, arguments: ["-b", "96"]),
    Setting(rate: 48_000, channels: 2, arguments: ["-b", "160"]),
    Setting(rate: 48_000, channels: 1, arguments: ["-V", "4"]),
    Setting(rate: 32_000, channels: 2, arguments: ["-b", "128"]),
    Setting(rate: 24_000, channels: 2, arguments: ["-b", "64"]),
    Setting(rate: 22_050, channels: 1, arguments: ["-b", "64"]),
    Setting(rate: 16_000, channels: 2, arguments: ["-b", "80"]),
    Setting(rate: 12_000, channels: 1, arguments: ["-b", "48"]),
    Setting(rate: 11_025, channels: 2, arguments: ["-b", "64"]),
    Setting(rate: 8_000, channels: 1, arguments: ["-b", "32"]),
  ]

  @Test("What was encoded comes back: the same length to the frame, and not a frame early or late", arguments: settings)
  func gapless(setting: Setting) throws {
    let original = TestSound.noise(seconds: 2.3457, rate: setting.rate, channels: setting.channels)
    let encoded = try LAME.encode(
      original, rate: setting.rate, channels: setting.channels,
      setting.arguments + ["--resample", "\(Double(setting.rate) / 1000)", "--tt", "Übung"])
    let (samples, contents) = try decode(try scratch.write(encoded))
    #expect(contents.format == SoundFormat(sampleRate: setting.rate, channels: setting.channels))
    #expect(samples.count == original.count)
    #expect(contents.frames * setting.channels == samples.count)
    for channel in 0..<setting.channels {
      let lag = TestSound.lag(
        of: TestSound.channel(channel, of: setting.channels, in: samples),
        behind: TestSound.channel(channel, of: setting.channels, in: original))
      #expect(lag == 0)
    }
    #expect(contents.warnings == [])
    #expect(contents.title == "Übung")
    #expect(contents.bytes == encoded.count)
    #expect(contents.sha256 == SHA256.digest(of: encoded).description)
  }

  @Test("A file without an encoder's tag plays with its delay, every frame of it")
  func untagged() throws {
    let original = TestSound.noise(seconds: 1)
    let (samples, contents) = try decode(try scratch.write(try LAME.encode(original, ["-t", "-b", "128"])))
    #expect(contents.frames % 1152 == 0)
    #expect(samples.count == contents.frames * 2)
    let lag = TestSound.lag(
      of: TestSound.channel(0, of: 2, in: samples), behind: TestSound.channel(0, of: 2, in: original), within: 2000)
    // LAME's delay of 576 frames and the decoder's 529, as LAME's technical FAQ has it.
    #expect(lag == 576 + 529)
  }

  @Test("Only as much is decoded as is asked, and the count of the whole file is known all the same")
  func partial() throws {
    let path = try scratch.write(try LAME.encode(TestSound.noise(seconds: 5)))
    let (whole, contents) = try decode(path)
    var reader = try MP3Reader(path)
    var samples: [Float] = []
    #expect(try reader.read(upTo: 44_101, into: &samples) == 44_101)
    #expect(samples == Array(whole.prefix(44_101 * 2)))
    #expect(try reader.finish() == contents)
    #expect(try reader.read(upTo: 10, into: &samples) == 0)
  }

  @Test("A long file is not decoded for a short stimulus")
  func bounded() throws {
    let path = try scratch.write(FrameBytes.repeated(FrameBytes.silence, 20_000))
    var reader = try MP3Reader(path)
    var samples: [Float] = []
    #expect(try reader.read(upTo: 44_100, into: &samples) == 44_100)
    #expect(try reader.finish().frames == 20_000 * 1152)
    #expect(reader.mpegFramesDecoded <= 44_100 / 1152 + 17)
  }

  @Test(
    "Layers I and II are read as well, and frames of MPEG 2 and 2.5",
    arguments: [
      (
        Content(FrameBytes.frame([0xFF, 0xFF, 0xC8, 0x00], length: 576)), SoundFormat(sampleRate: 32_000, channels: 2),
        384
      ),
      (
        Content(FrameBytes.frame([0xFF, 0xFD, 0xA4, 0xC0], length: 576)), SoundFormat(sampleRate: 48_000, channels: 1),
        1152
      ),
      (
        Content(FrameBytes.frame([0xFF, 0xF5, 0x84, 0x00], length: 384)), SoundFormat(sampleRate: 24_000, channels: 2),
        1152
      ),
      (
        Content(FrameBytes.frame([0xFF, 0xE3, 0x88, 0xC0], length: 576)), SoundFormat(sampleRate: 8_000, channels: 1),
        576
      ),
    ])
  func layers(frame: Content, format: SoundFormat, sound: Int) throws {
    let (samples, contents) = try decode(try scratch.write(FrameBytes.repeated(frame.bytes, 40)))
    #expect(contents.format == format)
    #expect(contents.frames == 40 * sound)
    #expect(samples.count == contents.frames * format.channels)
    #expect(contents.warnings == [])
  }

  @Test("A file cut in the middle of a frame plays to its last whole frame, with a warning")
  func truncated() throws {
    let bytes = try LAME.encode(TestSound.noise(seconds: 3))
    let (whole, _) = try decode(try scratch.write(bytes))
    let (samples, contents) = try decode(try scratch.write(Array(bytes.prefix(bytes.count / 2 + 3))))
    #expect(samples.count == contents.frames * 2)
    #expect((44_100..<88_200).contains(contents.frames))
    #expect(samples == Array(whole.prefix(samples.count)))
    #expect(contents.warnings.count == 2)
    #expect(contents.warnings.first?.hasPrefix("the last frame is cut short") == true)
    #expect(contents.warnings.last?.contains("the end is missing") == true)
  }

  @Test("Garbage between frames is stepped over, with a warning")
  func garbage() throws {
    let bytes = try LAME.encode(TestSound.noise(seconds: 3))
    let middle = bytes.count / 2
    let (samples, contents) = try decode(
      try scratch.write(Array(bytes[..<middle]) + FrameBytes.noise(700, seed: 5) + bytes[middle...]))
    #expect(samples.count == contents.frames * 2)
    #expect(contents.warnings.contains { $0.contains("bytes between frames are not sound") })
  }

  @Test("A damaged frame harms its surroundings and nothing else", arguments: 1...24)
  func damagedFrame(seed: UInt64) throws {
    let bytes = try LAME.encode(TestSound.noise(seconds: 2), ["-b", "128"])
    let (whole, _) = try decode(try scratch.write(bytes))
    // The head of frame 30 stays, and what follows it is lost.
    var walk = MPEGWalk()
    walk.supply(bytes)
    walk.finish()
    var place = 0..<0
    for _ in 0...30 {
      guard case .frame(_, let range) = try walk.next() else { continue }
      place = range
    }
    var broken = bytes
    broken.replaceSubrange(place.dropFirst(4), with: FrameBytes.noise(place.count - 4, seed: seed))
    let (samples, contents) = try decode(try scratch.write(broken))
    #expect(samples.count == whole.count)
    #expect(contents.frames == 88_200)
    // Frame 30 is the 29th of sound, and sounds 1105 frames earlier; the bit reservoir reaches a few frames further.
    let start = 2 * (29 * 1152 - 1105 - 1152)
    let end = 2 * (29 * 1152 - 1105 + 10 * 1152)
    #expect(samples[..<start].elementsEqual(whole[..<start]))
    // libmpg123 counts its filter's phase on by decoded granules, which moves the rounding of what follows.
    #expect(zip(samples[end...], whole[end...]).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(!samples[start..<end].elementsEqual(whole[start..<end]))
  }

  @Test("Joined files play as one, with a warning")
  func joined() throws {
    let bytes = try LAME.encode(TestSound.noise(seconds: 1))
    let (samples, contents) = try decode(try scratch.write(bytes + bytes))
    #expect(samples.count == contents.frames * 2)
    #expect(contents.warnings.contains { $0.contains("several files seem to be joined") })
  }

  @Test("A change of rate or channels is refused, also where only the rest of the file has it")
  func changes() throws {
    let first = try LAME.encode(TestSound.noise(seconds: 2))
    let second = try LAME.encode(TestSound.noise(seconds: 2, rate: 48_000), rate: 48_000)
    let path = try scratch.write(first + second)
    var reader = try MP3Reader(path)
    var samples: [Float] = []
    _ = try reader.read(upTo: 1000, into: &samples)
    do throws(ClipError) {
      _ = try reader.finish()
      Issue.record("a change of rate was not noticed")
    } catch {
      #expect(error.description.contains("changes from MPEG 1 layer III, 44100 Hz, stereo to MPEG 1 layer III, 48000"))
      #expect(error.path == path)
    }
  }

  @Test(
    "What is not MPEG audio is refused by its kind",
    arguments: [
      ("an AIFF file", Content(Array("FORM1234AIFF".utf8) + FrameBytes.noise(300_000, seed: 1))),
      ("an Ogg file", Content(Array("OggS".utf8) + FrameBytes.noise(300_000, seed: 3))),
      ("an MP4 file", Content([0, 0, 0, 32] + Array("ftypM4A ".utf8) + FrameBytes.noise(300_000, seed: 4))),
      ("a ZIP archive", Content(Array("PK".utf8) + [3, 4] + FrameBytes.repeated(FrameBytes.silence, 50))),
      ("a PNG picture", Content([0x89] + Array("PNG".utf8) + FrameBytes.noise(300_000, seed: 5))),
    ] as [(String, Content)])
  func foreign(kind: String, content: Content) throws {
    let path = try scratch.write(content.bytes)
    #expect(throws: ClipError(path: path, reason: .foreign(kind))) { try decode(path) }
  }

  @Test(
    "WAV and FLAC under the name of an mp3 are to be renamed, whatever MPEG frames are in them",
    arguments: [
      (.wav, Content(TestSound.wave(TestSound.noise(seconds: 2), rate: 44_100, channels: 2))),
      (.wav, Content(Array("RIFF1234WAVEfmt ".utf8) + FrameBytes.repeated(FrameBytes.silence, 50))),
      (.flac, Content(Array("fLaC".utf8) + FrameBytes.noise(300_000, seed: 2))),
      (.flac, Content(FrameBytes.id3v2([0, 0, 0]) + Array("fLaC".utf8) + FrameBytes.noise(300_000, seed: 2))),
    ] as [(ClipFormat, Content)])
  func misnamed(format: ClipFormat, content: Content) throws {
    let path = try scratch.write(content.bytes)
    #expect(throws: ClipError(path: path, reason: .misnamed(format))) { try decode(path) }
  }

  @Test(
    "A file without usable sound is refused with its reason",
    arguments: [
      (ClipError.Reason.empty, Content([])),
      (.onlyTags, Content(FrameBytes.id3v2(FrameBytes.text("TIT2", "Rain")) + FrameBytes.id3v1(title: "Rain"))),
      (.notMPEG, Content(Array("All work and no play makes Jack a dull boy.\n".utf8))),
      (.notMPEG, Content(FrameBytes.noise(1 << 20, seed: 77))),
      (.notMPEG, Content([UInt8](repeating: 0, count: 100_000))),
      (.notMPEG, Content(Array(FrameBytes.silence.prefix(200)))),
      (
        .trimmedAway(frames: 1152), Content(FrameBytes.info(frames: 1, delay: 4095, padding: 4095) + FrameBytes.silence)
      ),
      (.trimmedAway(frames: 0), Content(FrameBytes.info(frames: 0, delay: 576, padding: 1000))),
      (
        .trimmedAway(frames: 1152), Content(FrameBytes.info(frames: nil, delay: 576, padding: 700) + FrameBytes.silence)
      ),
    ] as [(ClipError.Reason, Content)])
  func refused(reason: ClipError.Reason, content: Content) throws {
    let path = try scratch.write(content.bytes)
    #expect(throws: ClipError(path: path, reason: reason)) { try decode(path) }
  }

  @Test("A folder, a pipe and a missing file are refused without waiting for them")
  func unreadable() throws {
    #expect(throws: ClipError(path: scratch.path, reason: .notAFile)) { try decode(scratch.path) }
    let pipe = scratch.path + "/pipe.mp3"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(throws: ClipError(path: pipe, reason: .notAFile)) { try decode(pipe) }
    let missing = scratch.path + "/missing.mp3"
    do throws(ClipError) {
      _ = try MP3Reader(missing)
      Issue.record("a missing file was read")
    } catch {
      #expect(error.description == "cannot use “\(missing)”: No such file or directory")
    }
  }

  @Test(
    "Extremes of delay and padding cut what they say and no more",
    arguments: [(0, 0), (4095, 0), (0, 4095), (4095, 4095)])
  func extremes(delay: Int, padding: Int) throws {
    let bytes =
      FrameBytes.info(frames: 20, delay: delay, padding: padding) + FrameBytes.repeated(FrameBytes.silence, 20)
    let (samples, contents) = try decode(try scratch.write(bytes))
    #expect(contents.frames == 20 * 1152 - delay - 529 - max(0, padding - 529))
    #expect(samples.count == contents.frames * 2)
  }

  @Test(
    "A frame count that lies changes nothing but the warnings; 0 stands for an unknown one",
    arguments: [0, 1, 19, 21, 1 << 31, (1 << 32) - 1])
  func lyingCount(claimed: Int) throws {
    let bytes =
      FrameBytes.info(frames: claimed, delay: 576, padding: 1000) + FrameBytes.repeated(FrameBytes.silence, 20)
    let (samples, contents) = try decode(try scratch.write(bytes))
    #expect(contents.frames == 20 * 1152 - 576 - 529 - (claimed > 20 ? 0 : 1000 - 529))
    #expect(samples.count == contents.frames * 2)
    #expect(contents.warnings.count == (claimed == 0 ? 0 : 1))
  }

  @Test("Damaged files neither crash nor yield another length than is announced", arguments: 1...120)
  func damaged(seed: UInt64) throws {
    var bytes = try Self.small.get()
    let noise = FrameBytes.noise(400, seed: seed)
    for index in stride(from: 0, to: 3 * (1 + Int(seed) % 60), by: 3) {
      let place = (Int(noise[index]) << 8 | Int(noise[index + 1])) * bytes.count >> 16
      // Half of the damage goes to the head of the file, where tags and counts are.
      bytes[seed % 2 == 0 ? place : place % 900] = noise[index + 2]
    }
    let path = try scratch.write(bytes)
    do throws(ClipError) {
      var reader = try MP3Reader(path)
      var samples: [Float] = []
      while try reader.read(upTo: 5000, into: &samples) > 0 {}
      let contents = try reader.finish()
      #expect(samples.count == contents.frames * contents.format.channels)
    } catch {
      #expect(error.path == path)
    }
  }

  private static let small = Result {
    try LAME.encode(TestSound.noise(seconds: 0.7), ["-V", "5", "--tt", "Rain", "--id3v2-only"])
  }
}
