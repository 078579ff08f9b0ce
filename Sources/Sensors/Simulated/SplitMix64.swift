/// The generator SplitMix64 of Steele, Lea and Flood (“Fast splittable pseudorandom number generators”, 2014).
///
/// It is our own so that a seed means the same beats in every release of Swift; only additions, shifts and
/// multiplications are used, so that it means the same on every computer.
struct SplitMix64: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to but not including 1, in steps of 2^-53.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number that is nearly normally distributed, with mean 0 and variance 1: the sum of twelve uniform ones less six.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += uniform() }
    return sum
  }
}
