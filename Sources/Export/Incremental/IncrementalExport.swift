import Basics
import Bundles
import Recordings

/// An export into a folder to which later exports of the same kind and with the same options add.
///
/// Trials are written on all cores and in portions. A ledger lists the trials that the folder has; what it has is
/// neither read nor changed, so that adding a few trials to many takes as long as they do.
struct IncrementalExport<Entry: LedgerEntry> {
  private let folder: String
  private var known: Set<String>

  var ledger: ExportLedger<Entry>

  /// Makes a folder ready, and reads what it has.
  ///
  /// - Throws: ``ExportError`` for a folder with other files, or with an export that was made with other options, and
  ///   `FileError`.
  init(_ kind: ExportKind, in folder: String, options: String) throws {
    try kind.prepare(folder)
    self.folder = folder
    ledger = try ExportLedger(kind, in: folder, options: options)
    known = Set(ledger.entries.map(\.trial))
  }

  /// Whether the folder has a trial.
  func has(_ trial: String) -> Bool { known.contains(trial) }

  /// What is to be said of trials that were corrected after they were exported: they are left as they are.
  ///
  /// - Parameters:
  ///   - paths: the bundles of trials, by the trials' names in the ledger.
  ///   - corrections: which people's corrections of beats are used.
  /// - Returns: sentences.
  func notes(onChangesOf paths: [String: String], _ corrections: CorrectionChoice) -> [String] {
    let changed = ledger.entries.filter { entry in
      paths[entry.trial].map {
        ExportedTrial.correctionsDigest(ofBundle: $0, corrections) != entry.correctionsSHA256
      } ?? false
    }
    return changed.map {
      "the corrections of trial \($0.trial) have changed since it was exported, and the export has the old ones; export to "
        + "a new folder"
    }
  }

  /// Writes trials, and lists them.
  ///
  /// - Parameters:
  ///   - trials: the trials.
  ///   - outcome: what came of it; a trial that cannot be read is a problem.
  ///   - progress: called with the number of trials that were written, and how many there are to write.
  ///   - complete: writes what depends on all trials, after each portion.
  ///   - work: writes one trial.
  /// - Throws: the first `FileError`, and what `complete` throws; what the ledger lists is there in any case.
  mutating func write<Trial: Sendable>(
    _ trials: [Trial], _ outcome: inout ExportOutcome, _ progress: (_ done: Int, _ of: Int) -> Void,
    complete: (_ all: [Entry], _ added: [Entry]) throws -> Void = { _, _ in },
    _ work: @escaping @Sendable (Trial) throws -> WrittenTrial<Entry>
  ) async throws {
    for start in stride(from: 0, to: trials.count, by: portion) {
      var added: [Entry] = []
      let part = Array(trials[start..<min(start + portion, trials.count)])
      try await outcome.take(part, progress: { progress(start + $0, trials.count) }, work) { written, outcome in
        added.append(written.entry)
        outcome.added += 1
        outcome.problems += written.problems
        outcome.notes += written.notes
        if written.isCorrected { outcome.corrected += 1 }
        guard let files = written.files else { return }
        outcome.files += files
        if files == 0 { outcome.withoutFiles += 1 }
      }
      ledger.entries += added.filter { known.insert($0.trial).inserted }
      // After a loss of power too, what the ledger lists is there.
      try Folder.synchronizeFileSystem(folder)
      try complete(ledger.entries, added)
      try ledger.write()
    }
  }
}

/// The number of trials between two updates of a ledger; after an interruption as many are written again.
private let portion = 500

/// What was written of a trial.
struct WrittenTrial<Entry: Sendable>: Sendable {
  let entry: Entry
  /// The number of its files; `nil` in forms whose trials always have files.
  var files: Int?
  /// What is in none of them; sentences.
  var problems: [String] = []
  /// Whether people's corrections of beats are used.
  var isCorrected = false
  /// What is to be said of corrections that are not used; sentences.
  var notes: [String] = []
}

extension ExportOutcome {
  /// Does work for each trial on all cores, and takes the results in the order of the trials.
  ///
  /// - Parameters:
  ///   - trials: the trials.
  ///   - progress: called with the number of trials that are done.
  ///   - work: reads a trial, and perhaps writes it; a trial that cannot be read is a problem.
  ///   - take: takes a result.
  /// - Throws: the first error of writing.
  mutating func take<Trial: Sendable, Part: Sendable>(
    _ trials: [Trial], progress: (_ done: Int) -> Void, _ work: @escaping @Sendable (Trial) throws -> Part,
    _ take: (Part, inout ExportOutcome) throws -> Void
  ) async throws {
    var failure: (any Error)?
    var done = 0
    await Parallel.ordered(trials) { trial in
      Result { try work(trial) }
    } take: { result in
      done += 1
      progress(done)
      guard failure == nil else { return }
      switch result {
      case .success(let part): do { try take(part, &self) } catch { failure = error }
      case .failure(let error as FileError) where !error.isMissing: failure = error
      case .failure(let error): problems.append("\(error)")
      }
    }
    if let failure { throw failure }
  }
}
