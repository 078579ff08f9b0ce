/// Welch's averaged periodogram of an evenly sampled signal.
///
/// IEEE Transactions on Audio and Electroacoustics 15:70, 1967.
///
/// Segments overlap by half; the remainder at the end is not used. The scale is that of a one-sided density, so that
/// the sum of densities times their step is the signal's mean square.
struct WelchSpectrum {
  /// Samples per second.
  var rate: Double

  /// The number of samples in a segment; a shorter signal is one segment.
  var segment: Int

  /// The number of points in the transform; segments are zero-padded to it.
  var transform: Int

  /// The window function of the segments.
  var window: SpectralWindow

  /// Whether each segment's mean is subtracted.
  var removesMean: Bool

  /// The spectrum of a non-empty signal.
  func spectrum(of signal: [Double]) -> PowerSpectrum {
    precondition(!signal.isEmpty, "a spectrum needs a signal")
    let length = min(segment, signal.count)
    let points = max(transform, length)
    let weights = (0..<length).map { window.weight(at: Double($0) / Double(length)) }
    let fourier = FourierTransform(count: points)
    let step = length - length / 2
    var sums = [Double](repeating: 0, count: points / 2 + 1)
    var (segments, end) = (0, 0)
    var padded = [Double](repeating: 0, count: points)
    for start in stride(from: 0, through: signal.count - length, by: step) {
      let part = signal[start..<start + length]
      let mean = removesMean ? part.reduce(0, +) / Double(length) : 0
      for index in 0..<length { padded[index] = (signal[start + index] - mean) * weights[index] }
      for (bin, power) in fourier.powers(of: padded).enumerated() { sums[bin] += power }
      segments += 1
      end = start + length
    }
    let scale = 1 / (rate * weights.reduce(0) { $0 + $1 * $1 } * Double(segments))
    for bin in sums.indices {
      // Every bin except the first and that of the Nyquist frequency includes the power of its mirror image.
      let isAlone = bin == 0 || 2 * bin == points
      sums[bin] *= isAlone ? scale : 2 * scale
    }
    // In NumPy's order of rounding, so that a frequency on a band's bound belongs to the same band.
    return PowerSpectrum(
      firstFrequency: 0, frequencyStep: 1 / (Double(points) * (1 / rate)), densities: sums, segments: segments,
      duration: Double(end - 1) / rate)
  }
}
