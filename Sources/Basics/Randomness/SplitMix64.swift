/// SplitMix64 (Steele, Lea and Flood 2014, in Vigna's public-domain form), which expands a seed to a larger state.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator from a seed.
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
