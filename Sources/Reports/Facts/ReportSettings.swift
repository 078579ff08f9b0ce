package import Analysis
import Basics
import Quantities
import Recordings

/// How the numbers of a report are computed.
package struct ReportSettings: Hashable, Sendable {
  /// The measures and the artefact correction.
  var analysis: AnalysisSettings
  /// The analysed window; `nil` for the phases of a trial, or for all of another recording.
  var window: AnalysisWindow?
  /// The baseline window for comparing several trials; `nil` for no comparison.
  var baseline: AnalysisWindow?
  /// How the values are compared with the baseline.
  var change: BaselineChange
  /// How the stimulus response is computed; without a known baseline it is not baseline-corrected.
  var response: ResponseSettings
  /// What trials are grouped by first; `nil` for the condition of a design, or else the clip.
  var grouping: TrialGrouping?
  /// The equivalent command-line options, which a report lists so that its numbers can be reproduced.
  var words: [ReportWord]

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
  let option: String
  /// The option's value.
  let value: String

  package init(_ option: String, _ value: String) { (self.option, self.value) = (option, value) }

  /// The option and its value as command-line arguments.
  var words: [String] { ["--\(option)", value] }
}

/// The location of a file or bundle, as a path relative to a folder that moves with it.
///
/// A page is often read on another computer: the path that its author used is not valid there, and may reveal the
/// author's user name.
struct Whereabouts: Hashable, Sendable {
  /// A description of the folder in which the commands work.
  let folder: String
  /// The path relative to that folder.
  let path: String

  init(bundle path: String) {
    let real = Folder.realPath(path) ?? path
    let isOfResults = Folder.name(of: Folder.parent(of: real)) == "bundles"
    folder = isOfResults ? "the results folder" : "the folder that holds the bundle"
    self.path = isOfResults ? "bundles/\(Folder.name(of: real))" : Folder.name(of: real)
  }

  init(file path: String) {
    folder = "the file's folder"
    self.path = Folder.name(of: path)
  }

  /// The path as a command argument; a leading dash is protected from being parsed as an option.
  var word: String { (path.hasPrefix("-") ? "./\(path)" : path).shellQuoted }

  /// The command that reproduces the numbers of a report.
  ///
  /// - Parameters:
  ///   - settings: how the numbers were computed.
  ///   - hasResponse: whether they include a stimulus response.
  /// - Returns: an explanation and the command.
  func analysis(_ settings: ReportSettings, hasResponse: Bool) -> [Block] {
    // Without a response the command refuses response options.
    let ofResponse: Set = ["response", "bin", "baseline", "change"]
    var words = settings.words.filter { hasResponse || !ofResponse.contains($0.option) }.flatMap(\.words)
    if hasResponse, !words.contains("--response") {
      words += ["--response", "\((-settings.response.before).plain):\(settings.response.after.plain)"]
    }
    return [
      .paragraph(StyledText("The same numbers, in \(folder):")),
      .command((["station", "analyse", word] + words.map(\.shellQuoted) + ["--definitions"]).joined(separator: " ")),
    ]
  }
}

extension Double {
  /// The number as a command argument.
  fileprivate var plain: String { shortest.replacing("−", with: "-") }
}

extension TimeZone {
  /// A time as bundles write it, followed by local time.
  func words(_ time: WallTime?) -> StyledText {
    guard let time else { return .none }
    return StyledText("\(time)", .code) + StyledText(" · \(plainText(time)) (\(name))")
  }

  /// A time as `2026-11-20 15:30`, for tables.
  func brief(_ time: WallTime?) -> StyledText {
    guard let time else { return .none }
    return StyledText(String(plainText(time).prefix(16)), .unbroken)
  }
}
