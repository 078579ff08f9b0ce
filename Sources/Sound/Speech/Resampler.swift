import Glibc

/// Changes the rate of short sounds: a band-limited interpolation by a windowed sinc, one filter a phase.
struct Resampler: Sendable {
  private let up: Int
  private let down: Int
  private let half: Int
  /// The taps of each phase, one after the other.
  private let taps: [Float]

  /// The zero crossings of the sinc on each side.
  private static let crossings = 16

  init(from rate: Int, to other: Int) {
    func divisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : divisor(b, a % b) }
    let common = divisor(rate, other)
    let up = other / common
    (self.up, down) = (up, rate / common)
    // Towards a lower rate the band is that of the lower one.
    let band = min(1, Double(other) / Double(rate))
    let half = Int((Double(Self.crossings) / band).rounded(.up))
    self.half = half
    var taps: [Float] = []
    for phase in 0..<up {
      var weights = ((1 - half)...half).map { tap in
        let distance = Double(tap) - Double(phase) / Double(up)
        let x = Double.pi * distance * band * 0.95
        let window = 0.5 + 0.5 * cos(.pi * distance / Double(half))
        return (x == 0 ? 1 : sin(x) / x) * window
      }
      let sum = weights.reduce(0, +)
      for index in weights.indices { weights[index] /= sum }
      taps += weights.map(Float.init)
    }
    self.taps = taps
  }

  /// The sound of one channel at the other rate.
  func resample(_ samples: [Float]) -> [Float] {
    guard up != down else { return samples }
    let padded = [Float](repeating: 0, count: half) + samples + [Float](repeating: 0, count: half + 1)
    return (0..<(samples.count * up / down)).map { frame in
      let (base, phase) = (frame * down).quotientAndRemainder(dividingBy: up)
      let first = phase * 2 * half
      var sum: Float = 0
      for tap in 0..<2 * half { sum += padded[base + 1 + tap] * taps[first + tap] }
      return sum
    }
  }
}
