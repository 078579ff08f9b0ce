/// Welch's averaged periodogram of an evenly sampled signal.
///
/// IEEE Transactions on Audio and Electroacoustics 15:70, 1967.
///
/// Segments overlap by half; what is left at the end is not used. The scale is that of a one-sided density, so that the
/// sum of densities times their step is the signal's mean square.
struct WelchSpectrum {
  /// Samples a second.
  var rate: Double

  /// Samples in a segment; a signal that is shorter is one segment.
  var segment: Int

  /// Points of the transform; a segment is filled up with zeros to as many.
  var transform: Int

  /// The segments' weights.
  var window: SpectralWindow

  /// Whether each segment's own mean is taken off.
  var removesMean: Bool

  /// The spectrum of a signal, which may not be empty.
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
      // Every bin but the first, and that of half the rate, stands for its mirror image as well.
      let isAlone = bin == 0 || 2 * bin == points
      sums[bin] *= isAlone ? scale : 2 * scale
    }
    // In NumPy's order of rounding: a frequency on a band's bound belongs to the same band.
    return PowerSpectrum(
      firstFrequency: 0, frequencyStep: 1 / (Double(points) * (1 / rate)), densities: sums, segments: segments,
      duration: Double(end - 1) / rate)
  }
}
