/// xoshiro256** 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021).
package struct Xoshiro256StarStar: Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Creates a generator from a state; not all four words may be zero.
  package init(state: (UInt64, UInt64, UInt64, UInt64)) { self.state = state }

  /// Creates a generator whose state is the first four numbers of SplitMix64.
  package init(seed: UInt64) {
    var seeds = SplitMix64(seed: seed)
    state = (seeds.next(), seeds.next(), seeds.next(), seeds.next())
  }

  /// The next number, uniformly distributed over all 2^64.
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

  /// A number below `bound`, exactly uniformly distributed: the lowest 2^64 mod `bound` raw numbers are rejected.
  ///
  /// - Precondition: the bound is positive.
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
