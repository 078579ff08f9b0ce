/// A request to analyse trials and files.
package struct AnalysisRequest: Sendable {
  /// Which heart data to use.
  package let choice: RecordingChoice
  /// What is measured.
  package let analysis: TrialAnalysis
  /// What trials are grouped by; `nil` if it was not requested.
  package let grouping: TrialGrouping?
  /// Which of several trials to use.
  package let selection: TrialSelection
  /// The group that others are compared with; `nil` for all pairs.
  package let reference: String?
  /// How confidence intervals are computed.
  package let bootstrap: Bootstrap

  /// Creates a request.
  package init(
    _ choice: RecordingChoice, _ analysis: TrialAnalysis, by grouping: TrialGrouping?, selection: TrialSelection,
    reference: String?, bootstrap: Bootstrap
  ) {
    var analysis = analysis
    analysis.reading = choice.reading
    (self.choice, self.analysis, self.grouping) = (choice, analysis, grouping)
    (self.selection, self.reference, self.bootstrap) = (selection, reference, bootstrap)
  }
}

/// The format name of JSON documents with analyses; see `protocols/analysis.schema.json`.
package enum AnalysisFormat: Sendable {
  /// The name.
  package static let name = "station.analysis/1"
}
