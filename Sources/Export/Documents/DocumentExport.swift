import Analysis
import Basics
import Bundles
package import Recordings

/// Writes trials as documents for other programs, each trial by itself, or adds the new ones to them.
package struct DocumentExport: Sendable {
  private let form: DocumentForm
  private let folder: String
  private let pseudonymisation: Pseudonymisation
  private let corrections: CorrectionChoice

  /// Prepares an export.
  ///
  /// - Parameters:
  ///   - form: the form of the documents.
  ///   - folder: where they are written; a new folder, an empty one, or one with an earlier export of that form.
  ///   - pseudonymisation: the pseudonymisation to apply.
  ///   - corrections: which people's corrections of beats are used.
  package init(
    _ form: DocumentForm, to folder: String, pseudonymisation: Pseudonymisation = .none,
    corrections: CorrectionChoice = .all
  ) {
    (self.form, self.folder, self.pseudonymisation) = (form, folder, pseudonymisation)
    self.corrections = corrections
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
      .document(form.name), in: folder, options: pseudonymisation.options(with: corrections))
    try export.ledger.write()
    var outcome = ExportOutcome()
    (outcome.problems, outcome.omissions) = (selection.problems, pseudonymisation.omissions)
    outcome.simulated = selection.order.simulated
    let (form, folder, pseudonymisation, corrections) = (form, folder, pseudonymisation, corrections)
    outcome.notes = export.notes(
      onChangesOf: Dictionary(
        selection.order.places.map { (pseudonymisation.identifier(Folder.name(of: $0.path)), $0.path) },
        uniquingKeysWith: { first, _ in first }), corrections)
    // The folder's name is the trial's identifier.
    let places = selection.order.places.filter { !export.has(pseudonymisation.identifier(Folder.name(of: $0.path))) }
    try await export.write(places, &outcome, progress) { place in
      let trial = try ExportedTrial(place, pseudonymisation, corrections: corrections)
      let documents = try form.files(trial)
      for (suffix, bytes) in documents.files {
        var file = try StreamedFile("\(folder)/\(trial.identifier)\(suffix)")
        try file.write(bytes)
        _ = try file.finish()
      }
      return WrittenTrial(
        entry: DocumentEntry(
          trial: trial.identifier, corrections: trial.corrections,
          correctionsSHA256: ExportedTrial.correctionsDigest(ofBundle: place.path, corrections)),
        files: documents.files.count,
        problems: documents.problems,
        isCorrected: trial.corrections != nil, notes: trial.correctionNotes)
    }
    outcome.trials = export.ledger.entries.count
    return outcome
  }
}

/// A trial whose documents a folder has.
private struct DocumentEntry: LedgerEntry {
  let trial: String
  /// Which people's corrections of beats are used; `nil` for none.
  let corrections: String?
  let correctionsSHA256: String?

  init(trial: String, corrections: String?, correctionsSHA256: String?) {
    (self.trial, self.corrections, self.correctionsSHA256) = (trial, corrections, correctionsSHA256)
  }

  init?(_ json: JSONValue) {
    guard let trial = json["trial"]?.string else { return nil }
    self.init(
      trial: trial, corrections: json["corrections"]?.string, correctionsSHA256: json["correctionsSHA256"]?.string)
  }

  var json: JSONValue {
    [
      "corrections": .text(corrections), "correctionsSHA256": .text(correctionsSHA256), "trial": .string(trial),
    ]
  }
}
