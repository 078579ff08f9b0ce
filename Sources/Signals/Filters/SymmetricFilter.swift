import Glibc

/// A filter with a finite, symmetric impulse response: it delays every frequency by the same time.
///
/// The output for a sample comes when ``delay`` more samples have been taken.
struct SymmetricFilter: Sendable {
  /// The weights, which are symmetric and of an odd number.
  let weights: [Double]

  /// The number of samples by which the output is later than the input.
  var delay: Int { weights.count / 2 }

  private var recent: [SIMD4<Double>] = []

  init(weights: [Double]) {
    precondition(weights.count % 2 == 1, "a symmetric filter needs an odd number of weights")
    self.weights = weights
  }

  /// A low-pass: a sinc under a Hann window, of unit gain at 0 Hz.
  ///
  /// - Parameters:
  ///   - cutoff: the frequency at which the gain is one half, as a fraction of the sampling rate.
  ///   - delay: the number of weights on each side of the middle.
  /// - Returns: the filter.
  static func lowPass(cutoff: Double, delay: Int) -> SymmetricFilter {
    let weights = (-delay...delay).map { place -> Double in
      let angle = 2 * Double.pi * cutoff * Double(place)
      let sinc = place == 0 ? 1 : sin(angle) / angle
      return sinc * (0.5 + 0.5 * cos(Double.pi * Double(place) / Double(delay + 1)))
    }
    let sum = weights.reduce(0, +)
    return SymmetricFilter(weights: weights.map { $0 / sum })
  }

  /// A smoothing that follows the slow course of a signal: two moving averages of the same length, one after the other.
  ///
  /// - Parameter width: the number of samples of each average; odd.
  /// - Returns: the filter.
  static func baseline(width: Int) -> SymmetricFilter {
    let half = width - 1
    let weights = (-half...half).map { Double(width - abs($0)) / Double(width * width) }
    return SymmetricFilter(weights: weights)
  }

  /// Takes a sample.
  ///
  /// - Returns: the output for the sample ``delay`` before it; `nil` before enough samples have come.
  mutating func take(_ sample: SIMD4<Double>) -> SIMD4<Double>? {
    recent.append(sample)
    guard recent.count >= weights.count else { return nil }
    // Removing from an array's front for each sample would move all of it each time.
    if recent.count >= 4 * weights.count { recent.removeFirst(recent.count - weights.count) }
    var sum = SIMD4<Double>.zero
    let start = recent.count - weights.count
    for (place, weight) in weights.enumerated() { sum += recent[start + place] * weight }
    return sum
  }

  /// Forgets all samples.
  mutating func reset() { recent = [] }
}

/// The mean of the samples around each sample, over a width that need not be a whole number of samples.
///
/// A width of 1/50 s cancels a hum of 50 Hz and its multiples, but for a few hundredths where it is no whole number of
/// samples. The output for a sample comes ``delay`` samples later; before the first sample the signal is taken to have been
/// the same as there.
struct MovingAverage: Sendable {
  /// The number of samples that are averaged.
  let width: Double
  /// The number of samples by which the output is later than the input.
  let delay: Int

  private let half: Int
  private let fraction: Double
  private var recent: [Double] = []
  /// The sum of the whole samples around the middle.
  private var sum = 0.0

  /// Creates a moving average.
  ///
  /// - Parameter width: the number of samples that are averaged; smaller ones than 1 do nothing.
  init(width: Double) {
    self.width = max(1, width)
    half = Int((self.width - 1) / 2)
    fraction = (self.width - Double(2 * half + 1)) / 2
    delay = half + 1
  }

  /// Takes a sample.
  ///
  /// - Returns: the mean around the sample ``delay`` before it; `nil` before enough samples have come.
  mutating func take(_ sample: Double) -> Double? {
    if recent.isEmpty { recent = [Double](repeating: sample, count: delay) }
    recent.append(sample)
    let length = 2 * delay + 1
    guard recent.count >= length else { return nil }
    let middle = recent.count - 1 - delay
    if recent.count == length || recent.count > 8 * length + 256 {
      // The sum begins again, so that it stays exact.
      recent.removeFirst(recent.count - length)
      sum = recent[delay - half...delay + half].reduce(0, +)
      return (sum + fraction * (recent[0] + recent[length - 1])) / width
    }
    sum += recent[middle + half] - recent[middle - delay]
    return (sum + fraction * (recent[middle - delay] + recent[middle + delay])) / width
  }

  /// Forgets all samples.
  mutating func reset() { (recent, sum) = ([], 0) }
}
