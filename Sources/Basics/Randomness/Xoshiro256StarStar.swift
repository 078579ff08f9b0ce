/// xoshiro256** 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021).
package struct Xoshiro256StarStar: Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// The generator in a state; not all four may be zero.
  package init(state: (UInt64, UInt64, UInt64, UInt64)) { self.state = state }

  /// The generator whose state is the first four numbers of SplitMix64.
  package init(seed: UInt64) {
    var seeds = SplitMix64(seed: seed)
    state = (seeds.next(), seeds.next(), seeds.next(), seeds.next())
  }

  /// The next number, each of the 2^64 with the same chance.
  package mutating func next() -> UInt64 {
    let result = Self.rotate(state.1 &* 5, by: 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = Self.rotate(state.3, by: 45)
    return result
  }

  /// A number below `bound`, each with exactly the same chance: the lowest 2^64 mod `bound` numbers are thrown away.
  ///
  /// - Precondition: the bound is above zero.
  package mutating func next(below bound: UInt64) -> UInt64 {
    precondition(bound > 0, "there is no number below zero to draw")
    let thrownAway = (0 &- bound) % bound
    while true {
      let number = next()
      if number >= thrownAway { return number % bound }
    }
  }

  private static func rotate(_ number: UInt64, by count: UInt64) -> UInt64 {
    number << count | number >> (64 - count)
  }
}
