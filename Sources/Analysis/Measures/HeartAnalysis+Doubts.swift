import Recordings

extension HeartAnalysis {
  /// Why a measure has no number, as a sentence; for a series with at least one interval.
  func reason(_ measure: Measure, _ parts: Parts) -> String {
    switch measure {
    case .sdnn: return "One interval has no spread; at least two are needed."
    case .sdsd, .rmssd, .nn50, .pnn50, .pnn20, .sd1, .sd2:
      if differences.isEmpty { return "No two intervals follow one another in this window." }
      return "One difference between intervals has no spread; at least two are needed."
    case .sampleEntropy:
      let length = preset.sampleEntropy.templateLength
      guard let matches = parts.matches else {
        return "Sample entropy compares runs of \(length + 1) intervals, and there are fewer than two."
      }
      if matches.isConstant { return "The intervals do not vary, so that every run of them is like every other." }
      return matches.short == 0
        ? "No two runs of \(length) intervals are alike within \(shown(matches.tolerance)) ms."
        : "No two runs of \(length + 1) intervals are alike within \(shown(matches.tolerance)) ms."
    case .dfaAlpha1, .dfaAlpha2:
      let scales = measure == .dfaAlpha1 ? preset.fluctuation.short : preset.fluctuation.long
      let lengths = scales.lengths(of: stretch.count)
      let longest = lengths.last ?? 0
      if lengths.count < 2 || stretch.count <= longest {
        let needed = lengths.count < 2 ? "more" : "more than \(longest)"
        return "Its windows need \(needed) intervals without a gap, and there are \(stretch.count)."
      }
      return "The intervals do not vary, so that there is no fluctuation to scale."
    case .vlf, .lf, .hf, .lfToHF, .lfNormalised, .hfNormalised:
      guard let spectrum = parts.spectrum else {
        return preset.spectrum.isTooLong(series.intervals[stretch])
          ? "The intervals without a gap last longer than a spectrum of this preset is made for, "
            + "\(shown(preset.spectrum.longestDuration / 3600)) hours."
          : "There are too few intervals without a gap for a spectrum."
      }
      let needed: [ClosedRange<Double>] =
        switch measure {
        case .vlf: [preset.spectrum.vlf]
        case .lf: [preset.spectrum.lf]
        case .hf: [preset.spectrum.hf]
        default: [preset.spectrum.lf, preset.spectrum.hf]
        }
      return needed.contains { spectrum.power(in: $0) == nil }
        ? "The window is so short that no frequency of its spectrum lies in the band."
        : "The intervals do not vary, so that there is no power to divide."
    case .meanHeartRate, .timeWeightedHeartRate, .minimumHeartRate, .maximumHeartRate, .lastHeartRate, .meanNN:
      return "The intervals are so long or so short that the number is beyond what a computer holds."
    }
  }

  /// The caveats on a measure.
  func caveats(_ measure: Measure, _ parts: Parts, _ used: Used) -> [MeasureCaveat] {
    guard used.count > 0 else { return [] }
    var caveats = gapDoubts(measure)
    if let spectrum = parts.spectrum, measure.domain == .frequency {
      if spectrum.covered < 0.9 * spectrum.available {
        caveats.append(.segments(covered: spectrum.covered, available: spectrum.available))
      }
      let (bound, half) = (preset.spectrum.hf.upperBound, Double(used.count) / used.seconds / 2)
      if measure != .vlf, measure != .lf, bound > half { caveats.append(.slowHeart(bound: bound, half: half)) }
    }
    switch measure.minimum(preset) {
    // Rounding may make a sum of intervals slightly smaller.
    case .seconds(let least, let source)? where used.seconds < least - 1e-6:
      let hasGaps = !series.breaks.isEmpty && !usesStretch(measure)
      caveats.append(.short(seconds: used.seconds, least: least, source: source, hasGaps: hasGaps))
    case .intervals(let least, let source)? where used.count < least:
      caveats.append(.fewIntervals(used.count, least: least, source: source))
    case .moreIntervals(let limit, let source)? where used.count <= limit:
      caveats.append(.noMoreIntervals(used.count, limit: limit, source: source))
    default: break
    }
    if artefactShare > 0.05 { caveats.append(.artefacts(share: artefactShare)) }
    return caveats
  }

  private func gapDoubts(_ measure: Measure) -> [MeasureCaveat] {
    guard !series.breaks.isEmpty, measure != .lastHeartRate else { return [] }
    if usesStretch(measure) {
      let seconds = series.intervals[stretch].reduce(0, +) / 1000
      return [.longestStretch(gaps: series.breaks.count, seconds: seconds)]
    }
    let gaps = MeasureCaveat.gaps(
      series.breaks.count, known: series.intervals.reduce(0, +) / 1000, whole: series.duration,
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
        300,
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
    case .meanHeartRate, .timeWeightedHeartRate, .minimumHeartRate, .maximumHeartRate, .lastHeartRate, .meanNN:
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
