/// The measures, phases and response of one recording.
package struct RecordingAnalysis: Sendable {
  /// The settings.
  package let analysis: TrialAnalysis
  /// The recording with its artefacts corrected.
  package let analysed: AnalysedRecording
  /// The measures in the window.
  package let measured: MeasuredWindow
  /// The response to the onset; `nil` if none was requested, or there is no onset.
  package let response: LockedResponse?

  /// Analyses a recording.
  package init(_ recording: Recording, _ analysis: TrialAnalysis) {
    self.analysis = analysis
    let analysed = AnalysedRecording(recording, analysis.settings)
    self.analysed = analysed
    measured = analysed.measured(in: analysis.window)
    response = analysis.response.flatMap { analysed.response($0) }
  }
}
