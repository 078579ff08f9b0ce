package import Recordings

/// Computes measures of a series of intervals under a preset.
///
/// Statistics use all intervals, and differences of successive ones; spectrum and fluctuation analysis require a series
/// without gaps and use its longest stretch.
package struct HeartAnalysis: Sendable {
  /// The measured intervals; empty if a sensor's heart rates are measured.
  package let series: IntervalSeries

  let preset: AnalysisPreset

  /// The fraction of the recorded intervals that were corrected or dropped, from 0 to 1.
  let artefactShare: Double

  /// The artefact correction applied before; "none" without one.
  let correction: String

  /// A sensor's heart rates, if they are measured instead of intervals.
  let rates: HeartRateTrack?

  let differences: [Double]
  let stretch: Range<Int>

  /// Creates the analysis of an uncorrected series; its artefact fraction is that of invalid values.
  init(_ series: IntervalSeries, preset: AnalysisPreset = .station) {
    let given = series.count + series.omitted.count
    self.init(
      series, preset: preset, artefactShare: given == 0 ? 0 : Double(series.omitted.count) / Double(given),
      correction: "none")
  }

  /// Creates the analysis of a series whose artefacts were corrected or removed.
  package init(_ corrected: CorrectedSeries, preset: AnalysisPreset = .station) {
    self.init(
      corrected.corrected, preset: preset, artefactShare: corrected.artefactShare, correction: corrected.method)
  }

  init(
    _ series: IntervalSeries, rates: HeartRateTrack? = nil, preset: AnalysisPreset, artefactShare: Double,
    correction: String
  ) {
    self.series = series
    self.rates = rates
    self.preset = preset
    self.artefactShare = artefactShare
    self.correction = correction
    differences = series.successiveDifferences
    stretch = series.longestStretch
  }

  /// Computes measures, in the requested order; measures that need the spectrum share one.
  package func measurements(_ measures: [Measure] = Measure.ofHearts) -> [Measurement] {
    if let rates { return measures.map { measurement($0, of: rates) } }
    let spectrum = measures.contains { $0.domain == .frequency } ? self.spectrum : nil
    let matches = measures.contains(.sampleEntropy) ? TemplateMatches(in: series, preset.sampleEntropy) : nil
    let isFluctuating = measures.contains(.dfaAlpha1) || measures.contains(.dfaAlpha2)
    let fluctuation = isFluctuating ? DetrendedFluctuation(of: series.intervals[stretch], preset.fluctuation) : nil
    return measures.map { measure in
      measurement(measure, Parts(spectrum: spectrum, matches: matches, fluctuation: fluctuation))
    }
  }

  /// Computes one measure.
  package func measurement(_ measure: Measure) -> Measurement { measurements([measure])[0] }

  /// The spectrum behind the frequency measures, for drawing; `nil` if there are too few intervals.
  package var powerSpectrum: PowerSpectrum? { spectrum?.spectrum }

  private var spectrum: IntervalSpectrum? { preset.spectrum.spectrum(of: Array(series.intervals[stretch])) }

  /// The intermediate results that several measures share.
  struct Parts {
    var spectrum: IntervalSpectrum?
    var matches: TemplateMatches?
    var fluctuation: DetrendedFluctuation?
  }

  private func measurement(_ measure: Measure, _ parts: Parts) -> Measurement {
    let used = used(measure, parts)
    let outcome: Measurement.Outcome
    if series.count == 0 {
      outcome = .missing(.noIntervals)
    } else if let number = value(measure, parts), number.isFinite {
      outcome = .value(number)
    } else {
      outcome = .missing(reason(measure, parts))
    }
    return Measurement(
      measure: measure, outcome: outcome, unit: unit(measure), definition: definition(measure),
      parameters: parameters(measure, parts), preset: preset.name, correction: correction, window: used.window,
      knownSeconds: used.seconds, beatsUsed: used.count, artefactShare: artefactShare,
      caveats: caveats(measure, parts, used))
  }

  /// The intervals used by a measure.
  struct Used {
    var count = 0
    /// Their total duration.
    var seconds = 0.0
    var window: ClosedRange<Double>
  }

  private func used(_ measure: Measure, _ parts: Parts) -> Used {
    let ranges: [Range<Int>] =
      if measure.domain == .frequency {
        [stretch.prefix(parts.spectrum?.intervalsUsed ?? stretch.count)]
      } else if usesStretch(measure) {
        [stretch]
      } else if measure == .lastHeartRate {
        [(0..<series.count).suffix(1)]
      } else if measure.isOfDifferences || measure == .sd2 && preset.poincare != .identities {
        series.stretches.filter { $0.count > 1 }
      } else {
        [0..<series.count]
      }
    guard let first = ranges.first?.first, let last = ranges.last?.last else {
      return Used(window: series.start...series.start)
    }
    return Used(
      count: ranges.reduce(0) { $0 + $1.count },
      seconds: ranges.reduce(0) { series.intervals[$1].reduce($0, +) } / 1000,
      window: series.ends[first] - series.intervals[first] / 1000...series.ends[last])
  }

  /// Whether a measure needs intervals without a gap.
  func usesStretch(_ measure: Measure) -> Bool {
    measure.domain == .frequency || measure == .dfaAlpha1 || measure == .dfaAlpha2
  }
}

extension Measure {
  /// Whether it is computed from successive differences only.
  var isOfDifferences: Bool {
    switch self {
    case .sdsd, .rmssd, .nn50, .pnn50, .pnn20, .sd1: true
    default: false
    }
  }
}
