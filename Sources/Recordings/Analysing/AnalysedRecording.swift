public import Analysis

/// How recordings are measured.
public struct AnalysisSettings: Hashable, Sendable {
  /// The choices within definitions.
  public var preset: AnalysisPreset

  /// What is done about artefacts.
  public var correction: ArtefactCorrection

  /// What is measured, in this order.
  public var measures: [Measure]

  /// Settings.
  public init(
    preset: AnalysisPreset = .station, correction: ArtefactCorrection = .lipponenTarvainen,
    measures: [Measure] = Measure.allCases
  ) {
    self.preset = preset
    self.correction = correction
    self.measures = measures
  }
}

/// A recording with its artefacts corrected, ready to be measured in any window.
public struct AnalysedRecording: Sendable {
  /// What was recorded, as it was.
  public let recording: Recording

  /// How it is measured.
  public let settings: AnalysisSettings

  /// The intervals beside what remains of them without artefacts; empty for a recording of heart rates alone.
  public let series: CorrectedSeries

  /// The heart rate over time, without artefacts.
  public let track: HeartRateTrack

  /// Corrects the whole recording once, so that every window is corrected alike.
  public init(_ recording: Recording, _ settings: AnalysisSettings = AnalysisSettings()) {
    self.recording = recording
    self.settings = settings
    series = settings.correction.correct(recording.beats ?? IntervalSeries([]))
    track = series.raw.count == 0 ? recording.track : HeartRateTrack(series.corrected)
  }

  /// Whether the sensor's own heart rates are measured, since there are no intervals between beats.
  public var usesRates: Bool { series.raw.count == 0 && !recording.rates.values.isEmpty }

  /// The measures of a window; an interval belongs to it when it lies in it wholly.
  public func measured(in window: AnalysisWindow, _ measures: [Measure]? = nil) -> MeasuredWindow {
    let placed = recording.place(window)
    let measures = measures ?? settings.measures
    guard let bounds = placed.bounds else {
      let nothing = HeartAnalysis(IntervalSeries([]), preset: settings.preset).measurements(measures)
      return MeasuredWindow(
        placed: placed, series: CorrectedSeries(uncorrected: IntervalSeries([])),
        measurements: nothing.map { $0.missing(placed.remark ?? "The window has no place.") }, coverage: 0)
    }
    let part = placed.window == .whole ? series : series.cut(from: bounds.lowerBound, to: bounds.upperBound)
    let coverage = track.mean(from: bounds.lowerBound, to: bounds.upperBound).coverage
    let measurements =
      (usesRates
      ? HeartAnalysis(
        rates: recording.track.cut(from: bounds.lowerBound, to: bounds.upperBound), preset: settings.preset)
      : HeartAnalysis(part, preset: settings.preset))
      .measurements(measures)
    return MeasuredWindow(placed: placed, series: part, measurements: measurements, coverage: coverage)
  }

  /// Rest, event and after of every measure; empty for a recording without a stimulus, or with nothing around it.
  public var phases: [PhaseResponse] {
    guard recording.trial?.stimulus != nil else { return [] }
    let rest = measured(in: .preStimulus).measurements
    let after = measured(in: .postStimulus).measurements
    guard (rest + after).contains(where: { $0.value != nil }) else { return [] }
    let event = measured(in: .stimulus).measurements
    return zip(zip(rest, event), after).map { PhaseResponse(rest: $0.0, event: $0.1, after: $1) }
  }

  /// The response to the trial's sound; `nil` where its onset was not measured.
  public func response(_ settings: ResponseSettings) -> LockedResponse? {
    recording.trial?.sounds.first.map { LockedResponse(in: track, onset: $0.onset, settings) }
  }
}

/// What was measured in a window.
public struct MeasuredWindow: Hashable, Sendable {
  /// Where the window lies.
  public let placed: PlacedWindow

  /// The intervals in it, raw and corrected.
  public let series: CorrectedSeries

  /// The measures, in the order asked for.
  public let measurements: [Measurement]

  /// The share of the window in which the heart rate is known, from 0 to 1.
  public let coverage: Double

  /// What a reader should know of the window; sentences.
  public var remarks: [String] {
    var remarks = [placed.remark].compactMap(\.self)
    if placed.bounds != nil, coverage < 0.9 {
      remarks.append("The heart rate is known for \(Int((coverage * 100).rounded())) % of the window.")
    }
    if series.artefactShare > 0.05 {
      remarks.append(
        "\(Int((series.artefactShare * 100).rounded())) % of the intervals are artefacts; above 5 % numbers of variability "
          + "are doubtful.")
    }
    return remarks
  }
}

extension Measurement {
  /// The same without a number, for that reason.
  fileprivate func missing(_ reason: String) -> Measurement {
    Measurement(
      measure: measure, outcome: .missing(reason), unit: unit, definition: definition, parameters: parameters,
      preset: preset, window: window, beatsUsed: 0, artefactShare: 0, warnings: [])
  }
}
