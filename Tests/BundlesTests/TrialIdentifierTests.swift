import Basics
import Bundles
import Quantities
import Testing

@Suite("Identifiers of trials")
struct TrialIdentifierTests {
  /// Words that come in their order.
  struct Words: RandomNumberGenerator {
    var words: [UInt64]
    mutating func next() -> UInt64 { words.removeFirst() }
  }

  @Test("The example of RFC 9562, A.6")
  func publishedExample() {
    var words = Words(words: [0xCC3, 0x18C4_DC0C_0C07_398F])
    let identifier = TrialIdentifier(time: WallTime(milliseconds: 0x017F_22E2_79B0), using: &words)
    #expect(identifier.description == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
    #expect(identifier.time == WallTime("2022-02-22T19:22:22Z"))
  }

  @Test("Random bits never spoil version, variant or time", arguments: [0, 1, .max, 0x8000_0000_0000_0000] as [UInt64])
  func bits(word: UInt64) throws {
    for milliseconds in [-5, 0, 1, 1_763_636_911_250, 0xFFFF_FFFF_FFFF] as [Int64] {
      var words = Words(words: [word, word])
      let identifier = TrialIdentifier(time: WallTime(milliseconds: milliseconds), using: &words)
      let read = try #require(TrialIdentifier(identifier.description))
      #expect(read == identifier)
      #expect(read.time.milliseconds == max(0, milliseconds))
    }
  }

  @Test("Trials sort by the time at which they began")
  func order() {
    let identifiers = [0, 1, 999, 1_763_636_911_250].map { TrialIdentifier(time: WallTime(milliseconds: $0)) }
    #expect(identifiers.sorted() == identifiers)
  }

  @Test(
    "What is not a UUID of version 7 in lower case is refused",
    arguments: [
      "", "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f0",
      "017F22E2-79B0-7CC3-98C4-DC0C0C07398F", "017f22e2-79b0-4cc3-98c4-dc0c0c07398f",
      "017f22e2-79b0-7cc3-c8c4-dc0c0c07398f", "017f22e279b0-7cc3-98c4-dc0c0c07398f-",
      "../../../../../../../../../../etc/pass",
      "017f22e2-79b0-7cc3-98c4-dc0c0c07398\u{e9}",
    ])
  func refused(text: String) { #expect(TrialIdentifier(text) == nil) }
}
