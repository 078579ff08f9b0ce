import Testing

@testable import Sound

@Suite("Titles in ID3 tags")
struct ID3TitleTests {
  @Test("The title is read in any edition and encoding")
  func editions() {
    #expect(ID3Title.inSecondVersion(FrameBytes.id3v2(FrameBytes.text("TIT2", "Regen ☔︎"))) == "Regen ☔︎")
    let latin = Array("TIT2".utf8) + [0, 0, 0, 5, 0, 0, 0, 0xDC, 0x62, 0x65, 0x72]
    #expect(ID3Title.inSecondVersion(FrameBytes.id3v2(latin, edition: 3)) == "Über")
    let wide = Array("TIT2".utf8) + [0, 0, 0, 7, 0, 0, 1, 0xFF, 0xFE, 0x41, 0x00, 0x2F, 0x26]
    #expect(ID3Title.inSecondVersion(FrameBytes.id3v2(wide, edition: 3)) == "A☯")
    let second = Array("TT2".utf8) + [0, 0, 3, 0, 0x41, 0x42] + [UInt8](repeating: 0, count: 20)
    #expect(ID3Title.inSecondVersion(FrameBytes.id3v2(second, edition: 2)) == "AB")
  }

  @Test("A tag without a title, or without sense, has none")
  func none() {
    #expect(ID3Title.inSecondVersion([]) == nil)
    #expect(ID3Title.inSecondVersion(FrameBytes.id3v2(FrameBytes.text("TPE1", "Nobody"))) == nil)
    #expect(ID3Title.inSecondVersion(FrameBytes.id3v2(FrameBytes.text("TIT2", " \n "))) == nil)
    for seed in 1...200 as ClosedRange<UInt64> {
      _ = ID3Title.inSecondVersion(FrameBytes.id3v2(Array("TIT2".utf8) + FrameBytes.noise(200, seed: seed)))
    }
  }

  @Test("The old tag's title ends at its first zero")
  func first() {
    #expect(ID3Title.inFirstVersion(FrameBytes.id3v1(title: "Rain ")) == "Rain")
    #expect(ID3Title.inFirstVersion(FrameBytes.id3v1(title: "")) == nil)
    #expect(ID3Title.inFirstVersion([]) == nil)
  }
}
