/// xoshiro256** 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021).
package struct Xoshiro256StarStar: Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Creates a generator from a state; not all four words may be zero.
  init(state: (UInt64, UInt64, UInt64, UInt64)) { self.state = state }

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

/// SplitMix64 (Steele, Lea and Flood 2014, in Vigna's public-domain form), which expands a seed to a larger state.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// The next number, uniformly distributed over all 2^64.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A uniform number in the half-open range 0 ..< 1, in steps of 2^-53.
  package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// An approximately normal number with mean 0 and variance 1: the sum of twelve uniform numbers minus six.
  package mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += uniform() }
    return sum
  }
}

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo) of a text, the same on every machine.
package func fnv1a64(_ text: String) -> UInt64 { fnv1a64(text.utf8) }

/// The 64-bit FNV-1a hash of bytes; it detects damage, but no intent.
package func fnv1a64(_ bytes: Span<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
  return hash
}

/// The 64-bit FNV-1a hash of bytes; it detects damage, but no intent.
package func fnv1a64(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return hash
}
