import Testing

@testable import Sound

@Suite("MPEG frame headers")
struct MPEGHeaderTests {
  /// Lengths by the formula of ISO/IEC 11172-3, 2.4.3.1: 144 × bit rate ÷ sample rate (layer I: 12 ×, in slots of 4).
  @Test(
    "A header says the length and sound of its frame",
    arguments: [
      ([0xFF, 0xFB, 0x90, 0x64] as [UInt8], 3, 44_100, 2, 417, 1152),
      ([0xFF, 0xFB, 0x92, 0x64], 3, 44_100, 2, 418, 1152),
      ([0xFF, 0xFB, 0xE0, 0x00], 3, 44_100, 2, 1044, 1152),
      ([0xFF, 0xFB, 0x14, 0xC0], 3, 48_000, 1, 96, 1152),
      ([0xFF, 0xF3, 0x80, 0x00], 3, 22_050, 2, 208, 576),
      ([0xFF, 0xE3, 0x88, 0xC0], 3, 8_000, 1, 576, 576),
      ([0xFF, 0xFD, 0xA4, 0x00], 2, 48_000, 2, 576, 1152),
      ([0xFF, 0xF5, 0x84, 0x00], 2, 24_000, 2, 384, 1152),
      ([0xFF, 0xFF, 0xC8, 0x00], 1, 32_000, 2, 576, 384),
      ([0xFF, 0xFF, 0xCA, 0x00], 1, 32_000, 2, 580, 384),
    ])
  func lengths(bytes: [UInt8], layer: Int, rate: Int, channels: Int, length: Int, frames: Int) throws {
    let header = try #require(MPEGHeader(in: bytes, at: 0))
    #expect(header.layer == layer)
    #expect(header.sampleRate == rate)
    #expect(header.channels == channels)
    #expect(header.length == length)
    #expect(header.soundFrames == frames)
  }

  @Test(
    "Reserved values are no header",
    arguments: [
      [0xFF, 0xEB, 0x90, 0x64], [0xFF, 0xF9, 0x90, 0x64], [0xFF, 0xFB, 0xF0, 0x64], [0xFF, 0xFB, 0x9C, 0x64],
      [0xFE, 0xFB, 0x90, 0x64], [0xFF, 0x1B, 0x90, 0x64], [0xFF, 0xFB, 0x90],
    ] as [[UInt8]])
  func reserved(bytes: [UInt8]) {
    #expect(MPEGHeader(in: bytes, at: 0) == nil)
  }

  @Test(
    "Any emphasis is a header, the reserved one of an ISO conformance stream too", arguments: [0, 1, 2, 3] as [UInt8])
  func emphasis(value: UInt8) {
    #expect(MPEGHeader(in: [0xFF, 0xFB, 0x90, 0x64 & ~3 | value], at: 0)?.length == 417)
  }

  @Test("A free-format header leaves the length open")
  func freeFormat() throws {
    let header = try #require(MPEGHeader(in: [0xFF, 0xFB, 0x02, 0x00], at: 0))
    #expect(header.length == nil)
    #expect(header.length(unpadded: 1306) == 1307)
  }
}
