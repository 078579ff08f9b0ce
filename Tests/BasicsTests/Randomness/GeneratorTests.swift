import Testing

@testable import Basics

@Suite("Generators of random numbers")
struct GeneratorTests {
  /// The first numbers for the seed 1234567, as Rosetta Code's task "Pseudo-random numbers/Splitmix64" gives them.
  @Test("SplitMix64 makes the published numbers")
  func splitMix64() {
    var generator = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  /// The numbers of the reference program in C for the state 1, 2, 3, 4, as the crate rand_xoshiro tests them too.
  @Test("xoshiro256** makes the published numbers")
  func xoshiro() {
    var generator = Xoshiro256StarStar(state: (1, 2, 3, 4))
    let numbers = (0..<10).map { _ in generator.next() }
    #expect(
      numbers == [
        11_520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360, 607_988_272_756_665_600,
        16_172_922_978_634_559_625, 8_476_171_486_693_032_832, 10_595_114_339_597_558_777, 2_904_607_092_377_533_576,
      ])
  }

  /// Vectors from the authors' own test program.
  @Test(
    "FNV-1a makes the published hashes",
    arguments: [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)]
      as [(String, UInt64)])
  func fnv(text: String, hash: UInt64) {
    #expect(fnv1a64(text) == hash)
  }

  @Test(
    "A bounded number stays below its bound, however large that is",
    arguments: [1, 2, 3, 6, 7, 1000, 1 << 63 + 1, .max] as [UInt64])
  func bounded(bound: UInt64) {
    var generator = Xoshiro256StarStar(seed: 1)
    for _ in 0..<1000 { #expect(generator.next(below: bound) < bound) }
  }

  /// Just above 2^63 about half of all numbers must be thrown away; without that, small ones would come twice as often.
  @Test("Rejection leaves no bias")
  func rejection() {
    var generator = Xoshiro256StarStar(seed: 2)
    let bound: UInt64 = 3 << 62
    let inLowestThird = (0..<3000).count { _ in generator.next(below: bound) < 1 << 62 }
    #expect((900...1100).contains(inLowestThird))
  }
}
