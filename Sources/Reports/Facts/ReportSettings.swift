package import Analysis
import Recordings

/// How the numbers of a report are computed.
package struct ReportSettings: Hashable, Sendable {
  /// The measures and the artefact correction.
  package var analysis: AnalysisSettings
  /// The analysed window; `nil` for the phases of a trial, or for all of another recording.
  package var window: AnalysisWindow?
  /// The baseline window for comparing several trials; `nil` for no comparison.
  package var baseline: AnalysisWindow?
  /// How the values are compared with the baseline.
  package var change: BaselineChange
  /// How the stimulus response is computed; without a known baseline it is not baseline-corrected.
  package var response: ResponseSettings
  /// What trials are grouped by first; `nil` for the condition of a design, or else the clip.
  package var grouping: TrialGrouping?
  /// The equivalent command-line options, which a report lists so that its numbers can be reproduced.
  package var words: [ReportWord]

  /// Creates settings with the usual defaults.
  package init(
    analysis: AnalysisSettings = AnalysisSettings(), window: AnalysisWindow? = nil,
    baseline: AnalysisWindow? = .preStimulus, change: BaselineChange = .difference,
    response: ResponseSettings = ResponseSettings(), by grouping: TrialGrouping? = nil, words: [ReportWord] = []
  ) {
    (self.analysis, self.window, self.response, self.words) = (analysis, window, response, words)
    (self.baseline, self.change, self.grouping) = (baseline, change, grouping)
  }
}

/// A command-line option as it was given.
package struct ReportWord: Hashable, Sendable {
  /// The option's name, without dashes.
  package let option: String
  /// The option's value.
  package let value: String

  /// Creates an option.
  package init(_ option: String, _ value: String) { (self.option, self.value) = (option, value) }

  /// The option and its value as command-line arguments.
  var words: [String] { ["--\(option)", value] }
}
