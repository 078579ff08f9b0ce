extension HeartAnalysis {
  /// The unit of a measure under the preset.
  func unit(_ measure: Measure) -> String {
    switch measure {
    case .meanHeartRate, .timeWeightedHeartRate, .minimumHeartRate, .maximumHeartRate, .lastHeartRate: "/min"
    case .meanNN, .sdnn, .sdsd, .rmssd, .sd1, .sd2: "ms"
    case .pnn50, .pnn20: "%"
    case .nn50, .sampleEntropy, .dfaAlpha1, .dfaAlpha2, .lfToHF: "1"
    case .vlf, .lf, .hf: preset.spectrum.isDividedByMaximum ? "1" : "ms2"
    case .lfNormalised, .hfNormalised: preset.spectrum.normalisation == .lfAndHF ? "%" : "1"
    case .mean, .sd, .minimum, .median, .maximum, .slope: "1"
    }
  }

  /// The definition of a measure under the preset.
  func definition(_ measure: Measure) -> String {
    let bands = preset.spectrum
    return switch measure {
    case .meanHeartRate: "mean of 60000 / NN"
    case .timeWeightedHeartRate: "60000 / mean NN"
    case .minimumHeartRate: "60000 / longest NN"
    case .maximumHeartRate: "60000 / shortest NN"
    case .lastHeartRate: "60000 / last NN"
    case .meanNN: "mean of NN"
    case .sdnn: "standard deviation of NN, n - 1"
    case .sdsd:
      switch preset.differenceDeviation {
      case .sample: "standard deviation of successive differences, n - 1"
      case .population: "standard deviation of successive differences, n"
      case .magnitudes: "standard deviation of the magnitudes of successive differences, n - 1"
      }
    case .rmssd: "root of the mean of squared successive differences"
    case .nn50: "number of successive differences above 50 ms"
    case .pnn50: "100 * NN50 / \(divisor)"
    case .pnn20: "100 * NN20 / \(divisor)"
    case .sd1:
      switch preset.poincare {
      case .identities: "SDSD / sqrt(2), n - 1"
      case .rotation(let lost): "standard deviation of (NN[i] - NN[i+1]) / sqrt(2), \(denominator(lost))"
      }
    case .sd2:
      switch preset.poincare {
      case .identities: "sqrt(2 SDNN^2 - SDSD^2 / 2), n - 1"
      case .rotation(let lost): "standard deviation of (NN[i] + NN[i+1]) / sqrt(2), \(denominator(lost))"
      }
    case .sampleEntropy: "-ln(A / B), pairs of templates of m + 1 and of m intervals within r, maximum norm"
    case .dfaAlpha1, .dfaAlpha2: "slope of ln F(n) on ln n, F(n) about lines of least squares through the summed NN"
    case .vlf: "power of NN \(text(bands.vlf))"
    case .lf: "power of NN \(text(bands.lf))"
    case .hf: "power of NN \(text(bands.hf))"
    case .lfToHF: "LF / HF"
    case .lfNormalised: bands.normalisation == .lfAndHF ? "100 * LF / (LF + HF)" : "LF / power from 0 to 0.5 Hz"
    case .hfNormalised: bands.normalisation == .lfAndHF ? "100 * HF / (LF + HF)" : "HF / power from 0 to 0.5 Hz"
    case .mean, .sd, .minimum, .median, .maximum, .slope: measure.definitionOfSamples
    }
  }

  private var divisor: String {
    preset.shareDivisor == .differences ? "number of differences" : "(number of differences + 1)"
  }

  /// The denominator of squares, for a number of lost degrees of freedom.
  private func denominator(_ lost: Int) -> String {
    lost == 0 ? "n" : lost > 0 ? "n - \(lost)" : "n + \(-lost)"
  }

  private func text(_ band: ClosedRange<Double>) -> String { "from \(band.lowerBound) to \(band.upperBound) Hz" }

  /// The parameters of a measure's definition.
  func parameters(_ measure: Measure, _ parts: Parts) -> [Measurement.Parameter] {
    switch measure {
    case .sampleEntropy:
      let settings = preset.sampleEntropy
      var pairs = [
        ("m", "\(settings.templateLength)"),
        ("r", "\(settings.toleranceFactor) standard deviations, \(denominator(settings.lostDegrees))"),
        ("match", settings.isClosed ? "distance at most r" : "distance below r"),
      ]
      if let matches = parts.matches {
        pairs += [("r in ms", "\(matches.tolerance)"), ("A", "\(matches.long)"), ("B", "\(matches.short)")]
      }
      return pairs.map(Measurement.Parameter.init)
    case .dfaAlpha1, .dfaAlpha2:
      let scales = measure == .dfaAlpha1 ? preset.fluctuation.short : preset.fluctuation.long
      let lengths = scales.lengths(of: stretch.count)
      let range = lengths.first.flatMap { first in lengths.last.map { "every one from \(first) to \($0) intervals" } }
      var pairs = [
        ("window lengths", range ?? "none, since there are too few intervals"),
        ("windows", preset.fluctuation.overlaps ? "overlapping by half" : "side by side"),
      ]
      let least = preset.fluctuation.leastMeanSquare
      if least >= 0 { pairs.append(("left out", "windows whose mean square is at most \(least) ms2")) }
      return pairs.map(Measurement.Parameter.init)
    case .vlf, .lf, .hf, .lfToHF, .lfNormalised, .hfNormalised:
      var pairs = preset.spectrum.parameters
      if let spectrum = parts.spectrum {
        pairs.append(("segments averaged", "\(spectrum.spectrum.segments)"))
        pairs.append(("signal used", "\(shown(spectrum.covered)) of \(shown(spectrum.available)) s"))
      }
      return pairs.map(Measurement.Parameter.init)
    default: return []
    }
  }
}

extension SpectrumSettings {
  /// The parameters reported with a number.
  var parameters: [(String, String)] {
    var pairs: [(String, String)]
    switch method {
    case .welch(let welch):
      pairs = [
        ("method", "Welch"), ("interpolation", welch.interpolation.rawValue), ("rate", "\(welch.rate) Hz"),
        ("samples", welch.grid.rawValue), ("signal mean", welch.removesOverallMean ? "removed" : "kept"),
        ("window", welch.window.rawValue), ("segment", welch.segment.text), ("overlap", "50 %"),
        ("transform", welch.transform.text), ("segment mean", welch.removesSegmentMean ? "removed" : "kept"),
      ]
    case .lombScargle(let lomb):
      pairs = [
        ("method", "Lomb-Scargle"), ("window", lomb.window.rawValue), ("segment", "\(lomb.segment) s"),
        ("overlap", "50 %"), ("frequency step", "\(lomb.frequencyStep) Hz"), ("segment mean", "removed"),
      ]
    }
    pairs.append(("band power", rule.rawValue))
    if omitsSlowest { pairs.append(("lowest frequency", "four over the duration")) }
    if isDividedByMaximum { pairs.append(("scale", "divided by the largest density")) }
    return pairs
  }
}

extension WelchSettings.Segment {
  /// The length as text.
  var text: String {
    switch self {
    case .samples(let count): "\(count) samples, or all there are"
    case .half: "half the signal"
    case .samplesByDuration(let shorter, let longer, let limit):
      "\(shorter) samples, or all there are, below \(limit) s, and \(longer) from there on"
    }
  }
}

extension WelchSettings.Transform {
  /// The number of points as text.
  var text: String {
    switch self {
    case .segment: "as many points as the segment"
    case .twiceSegment: "twice as many points as the segment"
    case .points(let count): "\(count) points"
    }
  }
}
