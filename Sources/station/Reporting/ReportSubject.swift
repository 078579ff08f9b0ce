import Analysis
import Basics
import Bundles
import Recordings
import Reports

/// The subject of a report: one trial, the trials of a results folder, or a file of heart data.
enum ReportSubject {
  case trial(Bundle)
  case results(ResultsFolder, TrialSelection)
  case file(String)

  /// Determines what a path refers to.
  ///
  /// - Throws: ``UsageError`` for options that do not apply; ``Failure`` for a path without a report, with what to do.
  init(_ path: String, _ selection: TrialSelection, _ syntax: CommandSyntax) throws {
    func check(_ noun: String) throws(UsageError) {
      guard selection.isAll else {
        throw UsageError(
          command: syntax,
          reason:
            "--participant, --session and --verdict select trials of a results folder, but “\(path.visible)” is \(noun)"
        )
      }
    }
    let shown = path.visible
    switch ResultsPath(path) {
    case .bundle:
      try check("a bundle")
      self = .trial(try Bundle(path))
    case .results: self = .results(ResultsFolder(path), selection)
    case .file:
      try check("a file")
      self = .file(path)
    case .folderOfBundles:
      let above = Folder.realPath("\(path)/..")
      guard Folder.realPath(path).map(Folder.name) == "bundles", let above, ResultsPath(above) == .results else {
        throw Failure(
          "“\(shown)” has bundles but is not a results folder; move them to “\(shown)/bundles”, or name one of them")
      }
      let results = Folder.name(of: path) == "bundles" ? Folder.parent(of: path) : "\(path)/.."
      throw Failure("“\(shown)” is the “bundles” folder of a results folder; name “\(results.visible)” instead")
    case .folder:
      // Fails if the folder may not be read.
      _ = try Folder.names(in: path)
      throw Failure(
        "“\(shown)” is neither a bundle nor a results folder: it has neither “bagit.txt” nor “bundles”; name a trial's "
          + "bundle, or the folder that “station run --results” was given")
    case .nothing:
      _ = try Folder.find(path)
      throw Failure("there is no bundle, results folder or file “\(shown)”; “station list” shows the trials")
    }
  }

  /// The page's default name.
  var fileName: String {
    switch self {
    case .trial(let bundle): "report-\(bundle.record.trial.asFileName).html"
    case .results(let folder, let selection):
      (["report", selection.isAll ? Self.name(of: folder.path) : nil] + [selection.participant, selection.session])
        .compactMap { $0?.asFileName }.joined(separator: "-") + ".html"
    case .file(let path): "report-\(Folder.name(of: path).asFileName).html"
    }
  }

  /// The name of a folder, resolving `.` and `..`.
  private static func name(of path: String) -> String { Folder.name(of: Folder.realPath(path) ?? path) }

  /// The report, and messages about data that could not be read or are unreliable.
  func report(_ recorded: RecordingOptions, _ settings: ReportSettings, local: TimeZone) throws -> (Report, [String]) {
    let station = Version.current
    switch self {
    case .trial(let bundle):
      var trial = ReportedTrial.read(bundle, by: recorded.choice.reading.grouping)
      trial.recordings = try recorded.choice.chosen(from: trial.recordings, of: bundle.path)
      return (Report(trial, settings, local: local, station: station), trial.problems)
    case .results(let folder, let selection):
      let overview = try Overview.read(folder, selection, settings, by: recorded.choice.reading.grouping) {
        recordings, path in try recorded.choice.chosen(from: recordings, of: path)
      }
      guard !overview.trials.isEmpty || selection.isAll else { throw Failure(overview.missing(in: folder.path)) }
      return (Report(overview, local: local, station: station), overview.problems)
    case .file(let path):
      var file = try ReportedFile.read(path, recorded.choice.reading)
      file.recordings = try recorded.choice.chosen(from: file.recordings, of: path)
      return (Report(file, settings, station: station), [])
    }
  }
}

extension String {
  /// The text with characters that are awkward in file names replaced.
  fileprivate var asFileName: String {
    let kept = unicodeScalars.map {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "+_-".unicodeScalars.contains($0)
        ? Character($0) : "-"
    }
    let name = String(kept.prefix(80))
    return name.isEmpty ? "trial" : name
  }
}
