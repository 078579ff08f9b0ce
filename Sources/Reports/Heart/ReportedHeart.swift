import Analysis
import Charts
import Recordings

/// The recording of one sensor, with corrected artefacts and measures by phase.
struct ReportedHeart: Sendable {
  /// A separately analysed part of the recording.
  struct Phase: Sendable {
    /// The title of its column.
    let name: String
    let measured: MeasuredWindow
  }

  let analysed: AnalysedRecording
  let charts: RecordingCharts
  let settings: ReportSettings
  /// The phases before, during and after the stimulus, as far as data exist.
  ///
  /// Only one phase, the whole recording, if no onset was measured; only one if a window was requested.
  let phases: [Phase]
  /// The changes of measures between phases, in the order of the measures; empty without phases.
  let changes: [PhaseResponse]

  init(_ recording: Recording, _ settings: ReportSettings = ReportSettings()) {
    self.settings = settings
    analysed = AnalysedRecording(recording, settings.analysis)
    charts = RecordingCharts(analysed)
    phases = Self.phases(of: analysed, settings.window)
    // If the baseline is not shown, nothing is compared with it.
    let hasBefore = phases.contains { $0.measured.placed.window == .preStimulus }
    changes = settings.window == nil && hasBefore ? analysed.phases : []
  }

  var recording: Recording { analysed.recording }

  /// Whether there is a phase after the event, for the recovery.
  var hasAfter: Bool { phases.contains { $0.measured.placed.window == .postStimulus } }

  /// The event to which windows are aligned: `stimulus`, or `event` if another was chosen.
  var eventName: String { recording.event.map { $0.source == .stimulus ? "stimulus" : "event" } ?? "stimulus" }

  /// The raw and the corrected intervals; `nil` if no beats were recorded.
  var corrected: CorrectedSeries? { analysed.series.raw.count > 0 ? analysed.series : nil }

  /// The phase for variability charts: the stimulus, or the last phase without one.
  var mainPhase: Phase? { phases.first { $0.measured.placed.window == .stimulus } ?? phases.last }

  private static func phases(of analysed: AnalysedRecording, _ window: AnalysisWindow?) -> [Phase] {
    if let window {
      let measured = analysed.measured(in: window)
      return [Phase(name: measured.placed.title, measured: measured)]
    }
    let found = named(analysed.recording).map { Phase(name: $0, measured: analysed.measured(in: $1)) }.filter { phase in
      phase.measured.placed.bounds != nil && (phase.measured.isKnown || phase.measured.placed.window == .stimulus)
    }
    return found.isEmpty ? [Phase(name: "everything recorded", measured: analysed.measured(in: .whole))] : found
  }

  private static func named(_ recording: Recording) -> [(String, AnalysisWindow)] {
    guard let event = recording.event, let extent = recording.extent else { return [] }
    let before = ("before", AnalysisWindow.preStimulus)
    // Without a measured offset, the end of the sound is unknown, although its onset is known.
    guard event.window != nil else {
      let rest = extent.upperBound - event.onset
      return [before] + (rest > 0 ? [("from the onset on", .seconds(0...rest))] : [])
    }
    return [before, (event.source == .stimulus ? "stimulus" : "event", .stimulus), ("after", .postStimulus)]
  }
}

extension MeasuredWindow {
  /// Whether the heart rate is known for long enough to represent the window: at least 2 s.
  var isKnown: Bool { placed.bounds.map { coverage * ($0.upperBound - $0.lowerBound) >= 2 } ?? false }

  /// The value of a measure; `nil` if it has none, or was not requested.
  func value(_ measure: Measure) -> Double? { measurements.first { $0.measure == measure }?.value }
}
