import Analysis
import Basics
import Bundles

/// Writes trials as documents for other programs, each trial by itself.
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

  /// What was written of a trial.
  private enum Written: Sendable {
    case files([String], problems: [String])
    case problem(String)
    case failure(FileError)
  }

  /// Writes the documents; those of an earlier export of the same trials are replaced.
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
    let mark: JSONValue = ["format": "station.export/1", "form": .string(form.rawValue)]
    try File.replaceWhole("\(folder)/\(ExportKind.document(form).mark)", mark.encoded(pretty: true))
    var outcome = ExportOutcome()
    (outcome.problems, outcome.omissions) = (selection.problems, disguise.omissions)
    var failure: FileError?
    var done = 0
    let (form, folder, disguise) = (form, folder, disguise)
    await Parallel.ordered(selection.order.places) { place in
      Self.write(place, form, to: folder, disguise)
    } take: { written in
      done += 1
      progress(done, selection.order.places.count)
      switch written {
      case .files(let names, let problems):
        outcome.trials += 1
        outcome.files += names.count
        outcome.problems += problems
      case .problem(let problem): outcome.problems.append(problem)
      case .failure(let error): failure = failure ?? error
      }
    }
    if let failure { throw failure }
    outcome.added = outcome.trials
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
    var names: [String] = []
    do throws(FileError) {
      for (suffix, bytes) in files.files {
        let name = "\(trial.identifier)\(suffix)"
        var file = try StreamedFile("\(folder)/\(name)")
        try file.write(bytes)
        _ = try file.finish()
        names.append(name)
      }
    } catch {
      return .failure(error)
    }
    return .files(names, problems: files.problems)
  }
}
