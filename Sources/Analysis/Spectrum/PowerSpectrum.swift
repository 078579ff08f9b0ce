/// A one-sided power spectral density on evenly spaced frequencies.
package struct PowerSpectrum: Hashable, Sendable {
  /// The lowest frequency, in hertz.
  package let firstFrequency: Double

  /// The spacing of the frequencies, in hertz.
  package let frequencyStep: Double

  /// The density at each frequency: milliseconds squared per hertz, unless a preset scales it.
  package internal(set) var densities: [Double]

  /// The number of averaged segments.
  package let segments: Int

  /// The time from the signal's first sample or beat to the end of the last segment, in seconds; the remainder is not
  /// in the spectrum.
  package let duration: Double

  /// The frequency of a density, in hertz.
  package func frequency(_ index: Int) -> Double { firstFrequency + Double(index) * frequencyStep }

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
package enum BandRule: String, Hashable, Sendable {
  /// Their sum times the step, over a half-open range: with the lower bound, without the upper one.
  case sum = "sum of densities times step, lower bound included, upper bound not"

  /// Their sum times the step, with both bounds.
  case sumWithBothBounds = "sum of densities times step, both bounds included"

  /// The area under straight lines between the densities inside, with the lower bound and without the upper one.
  case trapezoids = "trapezoids between the densities inside, lower bound included, upper bound not"
}

/// The window functions for segments.
package enum SpectralWindow: String, Hashable, Sendable {
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
