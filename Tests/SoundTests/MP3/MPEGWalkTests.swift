import TestSupport
import Testing

@testable import Sound

@Suite("The walk through a file's frames")
struct MPEGWalkTests {
  /// Walks through a whole file that arrives in pieces of one size.
  private func walk(_ bytes: [UInt8], piece: Int = 4096) throws -> MPEGFindings {
    var walk = MPEGWalk()
    var start = 0
    while true {
      switch try walk.next() {
      case .frame(let header, let range): #expect(MPEGHeader(in: walk.window, at: range.lowerBound) == header)
      case .end: return walk.findings
      case .needsMore:
        let end = min(start + piece, bytes.count)
        if start == end { walk.finish() } else { walk.supply(Array(bytes[start..<end])) }
        start = end
      }
    }
  }

  private static let sixty = FrameBytes.repeated(FrameBytes.silence, 60)

  @Test("Frames that follow one another are all found", arguments: [1, 2, 3, 4, 60])
  func plain(count: Int) throws {
    let findings = try walk(FrameBytes.repeated(FrameBytes.silence, count))
    #expect(findings.frames == count)
    #expect(findings.audioBytes == count * 417)
    #expect(findings.warnings.isEmpty)
    #expect(findings.refusal == nil)
  }

  @Test(
    "Tags before, between and behind are stepped over",
    arguments: [
      Content(FrameBytes.id3v2([1, 2, 3]) + sixty),
      Content(FrameBytes.id3v2(FrameBytes.noise(70_000, seed: 3)) + FrameBytes.id3v2([0, 0]) + sixty),
      Content(FrameBytes.id3v2(FrameBytes.noise(500, seed: 4), flags: 0x10) + sixty),
      Content(FrameBytes.id3v2([0xFF, 0xFB, 0x90, 0x00], edition: 3, flags: 0x80) + sixty),
      Content(sixty + FrameBytes.id3v1(title: "x")),
      Content(sixty + FrameBytes.ape(FrameBytes.noise(3000, seed: 5)) + FrameBytes.id3v1(title: "x")),
      Content(sixty + FrameBytes.apeWithoutHead(FrameBytes.noise(700, seed: 6), version: 1000)),
      Content(
        sixty + FrameBytes.apeWithoutHead(FrameBytes.noise(40_000, seed: 9), version: 2000)
          + FrameBytes.id3v1(title: "x")),
      Content(sixty + FrameBytes.lyrics("la la") + FrameBytes.id3v1(title: "x")),
      Content(
        FrameBytes.repeated(FrameBytes.silence, 30) + FrameBytes.id3v2([7])
          + FrameBytes.repeated(FrameBytes.silence, 30)),
      Content([UInt8](repeating: 0, count: 5000) + sixty + [UInt8](repeating: 0, count: 3000)),
    ])
  func tags(content: Content) throws {
    let findings = try walk(content.bytes)
    #expect(findings.frames == 60)
    #expect(findings.warnings.isEmpty)
    #expect(findings.refusal == nil)
    #expect(findings.audioBytes + findings.tagBytes + findings.paddingBytes == content.bytes.count)
  }

  @Test("What is found does not depend on how the file arrives", arguments: [1, 7, 417, 65_536])
  func pieces(piece: Int) throws {
    let bytes =
      FrameBytes.id3v2(FrameBytes.noise(900, seed: 1)) + FrameBytes.repeated(FrameBytes.silence, 20)
      + FrameBytes.noise(300, seed: 2) + FrameBytes.repeated(FrameBytes.silence, 20) + FrameBytes.silence.prefix(100)
      + FrameBytes.id3v1(title: "x")
    let findings = try walk(bytes, piece: piece)
    #expect(findings == (try walk(bytes)))
    #expect(findings.frames == 40)
    #expect(findings.gapCount == 1)
    #expect(findings.gapBytes == 300)
    #expect(findings.cutFrame == .init(byte: bytes.count - 228, present: 100, length: 417))
    #expect(findings.tags == 2)
  }

  @Test("Bytes before the sound and behind it are counted, and do not pass for a gap")
  func stray() throws {
    let bytes = [1, 2, 3] + Self.sixty + [4, 5, 6, 7] + FrameBytes.id3v1(title: "x")
    let findings = try walk(bytes)
    #expect(findings.strayBytes == 7)
    #expect(findings.gapCount == 0)
    #expect(findings.warnings == ["7 bytes before or after the sound are neither sound nor tag"])
  }

  @Test("Bytes before a tag without a head are still counted, and a foot that claims too much claims nothing")
  func strayBeforeTag() throws {
    let tag = FrameBytes.apeWithoutHead(FrameBytes.noise(700, seed: 6), version: 1000)
    #expect(try walk(Self.sixty + [4, 5, 6, 7] + tag).strayBytes == 4)
    #expect(try walk(Self.sixty + tag.dropFirst(100)).strayBytes == 600)
  }

  @Test(
    "A stream that becomes another is an error that says where",
    arguments: [
      (FrameBytes.silenceAt48, "MPEG 1 layer III, 48000 Hz, stereo"),
      (FrameBytes.monoSilence, "MPEG 1 layer III, 44100 Hz, mono"),
    ])
  func changes(other: [UInt8], name: String) {
    for between in [[], FrameBytes.id3v2([1]), FrameBytes.noise(99, seed: 8)] {
      #expect(
        throws: ClipError.Reason.changes(
          from: "MPEG 1 layer III, 44100 Hz, stereo", to: name, byte: Self.sixty.count + between.count,
          seconds: 60 * 1152 / 44_100)
      ) { try walk(Self.sixty + between + FrameBytes.repeated(other, 10)) }
    }
  }

  @Test("A tag that claims more than the file holds is reported, not believed")
  func hugeTag() throws {
    let findings = try walk(FrameBytes.id3v2([1, 2, 3], claiming: (1 << 28) - 1) + Self.sixty)
    #expect(findings.frames == 0)
    #expect(findings.refusal == .tagTooLong(missingBytes: (1 << 28) - 1 - 3 - Self.sixty.count))
    #expect(findings.id3v2.isEmpty)
  }

  @Test("A file with fewer frames than other bytes is refused")
  func mostlyOther() throws {
    let findings = try walk(Self.sixty + FrameBytes.noise(100_000, seed: 11) + Self.sixty)
    #expect(findings.refusal == .mostlyOther(audioBytes: 120 * 417, otherBytes: 100_000))
  }

  @Test("Noise holds no frames", arguments: 1...20)
  func noise(seed: UInt64) throws {
    #expect(try walk(FrameBytes.noise(200_000, seed: seed)).refusal == .notMPEG)
  }
}
