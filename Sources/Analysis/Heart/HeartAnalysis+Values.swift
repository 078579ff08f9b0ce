import Recordings

extension HeartAnalysis {
  /// The number, if it is defined.
  func value(_ measure: Measure, _ parts: Parts) -> Double? {
    switch measure.domain {
    case .heartRate: heartRate(measure)
    case .time: timeDomain(measure)
    case .nonlinear: nonlinear(measure, parts)
    case .frequency: parts.spectrum.flatMap { frequency(measure, $0) }
    case .samples: nil
    }
  }

  private func heartRate(_ measure: Measure) -> Double? {
    let intervals = series.intervals
    return switch measure {
    case .meanHeartRate: mean(intervals.map { 60_000 / $0 })
    case .timeWeightedHeartRate: mean(intervals).map { 60_000 / $0 }
    case .minimumHeartRate: intervals.max().map { 60_000 / $0 }
    case .maximumHeartRate: intervals.min().map { 60_000 / $0 }
    default: intervals.last.map { 60_000 / $0 }
    }
  }

  private func timeDomain(_ measure: Measure) -> Double? {
    switch measure {
    case .meanNN: return mean(series.intervals)
    case .sdnn: return standardDeviation(series.intervals, lostDegrees: 1)
    case .sdsd:
      return switch preset.differenceDeviation {
      case .sample: standardDeviation(differences, lostDegrees: 1)
      case .population: standardDeviation(differences, lostDegrees: 0)
      case .magnitudes: standardDeviation(differences.map(\.magnitude), lostDegrees: 1)
      }
    case .rmssd:
      return differences.isEmpty
        ? nil : (differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count)).squareRoot()
    case .nn50: return differences.isEmpty ? nil : Double(count(above: 50))
    case .pnn20: return share(above: 20)
    default: return share(above: 50)
    }
  }

  // A difference of exactly the limit, such as 18 samples at 360 Hz, is not above it because of binary rounding.
  private func count(above limit: Double) -> Int { differences.count { abs($0) > limit * (1 + 1e-9) } }

  private func share(above limit: Double) -> Double? {
    guard !differences.isEmpty else { return nil }
    let divisor = preset.shareDivisor == .differences ? differences.count : differences.count + 1
    return 100 * Double(count(above: limit)) / Double(divisor)
  }

  private func nonlinear(_ measure: Measure, _ parts: Parts) -> Double? {
    switch measure {
    case .sd1: return poincare?.sd1
    case .sd2: return poincare?.sd2
    case .sampleEntropy: return parts.matches?.entropy
    case .dfaAlpha1: return parts.fluctuation?.exponent(preset.fluctuation.short)
    default: return parts.fluctuation?.exponent(preset.fluctuation.long)
    }
  }

  private var poincare: (sd1: Double, sd2: Double)? {
    switch preset.poincare {
    case .identities:
      guard
        let sdsd = standardDeviation(differences, lostDegrees: 1),
        let sdnn = standardDeviation(series.intervals, lostDegrees: 1)
      else { return nil }
      return (sdsd / 2.0.squareRoot(), max(0, 2 * sdnn * sdnn - sdsd * sdsd / 2).squareRoot())
    case .rotation(let lostDegrees):
      var sums: [Double] = []
      for stretch in series.stretches {
        for index in stretch.dropFirst() { sums.append(series.intervals[index] + series.intervals[index - 1]) }
      }
      guard
        let across = standardDeviation(differences, lostDegrees: lostDegrees),
        let along = standardDeviation(sums, lostDegrees: lostDegrees)
      else { return nil }
      return (across / 2.0.squareRoot(), along / 2.0.squareRoot())
    }
  }

  private func frequency(_ measure: Measure, _ spectrum: IntervalSpectrum) -> Double? {
    let settings = preset.spectrum
    if measure == .vlf { return spectrum.power(in: settings.vlf) }
    if measure == .lf { return spectrum.power(in: settings.lf) }
    guard let hf = spectrum.power(in: settings.hf) else { return nil }
    if measure == .hf { return hf }
    guard let lf = spectrum.power(in: settings.lf) else { return nil }
    if measure == .lfToHF { return lf / hf }
    let part = measure == .lfNormalised ? lf : hf
    return settings.normalisation == .lfAndHF ? 100 * part / (lf + hf) : part / spectrum.totalPower
  }
}
