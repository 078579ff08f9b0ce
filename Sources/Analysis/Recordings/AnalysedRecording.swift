import Recordings

/// How recordings are measured.
package struct AnalysisSettings: Hashable, Sendable {
  /// The choices within definitions.
  package var preset: AnalysisPreset

  /// What is done about artefacts.
  package var correction: ArtefactCorrection

  /// What is measured of hearts, in this order.
  package var measures: [Measure]

  /// What is measured of other quantities, in this order.
  package var samplesMeasures: [Measure]

  package init(
    preset: AnalysisPreset = .station, correction: ArtefactCorrection = .lipponenTarvainen,
    measures: [Measure] = Measure.allCases
  ) {
    samplesMeasures = measures.filter { $0.domain == .samples }
    self.preset = preset
    self.correction = correction
    self.measures = measures.filter { $0.domain != .samples }
  }
}

/// A recording with its artefacts corrected, ready to be measured in any window.
package struct AnalysedRecording: Sendable {
  package let recording: Recording

  /// How it is measured.
  package let settings: AnalysisSettings

  /// The intervals beside what remains of them without artefacts; empty for a recording of heart rates alone.
  package let series: CorrectedSeries

  /// The heart rate from beat to beat, without artefacts.
  private let beatsTrack: HeartRateTrack

  /// The sensor's own heart rates.
  private let ratesTrack: HeartRateTrack

  /// Corrects the whole recording once, so that every window is corrected alike.
  package init(_ recording: Recording, _ settings: AnalysisSettings = AnalysisSettings()) {
    self.recording = recording
    self.settings = settings
    series = settings.correction.correct(recording.beats ?? IntervalSeries([]))
    beatsTrack = HeartRateTrack(series.corrected)
    ratesTrack = recording.ratesTrack
  }

  private init(_ recording: Recording, _ settings: AnalysisSettings, series: CorrectedSeries) {
    (self.recording, self.settings, self.series) = (recording, settings, series)
    beatsTrack = HeartRateTrack(series.corrected)
    ratesTrack = recording.ratesTrack
  }

  /// What lies wholly between two times of it, corrected as the whole is.
  ///
  /// - Parameters:
  ///   - part: the recording's part.
  ///   - from: its beginning, in seconds on the recording's axis.
  ///   - to: its end.
  /// - Returns: the part, at its times.
  /// - Precondition: the end is not before the beginning.
  package func cut(to part: Recording, from: Double, to: Double) -> AnalysedRecording {
    AnalysedRecording(part, settings, series: series.cut(from: from, to: to))
  }

  /// The mean heart rate before the recording's event, as it is measured in the window before it; `nil` where there is no
  /// event, or too little is known.
  package var meanBeforeEvent: Double? {
    guard recording.event != nil else { return nil }
    return measured(in: .preStimulus, [.timeWeightedHeartRate]).measurements.first?.value
  }

  /// Whether there are no intervals between beats at all, so that only the sensor's own heart rates can be measured.
  package var usesRates: Bool { series.raw.count == 0 && !recording.rates.values.isEmpty }

  /// What the heart rate of a window is taken from, and how much of the window either source covers.
  private func heartRate(in bounds: ClosedRange<Double>) -> HeartRateOfWindow {
    let source = HeartRateSource(intervals: beatsTrack, rates: ratesTrack, in: bounds)
    return HeartRateOfWindow(
      source: source, track: source == .heartRates ? ratesTrack : beatsTrack,
      intervals: Coverage(of: beatsTrack, in: bounds), rates: Coverage(of: ratesTrack, in: bounds))
  }

  private struct HeartRateOfWindow {
    var source: HeartRateSource
    var track: HeartRateTrack
    var intervals: Coverage
    var rates: Coverage
  }

  /// The measures of a window; an interval belongs to it when it lies in it wholly, a rate when it was true in it.
  ///
  /// A window of which less than half is known has no numbers, and one of which less than nine tenths is has doubtful
  /// ones; see `Coverage`.
  package func measured(in window: AnalysisWindow, _ measures: [Measure]? = nil) -> MeasuredWindow {
    let placed = recording.place(window)
    let measures = measures ?? settings.measures
    guard let bounds = placed.bounds else {
      let nothing = HeartAnalysis(IntervalSeries([]), preset: settings.preset).measurements(measures)
      return MeasuredWindow(
        placed: placed, series: settings.correction.correct(IntervalSeries([])),
        measurements: nothing.map { $0.missing(placed.missing ?? .nothingRecorded) },
        source: usesRates ? .heartRates : .intervals, coverage: 0, caveats: [])
    }
    let isWhole = placed.window == .whole
    let part = isWhole ? series : series.cut(from: bounds.lowerBound, to: bounds.upperBound)
    let rates = isWhole ? ratesTrack : ratesTrack.cut(from: bounds.lowerBound, to: bounds.upperBound)
    let heartRate = heartRate(in: bounds)
    let ofRates = HeartAnalysis(rates: rates, preset: settings.preset)
    let fromRates = measures.filter { usesRates || heartRate.source == .heartRates && $0.domain == .heartRate }
    let fromBeats = HeartAnalysis(part, preset: settings.preset).measurements(
      measures.filter { !fromRates.contains($0) })
    let all =
      ofRates.measurements(fromRates).map { $0.covering(heartRate.rates) }
      + fromBeats.map { $0.covering(heartRate.intervals) }
    let mixed =
      usesRates || fromRates.isEmpty
      ? nil : AnalysisCaveat.sensorRates(rates: heartRate.rates.share, intervals: heartRate.intervals.share)
    return MeasuredWindow(
      placed: placed, series: part,
      measurements: measures.compactMap { measure in all.first { $0.measure == measure } }, source: heartRate.source,
      coverage: heartRate.source == .heartRates ? heartRate.rates.share : heartRate.intervals.share,
      caveats: [placed.caveat, mixed].compactMap(\.self))
  }

  /// Rest, event and after of every measure; empty for a recording without an event, or with nothing around it.
  package var phases: [PhaseResponse] {
    guard recording.event?.window != nil else { return [] }
    let rest = measured(in: .preStimulus).measurements
    let after = measured(in: .postStimulus).measurements
    guard (rest + after).contains(where: { $0.value != nil }) else { return [] }
    let event = measured(in: .stimulus).measurements
    return zip(zip(rest, event), after).map { PhaseResponse(rest: $0.0, event: $0.1, after: $1) }
  }

  /// The response to the recording's event; `nil` where it has none.
  package func response(_ settings: ResponseSettings) -> LockedResponse? {
    recording.event.map { event in
      let from =
        settings.baseline == .none
        ? settings.reach.lowerBound : min(settings.reach.lowerBound, settings.baselineWindow.lowerBound)
      let to = max(settings.reach.upperBound, from)
      let track = heartRate(in: event.onset + from...event.onset + to).track
      return LockedResponse(in: track, onset: event.onset, settings)
    }
  }
}

/// What was measured in a window.
package struct MeasuredWindow: Hashable, Sendable {
  /// Where the window lies.
  package let placed: PlacedWindow

  /// The intervals in it, raw and corrected.
  package let series: CorrectedSeries

  /// The measures, in the order asked for.
  package let measurements: [Measurement]

  /// What its heart rates are taken from; variability is of intervals always.
  let source: HeartRateSource

  /// The share of the window in which the heart rate is known, from 0 to 1.
  package let coverage: Double

  package let caveats: [AnalysisCaveat]
}

extension Coverage {
  /// How much of a window a heart rate is known for.
  init(of track: HeartRateTrack, in window: ClosedRange<Double>) {
    self.init(window: window, share: track.mean(from: window.lowerBound, to: window.upperBound).coverage)
  }
}

extension Measurement {
  /// The same without a number, for that reason.
  fileprivate func missing(_ reason: MissingNumber) -> Measurement {
    Measurement(
      measure: measure, outcome: .missing(reason), unit: unit, definition: definition, parameters: parameters,
      preset: preset, correction: correction, window: window, beatsUsed: 0, artefactShare: 0, caveats: [])
  }
}
