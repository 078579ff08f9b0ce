import Dispatch
import Synchronization
import Testing

@testable import Charts

@Suite("Many threads")
struct ThreadTests {
  @Test("draw letters of every kind at the same time, and each its own picture")
  func letters() throws {
    // Cairo keeps ten files of fonts open. Beyond them it closes one that nobody uses, while others draw.
    let scripts = """
      Հայերեն ქართული עברית العربية ไทย ລາວ ខ្មែរ မြန်မာ हिन्दी বাংলা ਪੰਜਾਬੀ ગુજરાતી ଓଡ଼ିଆ தமிழ் తెలుగు ಕನ್ನಡ മലയാളം සිංහල \
      አማርኛ ᏣᎳᎩ ᓀᐦᐃᔭᐍᐏᐣ 音楽 음악 🎵
      """.split(separator: " ").map(String.init)
    @Sendable func pictures(of number: Int) throws -> [[UInt8]] {
      var chart = Examples.scripts
      chart.heading.title = "\(number) " + scripts[number % scripts.count]
      let page = try PageWriter(size: CanvasSize(width: 400, height: 400), title: "\(number)", isTagged: false)
      for (place, words) in scripts.enumerated() {
        let style = PageText.Run(words, isBold: (place + number) % 2 == 0, isMonospaced: number % 3 == 0)
        page.write(PageText([style], size: 8 + Double(number % 5)), x: 0, y: Double(place) * 16)
      }
      return [try chart.png(scale: 1 + Double(number % 7) / 10), try chart.pdf(), try page.finish()]
    }
    let count = 8

    let drawn = Mutex<[Int: [[UInt8]]]>([:])
    DispatchQueue.concurrentPerform(iterations: count) { number in
      let made = try? pictures(of: number)
      drawn.withLock { $0[number] = made }
    }
    for (number, bytes) in try (0..<count).map(pictures).enumerated() {
      #expect(drawn.withLock { $0[number] } == bytes, "picture \(number)")
    }
  }
}
