public import Analysis
public import Recordings

/// How what stands in a report is measured.
public struct ReportSettings: Hashable, Sendable {
  /// The choices of measures, and what is done about artefacts.
  public var analysis: AnalysisSettings
  /// What is measured; `nil` for the phases of a trial, and for everything of another recording.
  public var window: AnalysisWindow?
  /// How the response to the sound is read off; where its baseline is not known, it is compared with nothing.
  public var response: ResponseSettings
  /// The words of a command line that make the same choices, which a report shows for its numbers to be made again.
  public var words: [String]

  /// Settings; what is usual unless it is said.
  public init(
    analysis: AnalysisSettings = AnalysisSettings(), window: AnalysisWindow? = nil,
    response: ResponseSettings = ResponseSettings(), words: [String] = []
  ) {
    (self.analysis, self.window, self.response, self.words) = (analysis, window, response, words)
  }
}
