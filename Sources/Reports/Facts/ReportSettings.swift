package import Analysis
import Recordings

/// How what stands in a report is measured.
package struct ReportSettings: Hashable, Sendable {
  /// The choices of measures, and what is done about artefacts.
  package var analysis: AnalysisSettings
  /// What is measured; `nil` for the phases of a trial, and for everything of another recording.
  package var window: AnalysisWindow?
  /// What the numbers of several trials are compared with; `nil` for nothing.
  package var baseline: AnalysisWindow?
  /// How they are compared.
  package var change: BaselineChange
  /// How the response to the sound is read off; where its baseline is not known, it is compared with nothing.
  package var response: ResponseSettings
  /// The words of a command line that make the same choices, which a report shows for its numbers to be made again.
  package var words: [ReportWord]

  /// Settings; what is usual unless it is said.
  package init(
    analysis: AnalysisSettings = AnalysisSettings(), window: AnalysisWindow? = nil,
    baseline: AnalysisWindow? = .preStimulus, change: BaselineChange = .difference,
    response: ResponseSettings = ResponseSettings(), words: [ReportWord] = []
  ) {
    (self.analysis, self.window, self.response, self.words) = (analysis, window, response, words)
    (self.baseline, self.change) = (baseline, change)
  }
}

/// An option of a command line, as it was given.
package struct ReportWord: Hashable, Sendable {
  /// Its name, without dashes.
  package let option: String
  /// What was given.
  package let value: String

  /// An option.
  package init(_ option: String, _ value: String) { (self.option, self.value) = (option, value) }

  /// The two words.
  var words: [String] { ["--\(option)", value] }
}
