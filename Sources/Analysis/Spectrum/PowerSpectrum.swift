/// A one-sided power spectral density on evenly spaced frequencies.
package struct PowerSpectrum: Hashable, Sendable {
  /// The lowest frequency, in hertz.
  let firstFrequency: Double

  /// The spacing of the frequencies, in hertz.
  let frequencyStep: Double

  /// The density at each frequency: milliseconds squared per hertz, unless a preset scales it.
  package internal(set) var densities: [Double]

  /// The number of averaged segments.
  let segments: Int

  /// The time from the signal's first sample or beat to the end of the last segment, in seconds; the remainder is not
  /// in the spectrum.
  let duration: Double

  /// The frequency of a density, in hertz.
  func frequency(_ index: Int) -> Double { firstFrequency + Double(index) * frequencyStep }

  /// The frequencies, in hertz.
  package var frequencies: [Double] { densities.indices.map(frequency) }

  /// The power of a band; `nil` if it has too few frequencies for the rule.
  ///
  /// - Parameters:
  ///   - band: the band's bounds in hertz.
  ///   - rule: the rule for summing, which also determines whether the upper bound belongs to the band.
  ///   - lowest: the frequency below which densities are excluded.
  /// - Returns: the power, in the density's unit times hertz.
  func power(in band: ClosedRange<Double>, rule: BandRule, lowest: Double = 0) -> Double? {
    let inside = densities.indices.filter { index in
      let frequency = frequency(index)
      let isBelowBound = rule == .sumWithBothBounds ? frequency <= band.upperBound : frequency < band.upperBound
      return frequency >= band.lowerBound && isBelowBound && frequency >= lowest
    }
    guard let first = inside.first, let last = inside.last else { return nil }
    let sum = inside.reduce(0) { $0 + densities[$1] }
    guard rule == .trapezoids else { return sum * frequencyStep }
    return last > first ? (sum - (densities[first] + densities[last]) / 2) * frequencyStep : nil
  }
}

/// The rule for computing a band's power from densities.
enum BandRule: String, Hashable, Sendable {
  /// Their sum times the step, over a half-open range: with the lower bound, without the upper one.
  case sum = "sum of densities times step, lower bound included, upper bound not"

  case sumWithBothBounds = "sum of densities times step, both bounds included"

  /// The area under straight lines between the densities inside, with the lower bound and without the upper one.
  case trapezoids = "trapezoids between the densities inside, lower bound included, upper bound not"
}

/// The window functions for segments.
enum SpectralWindow: String, Hashable, Sendable {
  /// The periodic Hann window.
  case hann = "Hann"

  /// The periodic Hamming window.
  case hamming = "Hamming"

  /// The weight at a position from 0 up to 1 within the segment.
  func weight(at place: Double) -> Double {
    switch self {
    case .hann: 0.5 - 0.5 * cosine(2 * .pi * place)
    case .hamming: 0.54 - 0.46 * cosine(2 * .pi * place)
    }
  }
}

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
