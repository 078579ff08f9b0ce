import Basics
import Testing

@testable import Quantities

@Suite("UUIDs")
struct UUIDTests {
  private struct Words: RandomNumberGenerator {
    var generator = Xoshiro256StarStar(seed: 7)
    mutating func next() -> UInt64 { generator.next() }
  }

  @Test(
    "The examples of RFC 9562 are read and printed, in capitals too",
    arguments: [
      ("919108f7-52d1-4320-9bac-f847db4148a8", 4), ("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", 7),
      ("2489e9ad-2ee2-8e00-8ec9-32d5f69181c0", 8), ("00000000-0000-0000-0000-000000000000", nil),
      ("ffffffff-ffff-ffff-ffff-ffffffffffff", nil),
    ] as [(String, Int?)])
  func reading(text: String, version: Int?) throws {
    let uuid = try #require(UUID(text))
    #expect(uuid.description == text)
    #expect(UUID(text.uppercased()) == uuid)
    #expect(uuid.version == version)
  }

  @Test(
    "What is not a UUID is refused",
    arguments: [
      "", "919108f7-52d1-4320-9bac-f847db4148a", "919108f7-52d1-4320-9bac-f847db4148a8a",
      "919108f752d143209bacf847db4148a8", "919108f7-52d1-4320-9bac-f847db4148ag",
      "919108f7-52d1-4320-9bac_f847db4148a8",
      "{919108f7-52d1-4320-9bac-f847db4148a8}", "919108f7-52d1-4320-9bac-f847db4148\u{661}",
    ])
  func refused(text: String) { #expect(UUID(text) == nil) }

  @Test("Random ones are of version 4, those of a time of version 7 in the order of time, derived ones of version 8")
  func made() {
    var words = Words()
    for milliseconds in stride(from: Int64(0), to: 1_000_000_000_000, by: 33_333_333_333) {
      let random = UUID(using: &words)
      let timed = UUID(time: WallTime(milliseconds: milliseconds), using: &words)
      let later = UUID(time: WallTime(milliseconds: milliseconds + 1), using: &words)
      let derived = UUID(derivedFrom: words.next(), words.next())
      #expect(random.version == 4 && timed.version == 7 && derived.version == 8)
      #expect(timed < later && timed.description < later.description)
      for uuid in [random, timed, derived] { #expect(UUID(uuid.description) == uuid) }
    }
    #expect(UUID() != UUID())
    #expect(UUID(derivedFrom: 1, 2) == UUID(derivedFrom: 1, 2))
  }
}
