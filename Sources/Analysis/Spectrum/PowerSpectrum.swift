/// A one-sided power spectral density on evenly spaced frequencies.
package struct PowerSpectrum: Hashable, Sendable {
  /// The lowest frequency, in hertz.
  package let firstFrequency: Double

  /// How far the frequencies lie apart, in hertz.
  package let frequencyStep: Double

  /// The density at each frequency: milliseconds squared per hertz, unless a preset scales it.
  package internal(set) var densities: [Double]

  /// How many segments were averaged.
  package let segments: Int

  /// From the signal's first sample, or beat, to the last segment's last one, in seconds; what comes after is not in the
  /// spectrum.
  package let duration: Double

  /// The frequency of a density, in hertz.
  package func frequency(_ index: Int) -> Double { firstFrequency + Double(index) * frequencyStep }

  /// The frequencies, in hertz.
  package var frequencies: [Double] { densities.indices.map(frequency) }

  /// The power of a band; `nil` where too few frequencies lie in it for the rule.
  ///
  /// - Parameters:
  ///   - band: the band's bounds in hertz.
  ///   - rule: how the densities are added up, and whether the upper bound belongs to the band.
  ///   - lowest: frequencies below it are left out.
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

/// How a band's power is made of densities.
package enum BandRule: String, Hashable, Sendable {
  /// Their sum times the step; a band begins at its lower bound and ends before its upper one.
  case sum = "sum of densities times step, lower bound included, upper bound not"

  /// Their sum times the step; both bounds belong to the band.
  case sumWithBothBounds = "sum of densities times step, both bounds included"

  /// The area under straight lines between the densities inside, lower bound included and upper bound not.
  case trapezoids = "trapezoids between the densities inside, lower bound included, upper bound not"
}

/// The weights that a segment is multiplied with.
package enum SpectralWindow: String, Hashable, Sendable {
  /// Hann's, periodic.
  case hann = "Hann"

  /// Hamming's, periodic.
  case hamming = "Hamming"

  /// The weight at a place from 0 up to 1 through the segment.
  func weight(at place: Double) -> Double {
    switch self {
    case .hann: 0.5 - 0.5 * cosine(2 * .pi * place)
    case .hamming: 0.54 - 0.46 * cosine(2 * .pi * place)
    }
  }
}
