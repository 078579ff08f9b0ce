import Basics
import Recordings
import Study

extension HeartAnalysis {
  /// Why a measure has no number; for a series with at least one interval.
  func reason(_ measure: Measure, _ parts: Parts) -> MissingNumber {
    switch measure {
    case .sdnn: return .oneInterval
    case .sdsd, .rmssd, .nn50, .pnn50, .pnn20, .sd1, .sd2:
      return differences.isEmpty ? .noDifferences : .oneDifference
    case .sampleEntropy:
      let length = preset.sampleEntropy.templateLength
      guard let matches = parts.matches else { return .fewRuns(length: length + 1) }
      if matches.isConstant { return .constantIntervals }
      return .noSimilarRuns(length: matches.short == 0 ? length : length + 1, tolerance_ms: matches.tolerance)
    case .dfaAlpha1, .dfaAlpha2:
      let scales = measure == .dfaAlpha1 ? preset.fluctuation.short : preset.fluctuation.long
      let lengths = scales.lengths(of: stretch.count)
      let longest = lengths.last ?? 0
      guard lengths.count >= 2, stretch.count > longest else {
        return .fewForScales(limit: lengths.count < 2 ? nil : longest, intervals: stretch.count)
      }
      return .constantIntervals
    case .vlf, .lf, .hf, .lfToHF, .lfNormalised, .hfNormalised:
      guard let spectrum = parts.spectrum else {
        return preset.spectrum.isTooLong(series.intervals[stretch])
          ? .tooLongForSpectrum(limit_h: preset.spectrum.longestDuration / 3600) : .fewForSpectrum
      }
      let needed: [ClosedRange<Double>] =
        switch measure {
        case .vlf: [preset.spectrum.vlf]
        case .lf: [preset.spectrum.lf]
        case .hf: [preset.spectrum.hf]
        default: [preset.spectrum.lf, preset.spectrum.hf]
        }
      return needed.contains { spectrum.power(in: $0) == nil } ? .noFrequencyInBand : .constantIntervals
    case .meanHeartRate, .timeWeightedHeartRate, .minimumHeartRate, .maximumHeartRate, .lastHeartRate, .meanNN, .mean,
      .sd, .minimum, .median, .maximum, .slope:
      return .overflow
    }
  }

  func caveats(_ measure: Measure, _ parts: Parts, _ used: Used) -> [AnalysisCaveat] {
    guard used.count > 0 else { return [] }
    var caveats = gapCaveats(measure)
    if let spectrum = parts.spectrum, measure.domain == .frequency {
      if spectrum.covered < 0.9 * spectrum.available {
        caveats.append(.segments(covered_s: spectrum.covered, available_s: spectrum.available))
      }
      let (bound, half) = (preset.spectrum.hf.upperBound, Double(used.count) / used.seconds / 2)
      if measure != .vlf, measure != .lf, bound > half { caveats.append(.slowHeart(bound_Hz: bound, half_Hz: half)) }
    }
    switch measure.minimum(preset) {
    // Rounding may make a sum of intervals slightly smaller.
    case .seconds(let least, let source)? where used.seconds < least - 1e-6:
      let hasGaps = !series.breaks.isEmpty && !usesStretch(measure)
      caveats.append(.short(known_s: used.seconds, least_s: least, source: source, hasGaps: hasGaps))
    case .intervals(let least, let source)? where used.count < least:
      caveats.append(.fewIntervals(count: used.count, least: least, source: source))
    case .moreIntervals(let limit, let source)? where used.count <= limit:
      caveats.append(.noMoreIntervals(count: used.count, limit: limit, source: source))
    default: break
    }
    if artefactShare > 0.05 { caveats.append(.artefacts(share: artefactShare)) }
    return caveats
  }

  private func gapCaveats(_ measure: Measure) -> [AnalysisCaveat] {
    guard !series.breaks.isEmpty, measure != .lastHeartRate else { return [] }
    if usesStretch(measure) {
      let seconds = series.intervals[stretch].reduce(0, +) / 1000
      return [.longestStretch(gaps: series.breaks.count, stretch_s: seconds)]
    }
    let gaps = AnalysisCaveat.gapsInWindow(
      count: series.breaks.count, known_s: series.intervals.reduce(0, +) / 1000, whole_s: series.duration,
      differences: measure.isOfDifferences ? differences.count : nil)
    return measure == .sd2 && preset.poincare == .identities ? [gaps, .unlikeIntervals] : [gaps]
  }
}

/// A number for a sentence, with at most one decimal.
func shown(_ number: Double) -> String {
  let tenths = (number * 10).rounded() / 10
  return tenths == tenths.rounded() && abs(tenths) < 1e15 ? "\(Int(tenths))" : "\(tenths)"
}

extension Measure {
  /// The minimum length of a window by the literature.
  enum Minimum {
    case seconds(Double, source: String)
    case intervals(Int, source: String)
    case moreIntervals(than: Int, source: String)
  }

  /// The minimum length of a window, with its source; `nil` if the station knows none.
  func minimum(_ preset: AnalysisPreset) -> Minimum? {
    switch self {
    case .sdnn, .sdsd, .rmssd, .nn50, .pnn50, .pnn20, .sd1, .sd2:
      return .seconds(
        PlanCaveat.minForVariability.seconds,
        source: "five minutes is the short-term standard (Task Force 1996), and shorter windows are mostly not "
          + "validated (Shaffer, Meehan and Zerr 2020)")
    case .vlf: return tenWaves(of: preset.spectrum.vlf)
    case .lf, .lfToHF, .lfNormalised, .hfNormalised: return tenWaves(of: preset.spectrum.lf)
    case .hf: return tenWaves(of: preset.spectrum.hf)
    case .sampleEntropy:
      return .moreIntervals(
        than: 200, source: "sample entropy of short series depends on its parameters (Yentes and others 2013)")
    case .dfaAlpha1, .dfaAlpha2:
      let scales = self == .dfaAlpha1 ? preset.fluctuation.short : preset.fluctuation.long
      guard case .range(let range) = scales else { return nil }
      return .intervals(
        10 * range.upperBound, source: "the longest windows then occur less than ten times, and vary by chance")
    case .meanHeartRate, .timeWeightedHeartRate, .minimumHeartRate, .maximumHeartRate, .lastHeartRate, .meanNN, .mean,
      .sd, .minimum, .median, .maximum, .slope:
      return nil
    }
  }

  private func tenWaves(of band: ClosedRange<Double>) -> Minimum? {
    // A band that begins at zero has no longest period.
    guard band.lowerBound > 0 else { return nil }
    return .seconds(
      10 / band.lowerBound,
      source: "a recording should last ten waves of the band's lowest frequency (Task Force 1996)")
  }
}

extension Measure {
  /// The minimum window in seconds by the literature; `nil` if there is none, or if it is not a duration.
  package func minSeconds(_ preset: AnalysisPreset) -> Double? {
    guard case .seconds(let seconds, _) = minimum(preset) else { return nil }
    return seconds
  }
}
