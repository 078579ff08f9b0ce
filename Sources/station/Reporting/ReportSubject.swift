import Bundles
import Files
import Recordings
import Reports

/// What a report is about: one bundle, or the trials of a results folder.
enum ReportSubject {
  case trial(Bundle)
  case results(ResultsFolder, TrialSelection)

  init(_ path: String, _ selection: TrialSelection) throws {
    if Folder.exists("\(path)/bagit.txt") || Folder.exists("\(path)/data/result.json") {
      guard selection.isAll else {
        throw UsageError(
          command: ReportCommand.syntax,
          reason: "--participant, --session and --verdict choose trials of a results folder, and “\(path)” is a bundle")
      }
      self = .trial(try Bundle(path))
    } else if Folder.isFolder("\(path)/bundles") {
      self = .results(ResultsFolder(path), selection)
    } else if Folder.isFolder(path) {
      throw Failure("“\(path)” is neither a bundle nor a results folder: it has neither “bagit.txt” nor “bundles”")
    } else {
      throw Failure("there is no bundle or results folder “\(path)”")
    }
  }

  /// The page's name where none is given.
  var fileName: String {
    switch self {
    case .trial(let bundle): "report-\(bundle.trial.asFileName).html"
    case .results(let folder, let selection):
      (["report", selection.isAll ? Folder.name(of: folder.path) : nil] + [selection.participant, selection.session])
        .compactMap { $0?.asFileName }.joined(separator: "-") + ".html"
    }
  }

  /// The report, and what could not be read.
  func report(local: LocalTime) throws -> (Report, problems: [String]) {
    switch self {
    case .trial(let bundle):
      let trial = ReportedTrial.read(bundle)
      return (Report(trial, local: local, station: Version.current), trial.problems)
    case .results(let folder, let selection):
      let overview = try Overview.read(folder, selection)
      guard !overview.trials.isEmpty || selection.isAll else { throw Failure(overview.missing(in: folder.path)) }
      return (Report(overview, local: local, station: Version.current), overview.problems)
    }
  }
}

extension String {
  /// The text without what is awkward in a file's name.
  fileprivate var asFileName: String {
    let kept = unicodeScalars.map {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "+_-".unicodeScalars.contains($0)
        ? Character($0) : "-"
    }
    let name = String(kept.prefix(80))
    return name.isEmpty ? "trial" : name
  }
}
