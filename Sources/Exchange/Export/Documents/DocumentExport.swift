import Analysis
import Basics
import Bundles

/// Writes trials as documents for other programs, each trial by itself, or adds the new ones to them.
package struct DocumentExport: Sendable {
  private let form: DocumentForm
  private let folder: String
  private let disguise: Disguise

  /// Prepares an export.
  ///
  /// - Parameters:
  ///   - form: the form of the documents.
  ///   - folder: where they are written; a new folder, an empty one, or one with an earlier export of that form.
  ///   - disguise: what is said instead of what could identify.
  package init(_ form: DocumentForm, to folder: String, disguise: Disguise = .none) {
    (self.form, self.folder, self.disguise) = (form, folder, disguise)
  }

  /// So many trials are written before the list says so: after an interruption as many are written again.
  private static let portion = 500

  /// What was written of a trial.
  private enum Written: Sendable {
    case files(of: String, count: Int, problems: [String])
    case problem(String)
    case failure(FileError)
  }

  /// Writes the documents of trials that the folder does not have; those of an earlier export are left as they are.
  ///
  /// - Parameters:
  ///   - selection: the trials.
  ///   - progress: called with the number of trials that were written.
  /// - Returns: what came of it; a trial that cannot be read is a problem.
  /// - Throws: ``ExportError`` and `FileError`.
  package func write(
    _ selection: ExportSelection, progress: (_ done: Int, _ of: Int) -> Void
  ) async throws -> ExportOutcome {
    try ExportKind.document(form).prepare(folder)
    var list = try DocumentList(of: form, in: folder, options: disguise.options)
    var outcome = ExportOutcome()
    (outcome.problems, outcome.omissions) = (selection.problems, disguise.omissions)
    outcome.simulated = selection.order.simulated
    var failure: FileError?
    var done = 0
    let (form, folder, disguise) = (form, folder, disguise)
    // The folder's name is the trial's identifier.
    let places = selection.order.places.filter {
      !list.trials.contains(disguise.identifier(Folder.name(of: $0.path)))
    }
    for start in stride(from: 0, to: places.count, by: Self.portion) {
      await Parallel.ordered(Array(places[start..<min(start + Self.portion, places.count)])) { place in
        Self.write(place, form, to: folder, disguise)
      } take: { written in
        done += 1
        progress(done, places.count)
        switch written {
        case .files(let trial, let count, let problems):
          list.trials.insert(trial)
          outcome.added += 1
          outcome.files += count
          if count == 0 { outcome.withoutFiles += 1 }
          outcome.problems += problems
        case .problem(let problem): outcome.problems.append(problem)
        case .failure(let error): failure = failure ?? error
        }
      }
      if let failure { throw failure }
      // After a loss of power too, what the list names is there.
      try Folder.synchronizeFileSystem(folder)
      try list.write()
    }
    outcome.trials = list.trials.count
    return outcome
  }

  private static func write(
    _ place: TrialPlace, _ form: DocumentForm, to folder: String, _ disguise: Disguise
  ) -> Written {
    let trial: ExportedTrial
    let files: DocumentFiles
    do {
      trial = try ExportedTrial(place, disguise)
      files = try form.files(of: trial)
    } catch {
      return .problem("\(error)")
    }
    do throws(FileError) {
      for (suffix, bytes) in files.files {
        var file = try StreamedFile("\(folder)/\(trial.identifier)\(suffix)")
        try file.write(bytes)
        _ = try file.finish()
      }
    } catch {
      return .failure(error)
    }
    return .files(of: trial.identifier, count: files.files.count, problems: files.problems)
  }
}

/// The trials whose documents a folder has, and the options with which they were made.
private struct DocumentList {
  var trials: Set<String> = []
  private let path: String
  private let form: DocumentForm
  private let options: String

  /// Reads the list of a folder, or begins one.
  ///
  /// - Throws: ``ExportError`` for a folder that was made with other options, and `FileError`.
  init(of form: DocumentForm, in folder: String, options: String) throws {
    (path, self.form, self.options) = ("\(folder)/\(ExportKind.document(form).mark)", form, options)
    if Folder.exists(path) {
      let list = try JSONReader.read(File.contents(of: path)).value
      // The first exports named neither their options nor their trials.
      let were = list["options"]?.string ?? options
      guard were == options else { throw ExportError.otherOptions(path: folder, were: were, are: options) }
      trials = Set((list["trials"]?.array ?? []).compactMap(\.string))
    }
    try write()
  }

  /// Writes the list.
  func write() throws(FileError) {
    let list: JSONValue = [
      "format": "station.export/1", "form": .string(form.rawValue), "options": .string(options),
      "trials": .array(trials.sorted().map { .string($0) }),
    ]
    try File.replaceWhole(path, list.encoded(pretty: true))
  }
}
