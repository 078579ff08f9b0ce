package import Analysis
package import Basics
package import Bundles
import Recordings

/// The subject of a report: one trial, the trials of a results folder, or a file of heart data.
package enum ReportSubject: Sendable {
  case trial(Bundle)
  /// The selected trials of a results folder, such as those of a session.
  case results(ResultsFolder, TrialSelection)
  /// A file of heart data.
  case file(String)

  /// Determines what a path refers to.
  ///
  /// - Throws: ``ReportSubjectError``, and read errors.
  package init(_ path: String, _ selection: TrialSelection) throws {
    func check(_ noun: String) throws(ReportSubjectError) {
      guard selection.isAll else { throw .notSelectable(path, noun) }
    }
    switch ResultsPath(path) {
    case .bundle:
      try check("a bundle")
      self = .trial(try Bundle(path))
    case .results: self = .results(ResultsFolder(path), selection)
    case .file:
      if let session = try Self.session(path, selection) {
        try check("a session's record")
        self = session
        return
      }
      try check("a file")
      self = .file(path)
    case .folderOfBundles:
      let above = Folder.realPath("\(path)/..")
      guard Folder.realPath(path).map(Folder.name) == "bundles", let above, ResultsPath(above) == .results else {
        throw ReportSubjectError.looseBundles(path)
      }
      let results = Folder.name(of: path) == "bundles" ? Folder.parent(of: path) : "\(path)/.."
      throw ReportSubjectError.bundlesFolder(path, of: results)
    case .folder:
      // Fails if the folder may not be read.
      _ = try Folder.names(in: path)
      throw ReportSubjectError.otherFolder(path)
    case .nothing:
      _ = try Folder.find(path)
      throw ReportSubjectError.nothing(path)
    }
  }

  /// The trials of the session whose record a path is.
  private static func session(_ path: String, _ selection: TrialSelection) throws -> ReportSubject? {
    guard path.hasSuffix(".json"), let found = try SessionPath(path, in: "."), let name = found.sessions.first
    else { return nil }
    let record = try found.results.session(name)
    return .results(
      found.results,
      TrialSelection(
        participant: record.participant, session: "\(record.number)", run: record.session,
        includesStopped: selection.includesStopped, includesSimulated: selection.includesSimulated))
  }

  /// The page's default name.
  package var fileName: String {
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
  ///
  /// - Parameters:
  ///   - choice: which recordings are reported.
  ///   - settings: how numbers are computed.
  ///   - local: the time zone of the times.
  ///   - station: the version of this program.
  /// - Returns: the report and the messages.
  /// - Throws: read errors, and ``ReportSubjectError`` if no trial is selected.
  package func report(
    _ choice: RecordingChoice, _ settings: ReportSettings, local: TimeZone, station: String
  ) throws -> (Report, [String]) {
    switch self {
    case .trial(let bundle):
      var trial = ReportedTrial.read(bundle, choice.reading)
      trial.channels = choice.chosen(from: trial.channels)
      trial.waveforms = choice.chosen(from: trial.waveforms)
      trial.recordings = try choice.hearts(from: trial.recordings, of: bundle.path, besides: trial.channels)
      return (Report(trial, settings, local: local, station: station), trial.problems)
    case .results(let folder, let selection):
      let overview = try Overview.read(folder, selection, settings, reading: choice.reading) {
        recordings, path in try choice.chosen(from: recordings, of: path)
      }
      guard !overview.trials.isEmpty || selection.isAll && overview.simulatedLeftOut == 0 else {
        throw ReportSubjectError.noneChosen(overview.missing(in: folder.path))
      }
      return (Report(overview, local: local, station: station), overview.problems)
    case .file(let path):
      var file = try ReportedFile.read(path, choice.reading)
      file.recordings = try choice.chosen(from: file.recordings, of: path)
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

/// The error for a path of which there is no report.
package enum ReportSubjectError: Error, Hashable, CustomStringConvertible {
  /// Trials of it cannot be selected, since it is a bundle or a file.
  case notSelectable(String, String)
  /// It has bundles but is not a results folder.
  case looseBundles(String)
  /// It is the folder of bundles of a results folder.
  case bundlesFolder(String, of: String)
  /// It is another folder.
  case otherFolder(String)
  /// There is nothing.
  case nothing(String)
  /// None of its trials was selected; the reason.
  case noneChosen(String)

  /// The reason, and what to do.
  package var description: String {
    switch self {
    case .notSelectable(let path, let noun):
      "--participant, --session and --verdict select trials of a results folder, but “\(path.visible)” is \(noun)"
    case .looseBundles(let path):
      "“\(path.visible)” has bundles but is not a results folder; move them to “\(path.visible)/bundles”, or name one "
        + "of them"
    case .bundlesFolder(let path, let results):
      "“\(path.visible)” is the “bundles” folder of a results folder; name “\(results.visible)” instead"
    case .otherFolder(let path):
      "“\(path.visible)” is neither a bundle nor a results folder: it has neither “bagit.txt” nor “bundles”; name a "
        + "trial's bundle, or the folder that “station run --results” was given"
    case .nothing(let path):
      "there is no bundle, results folder or file “\(path.visible)”; “station list” shows the trials"
    case .noneChosen(let reason): reason
    }
  }
}
