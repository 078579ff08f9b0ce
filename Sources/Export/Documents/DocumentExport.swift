import Analysis
import Basics
import Bundles

/// Writes trials as documents for other programs, each trial by itself, or adds the new ones to them.
package struct DocumentExport: Sendable {
  private let form: DocumentForm
  private let folder: String
  private let pseudonymisation: Pseudonymisation

  /// Prepares an export.
  ///
  /// - Parameters:
  ///   - form: the form of the documents.
  ///   - folder: where they are written; a new folder, an empty one, or one with an earlier export of that form.
  ///   - pseudonymisation: the pseudonymisation to apply.
  package init(_ form: DocumentForm, to folder: String, pseudonymisation: Pseudonymisation = .none) {
    (self.form, self.folder, self.pseudonymisation) = (form, folder, pseudonymisation)
  }

  /// Writes the documents of trials that the folder does not have; those of an earlier export are left as they are.
  ///
  /// - Parameters:
  ///   - selection: the trials.
  ///   - progress: called with the number of trials that were written.
  /// - Returns: what came of it; a trial that cannot be read is a problem.
  /// - Throws: `ExportError` and `FileError`.
  package func write(
    _ selection: ExportSelection, progress: (_ done: Int, _ of: Int) -> Void
  ) async throws -> ExportOutcome {
    var export = try IncrementalExport<DocumentEntry>(
      .document(form.name), in: folder, options: pseudonymisation.options)
    try export.ledger.write()
    var outcome = ExportOutcome()
    (outcome.problems, outcome.omissions) = (selection.problems, pseudonymisation.omissions)
    outcome.simulated = selection.order.simulated
    let (form, folder, pseudonymisation) = (form, folder, pseudonymisation)
    // The folder's name is the trial's identifier.
    let places = selection.order.places.filter { !export.has(pseudonymisation.identifier(Folder.name(of: $0.path))) }
    try await export.write(places, &outcome, progress) { place in
      let trial = try ExportedTrial(place, pseudonymisation)
      let documents = try form.files(trial)
      for (suffix, bytes) in documents.files {
        var file = try StreamedFile("\(folder)/\(trial.identifier)\(suffix)")
        try file.write(bytes)
        _ = try file.finish()
      }
      return WrittenTrial(
        entry: DocumentEntry(trial: trial.identifier), files: documents.files.count, problems: documents.problems)
    }
    outcome.trials = export.ledger.entries.count
    return outcome
  }
}

/// A trial whose documents a folder has.
private struct DocumentEntry: LedgerEntry {
  let trial: String

  init(trial: String) { self.trial = trial }

  init?(_ json: JSONValue) {
    guard let trial = json["trial"]?.string else { return nil }
    self.trial = trial
  }

  var json: JSONValue { ["trial": .string(trial)] }
}
