import Analysis
import Charts
import Recordings

/// What one sensor recorded, with its artefacts corrected and measured by phase.
struct ReportedHeart: Sendable {
  /// A part of the recording that is measured by itself.
  struct Phase: Sendable {
    /// What it is called at the head of a column.
    let name: String
    let measured: MeasuredWindow
  }

  let analysed: AnalysedRecording
  let charts: RecordingCharts
  let settings: ReportSettings
  /// Before, while and after the sound is heard, as far as something was recorded then.
  ///
  /// One, everything, where no onset was measured; one where a window was asked for.
  let phases: [Phase]
  /// How measures change from phase to phase, in the order of the measures; empty without phases.
  let changes: [PhaseResponse]

  init(_ recording: Recording, _ settings: ReportSettings = ReportSettings()) {
    self.settings = settings
    analysed = AnalysedRecording(recording, settings.analysis)
    charts = RecordingCharts(analysed)
    phases = Self.phases(of: analysed, settings.window)
    // What is not shown is not compared with either.
    let hasBefore = phases.contains { $0.measured.placed.window == .preStimulus }
    changes = settings.window == nil && hasBefore ? analysed.phases : []
  }

  var recording: Recording { analysed.recording }

  /// Whether there is a phase after the event, with which recovery ends.
  var hasAfter: Bool { phases.contains { $0.measured.placed.window == .postStimulus } }

  /// What windows are locked to, in words: `stimulus`, or `event` where another was chosen.
  var eventName: String { recording.event.map { $0.source == .stimulus ? "stimulus" : "event" } ?? "stimulus" }

  /// The intervals beside what remains of them without artefacts; `nil` where no beats were recorded.
  var corrected: CorrectedSeries? { analysed.series.raw.count > 0 ? analysed.series : nil }

  /// The phase whose variability is drawn: the stimulus, or what there is instead of it.
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
    // Where the offset was not measured, the sound's end is unknown, though its beginning is known.
    guard event.window != nil else {
      let rest = extent.upperBound - event.onset
      return [before] + (rest > 0 ? [("from the onset on", .seconds(0...rest))] : [])
    }
    return [before, (event.source == .stimulus ? "stimulus" : "event", .stimulus), ("after", .postStimulus)]
  }
}

extension MeasuredWindow {
  /// Whether the heart rate is known for long enough to be told as the window's: two seconds at least.
  var isKnown: Bool { placed.bounds.map { coverage * ($0.upperBound - $0.lowerBound) >= 2 } ?? false }

  /// The number of a measure; `nil` where it has none, or was not asked for.
  func value(_ measure: Measure) -> Double? { measurements.first { $0.measure == measure }?.value }
}
