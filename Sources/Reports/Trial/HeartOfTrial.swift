internal import Analysis
internal import HeartCharts
internal import Recordings

/// What one sensor recorded in a trial, with its artefacts corrected and measured by phase.
struct HeartOfTrial: Sendable {
  let recording: Recording
  /// Its charts, whose beats are corrected.
  let charts: RecordingCharts
  /// `nil` where no beats were recorded.
  let corrected: CorrectedSeries?
  let phases: [Phase]
  /// The measurements of each phase, in the order of ``measures``; empty where no beats were recorded.
  let measurements: [[Measurement]]

  /// What is measured: all but what says the same in another way.
  static let measures = Measure.allCases

  init(_ recording: Recording) {
    let phases = Phase.phases(of: recording)
    charts = RecordingCharts(recording)
    let corrected = charts.beats.flatMap { $0.raw.count > 0 ? $0 : nil }
    measurements =
      corrected.map { series in
        phases.map { phase in
          HeartAnalysis(series.cut(from: phase.window.lowerBound, to: phase.window.upperBound))
            .measurements(Self.measures)
        }
      } ?? []
    self.recording = recording
    self.corrected = corrected
    self.phases = phases
  }
}
