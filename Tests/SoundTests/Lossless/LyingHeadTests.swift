import TestSupport
import Testing

@testable import Sound

/// Files whose head says another length or form of their sound than they hold.
@Suite("WAV, FLAC and mp3 files whose head is wrong")
struct LyingHeadTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private let integers = (0..<40_000).map { $0 * 7919 % 60_000 - 30_000 }

  private func decode(_ bytes: [UInt8], as name: String) throws -> (samples: [Float], contents: ClipContents) {
    let path = try scratch.write(bytes, as: name)
    var reader = try ClipReader(path)
    var samples: [Float] = []
    while try reader.read(upTo: 5000, into: &samples) > 0 {}
    let contents = try reader.finish()
    var unread = try ClipReader(path)
    #expect(try unread.finish() == contents, "the library knows the same without a sample")
    return (samples, contents)
  }

  private var floats: [Float] { integers.map { Float($0) / 32_768 } }

  @Test(
    "A FLAC file is played to its end, whatever number of frames its head says, and a wrong one is told",
    arguments: [1, 4096, 7000, 19_999])
  func flac(length: Int) throws {
    let (samples, contents) = try decode(LosslessBytes.flac(integers, length: length), as: "rain.flac")
    #expect(samples == floats && contents.frames == 20_000 && contents.warnings.count == 1)
  }

  @Test("The frames of two FLAC files behind one head are played as one, if they are of one form")
  func joinedFrames() throws {
    let one = LosslessBytes.flac(integers, rateCode: 9)
    let (samples, contents) = try decode(one + one.dropFirst(42), as: "rain.flac")
    #expect(samples == floats + floats && contents.frames == 40_000 && contents.warnings.count == 1)
  }

  @Test("A FLAC file whose form changes is refused with the place, as an mp3 file is")
  func changes() throws {
    let one = LosslessBytes.flac(integers, rateCode: 9)
    for other in [
      LosslessBytes.flac(integers, rateCode: 10),
      LosslessBytes.flac(Array(integers.prefix(9000)), channels: 1, rateCode: 9),
    ] {
      for length in [20_000, 40_000] {
        var bytes = one + other.dropFirst(42)
        bytes.replaceSubrange(22..<26, with: (0..<4).reversed().map { UInt8(length >> (8 * $0) & 0xFF) })
        let path = try scratch.write(bytes, as: "rain.flac")
        let error = #expect(throws: ClipError.self) { try decode(bytes, as: "rain.flac") }
        guard case .changes(_, _, let byte, let seconds) = try #require(error).reason else {
          Issue.record("\(path): \(String(describing: error))")
          continue
        }
        #expect(byte == one.count && abs(seconds - 20_000 / 44_100) < 1e-9)
      }
    }
    // All of its blocks have another rate than its head.
    let path = try scratch.write(LosslessBytes.flac(integers, rateCode: 10), as: "rain.flac")
    #expect(throws: ClipError.self) {
      var reader = try ClipReader(path)
      _ = try reader.finish()
    }
  }

  @Test("Two whole FLAC files, one after the other, are told; a tag at the end is none")
  func joined() throws {
    let one = LosslessBytes.flac(integers)
    #expect(try decode(one + one, as: "rain.flac").contents.warnings.count == 1)
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    let tagged = try decode(one + tag, as: "rain.flac")
    #expect(tagged.samples == floats && tagged.contents.frames == 20_000)
  }

  @Test("A WAV file whose head says no sound is played to its end, and told")
  func nothingSaid() throws {
    let (samples, contents) = try decode(LosslessBytes.wave(integers, length: 0), as: "rain.wav")
    #expect(samples == floats && contents.frames == 20_000 && contents.warnings.count == 1)
  }

  @Test("A WAV file with more sound than its head says is told; chunks and zeros after the sound are not")
  func tooLittleSaid() throws {
    let short = try decode(LosslessBytes.wave(integers, length: 8000), as: "rain.wav")
    #expect(short.samples == Array(floats.prefix(4000)) && short.contents.warnings.count == 1)
    let whole = LosslessBytes.wave(integers)
    let list = Array("LIST".utf8) + [4, 0, 0, 0] + Array("INFO".utf8)
    for rest in [list, list + list, [0, 0, 0, 0, 0, 0], Array("TAG".utf8) + [UInt8](repeating: 1, count: 125)] {
      let (samples, contents) = try decode(whole + rest, as: "rain.wav")
      #expect(samples == floats && contents.warnings.isEmpty, "\(rest.prefix(8))")
    }
    #expect(try decode(whole + [1, 2, 3, 4], as: "rain.wav").contents.warnings.count == 1)
  }

  @Test("A WAV file with less sound than its head says is played as far as it goes, and told")
  func tooMuchSaid() throws {
    let (samples, contents) = try decode(LosslessBytes.wave(integers, length: 200_000), as: "rain.wav")
    #expect(samples == floats && contents.warnings.count == 1)
  }

  @Test("An empty WAV file with a chunk after its sound has no sound")
  func empty() throws {
    let bytes = LosslessBytes.wave([]) + Array("LIST".utf8) + [4, 0, 0, 0] + Array("INFO".utf8)
    let path = try scratch.write(bytes, as: "rain.wav")
    #expect(throws: ClipError(path: path, reason: .noFrames)) { try decode(bytes, as: "rain.wav") }
  }
}
