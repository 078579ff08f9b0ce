internal import Analysis
internal import HeartCharts
internal import Recordings

/// What one sensor recorded in a trial, with its artefacts corrected and measured by phase.
struct HeartOfTrial: Sendable {
  let analysed: AnalysedRecording
  let charts: RecordingCharts
  /// Before, while and after the sound is heard, as far as something was recorded then; everything where its onset and
  /// offset were not measured.
  let phases: [MeasuredWindow]

  init(_ recording: Recording) {
    analysed = AnalysedRecording(recording)
    charts = RecordingCharts(analysed)
    phases = Self.phases(of: analysed)
  }

  var recording: Recording { analysed.recording }

  /// The intervals beside what remains of them without artefacts; `nil` where no beats were recorded.
  var corrected: CorrectedSeries? { analysed.series.raw.count > 0 ? analysed.series : nil }

  private static func phases(of analysed: AnalysedRecording) -> [MeasuredWindow] {
    let windows: [AnalysisWindow] =
      analysed.recording.trial?.stimulus == nil ? [.whole] : [.preStimulus, .stimulus, .postStimulus]
    return windows.map { analysed.measured(in: $0) }.filter { phase in
      phase.placed.bounds != nil && (phase.isKnown || [.whole, .stimulus].contains(phase.placed.window))
    }
  }
}

extension MeasuredWindow {
  /// Whether the heart rate is known for long enough to be told as the window's: two seconds at least.
  var isKnown: Bool { placed.bounds.map { coverage * ($0.upperBound - $0.lowerBound) >= 2 } ?? false }

  /// What the phase of a trial is called at the head of a column.
  var phaseName: String {
    switch placed.window {
    case .preStimulus: "before"
    case .stimulus: "stimulus"
    case .postStimulus: "after"
    default: "whole recording"
    }
  }

  /// The number of a measure; `nil` where it has none, or was not asked for.
  func value(_ measure: Measure) -> Double? { measurements.first { $0.measure == measure }?.value }
}
