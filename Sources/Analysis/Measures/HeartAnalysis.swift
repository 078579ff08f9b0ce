/// Measures of a series of intervals under a preset.
///
/// Statistics use all intervals, and differences of those that follow one another; spectrum and fluctuation analysis need
/// a series without gaps and use its longest stretch.
public struct HeartAnalysis: Sendable {
  /// The intervals that are measured; none where a sensor's heart rates are.
  public let series: IntervalSeries

  /// The choices.
  public let preset: AnalysisPreset

  /// The share of the recorded intervals that were corrected or left out, from 0 to 1.
  public let artefactShare: Double

  /// A sensor's heart rates, where they are measured instead of intervals.
  let rates: HeartRateTrack?

  let differences: [Double]
  let stretch: Range<Int>

  /// The analysis of a series as it is; its artefact share is that of the values that were no intervals.
  public init(_ series: IntervalSeries, preset: AnalysisPreset = .station) {
    let given = series.count + series.omitted.count
    self.init(series, preset: preset, artefactShare: given == 0 ? 0 : Double(series.omitted.count) / Double(given))
  }

  /// The analysis of a series whose artefacts were corrected or taken out.
  public init(_ corrected: CorrectedSeries, preset: AnalysisPreset = .station) {
    self.init(corrected.corrected, preset: preset, artefactShare: corrected.artefactShare)
  }

  init(
    _ series: IntervalSeries, rates: HeartRateTrack? = nil, preset: AnalysisPreset, artefactShare: Double
  ) {
    self.series = series
    self.rates = rates
    self.preset = preset
    self.artefactShare = artefactShare
    differences = series.successiveDifferences
    stretch = series.longestStretch
  }

  /// Measures, in the order asked for; one spectrum serves all that need it.
  public func measurements(_ measures: [Measure] = Measure.allCases) -> [Measurement] {
    if let rates { return measures.map { measurement($0, of: rates) } }
    let spectrum = measures.contains { $0.domain == .frequency } ? self.spectrum : nil
    let matches = measures.contains(.sampleEntropy) ? TemplateMatches(in: series, preset.sampleEntropy) : nil
    let isFluctuating = measures.contains(.dfaAlpha1) || measures.contains(.dfaAlpha2)
    let fluctuation = isFluctuating ? DetrendedFluctuation(of: series.intervals[stretch], preset.fluctuation) : nil
    return measures.map { measure in
      measurement(measure, Parts(spectrum: spectrum, matches: matches, fluctuation: fluctuation))
    }
  }

  /// One measure.
  public func measurement(_ measure: Measure) -> Measurement { measurements([measure])[0] }

  /// The spectrum that the frequency measures are read off, for drawing; `nil` where there are too few intervals.
  public var powerSpectrum: PowerSpectrum? { spectrum?.spectrum }

  private var spectrum: IntervalSpectrum? { preset.spectrum.spectrum(of: Array(series.intervals[stretch])) }

  /// What several measures share.
  struct Parts {
    var spectrum: IntervalSpectrum?
    var matches: TemplateMatches?
    var fluctuation: DetrendedFluctuation?
  }

  private func measurement(_ measure: Measure, _ parts: Parts) -> Measurement {
    let used = usesStretch(measure) ? stretch : 0..<series.count
    let outcome: Measurement.Outcome
    if series.count == 0 {
      outcome = .missing("There is no interval between beats in this window.")
    } else if let number = value(measure, parts), number.isFinite {
      outcome = .value(number)
    } else {
      outcome = .missing(reason(measure, parts))
    }
    let window =
      used.isEmpty
      ? series.start...series.start
      : series.ends[used.lowerBound] - series.intervals[used.lowerBound] / 1000...series.ends[used.upperBound - 1]
    return Measurement(
      measure: measure, outcome: outcome, unit: unit(measure), definition: definition(measure),
      parameters: parameters(measure, parts), preset: preset.name, window: window,
      beatsUsed: measure == .lastHeartRate ? min(1, used.count) : used.count, artefactShare: artefactShare,
      warnings: warnings(measure, seconds: window.upperBound - window.lowerBound, used: used.count))
  }

  /// Whether a measure needs intervals without a gap.
  func usesStretch(_ measure: Measure) -> Bool {
    measure.domain == .frequency || measure == .dfaAlpha1 || measure == .dfaAlpha2
  }
}
