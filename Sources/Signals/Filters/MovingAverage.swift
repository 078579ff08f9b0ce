/// The mean of the samples around each sample, over a width that need not be a whole number of samples.
///
/// A width of 1/50 s cancels a hum of 50 Hz and its multiples, but for a few hundredths where it is no whole number of
/// samples. The output for a sample comes ``delay`` samples later; before the first sample the signal is taken to have been
/// the same as there.
package struct MovingAverage: Sendable {
  /// The number of samples that are averaged.
  package let width: Double
  /// The number of samples by which the output is later than the input.
  package let delay: Int

  private let half: Int
  private let fraction: Double
  private var recent: [Double] = []
  /// The sum of the whole samples around the middle.
  private var sum = 0.0

  /// Creates a moving average.
  ///
  /// - Parameter width: the number of samples that are averaged; smaller ones than 1 do nothing.
  package init(width: Double) {
    self.width = max(1, width)
    half = Int((self.width - 1) / 2)
    fraction = (self.width - Double(2 * half + 1)) / 2
    delay = half + 1
  }

  /// Takes a sample.
  ///
  /// - Returns: the mean around the sample ``delay`` before it; `nil` before enough samples have come.
  package mutating func take(_ sample: Double) -> Double? {
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
  package mutating func reset() { (recent, sum) = ([], 0) }
}
