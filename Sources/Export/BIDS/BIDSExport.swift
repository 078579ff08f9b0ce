package import Analysis
package import Basics
import Bundles
import Quantities
package import Recordings

/// Writes trials as a BIDS data set, or adds the new ones to it.
///
/// Trials are named in their order and then written; see `IncrementalExport`.
package struct BIDSExport: Sendable {
  private let folder: String
  private let version: String
  private let pseudonymisation: Pseudonymisation
  private let clips: String?
  private let given: BIDSDescription
  private let corrections: CorrectionChoice

  /// Prepares an export.
  ///
  /// - Parameters:
  ///   - folder: the data set's folder; a new one, an empty one, or one with an earlier export.
  ///   - version: the program's version.
  ///   - pseudonymisation: the pseudonymisation to apply.
  ///   - clips: the folder of clips to take copies from; `nil` for those that bundles embed.
  ///   - given: what the user says of the data set.
  ///   - corrections: which people's corrections of beats are used.
  package init(
    to folder: String, version: String, pseudonymisation: Pseudonymisation = .none, clips: String? = nil,
    given: BIDSDescription = BIDSDescription(), corrections: CorrectionChoice = .all
  ) {
    self.corrections = corrections
    (self.folder, self.version, self.pseudonymisation, self.clips, self.given) = (
      folder, version, pseudonymisation, clips, given
    )
  }

  /// Writes the trials that the data set does not have.
  ///
  /// - Parameters:
  ///   - operands: results folders and bundles.
  ///   - selection: which of their trials are taken.
  ///   - progress: called with the number of trials that were written, and how many there are to write.
  /// - Returns: what came of it; a trial that cannot be read is a problem and is not in the data set.
  /// - Throws: `ExportError` and `FileError`.
  package func write(
    _ operands: [String], _ selection: TrialSelection, progress: (_ done: Int, _ of: Int) -> Void
  ) async throws -> ExportOutcome {
    let pseudonymisation = pseudonymisation
    var export = try IncrementalExport<BIDSEntry>(
      .bids, in: folder, options: pseudonymisation.options(with: corrections))
    var outcome = ExportOutcome()
    outcome.omissions = pseudonymisation.omissions
    var paths: [String] = []
    var known: [String: String] = [:]
    for operand in operands {
      do throws(RecordingError) {
        // The folder's name is the trial's identifier.
        for path in try TrialPaths.expand(operand) {
          let trial = pseudonymisation.identifier(Folder.name(of: path))
          if export.has(trial) { known[trial] = path } else { paths.append(path) }
        }
      } catch {
        outcome.problems.append("\(error)")
      }
    }
    outcome.notes = export.notes(onChangesOf: known, corrections)
    var trials: [(path: String, heading: TrialHeading)] = []
    var paired: [String: String] = [:]
    for entry in await TrialChronology.entries(paths) {
      switch entry {
      case .failure(let error): outcome.problems.append("\(error)")
      case .success(let one):
        guard selection.takes(one.heading), !export.has(pseudonymisation.identifier(one.heading.trial)) else {
          continue
        }
        if let other = paired.updateValue(one.path, forKey: one.heading.trial) {
          outcome.problems.append(
            "“\(one.path.visible)” is the same trial as “\(other.visible)”, and is in the data set once")
          continue
        }
        trials.append(one)
      }
    }
    if !export.ledger.entries.allSatisfy(\.isSimulated) || selection.leavesOutSimulated(of: trials.map(\.heading)),
      !selection.includesSimulated
    {
      outcome.simulatedLeftOut = trials.count { $0.heading.simulation.isSimulated && !$0.heading.isAround }
      trials.removeAll { $0.heading.simulation.isSimulated }
    }
    trials.sort { $0.heading.trial < $1.heading.trial }
    if trials.isEmpty, export.ledger.entries.isEmpty, outcome.problems.isEmpty {
      throw outcome.simulatedLeftOut > 0
        ? ExportError.onlySimulated(count: outcome.simulatedLeftOut) : ExportError.noTrials
    }
    if let first = trials.first {
      let title = given.name ?? "Trials of \(first.heading.study.visible)"
      let day = String(pseudonymisation.time(first.heading.startDate, of: first.heading.participant).precise.prefix(10))
      try BIDSDataset.begin(
        folder, name: title, version: version, since: day, pseudonymisation: pseudonymisation, given: given.dataset,
        isSimulated: trials.contains { $0.heading.simulation.isSimulated })
    }
    let named = name(trials, in: &export.ledger)
    let stimuli = try BIDSStimuli(of: folder, clips: clips)
    let (folder, given, corrections) = (folder, given, corrections)
    try await export.write(named, &outcome, progress) { all, added in
      try BIDSDataset(folder, all).writeLists(changed: Set(added.map(\.folder)))
    } _: { trial in
      do { return try trial.write(to: folder, pseudonymisation, stimuli, given, corrections) } catch {
        trial.remove(from: folder)
        throw error
      }
    }
    outcome.trials = export.ledger.entries.count
    outcome.simulated = export.ledger.entries.count(where: \.isSimulated)
    return outcome
  }

  /// Gives trials their names in the data set.
  private func name(
    _ trials: [(path: String, heading: TrialHeading)], in ledger: inout ExportLedger<BIDSEntry>
  ) -> [BIDSTrial] {
    var labels = BIDSLabels(ledger.members["labels"])
    var runs: [String: Int] = [:]
    for entry in ledger.entries { runs[entry.runs] = max(runs[entry.runs] ?? 0, entry.run) }
    let named = trials.map { path, heading in
      var entry = BIDSEntry(heading, pseudonymisation, &labels)
      entry.run = (runs[entry.runs] ?? 0) + 1
      runs[entry.runs] = entry.run
      return BIDSTrial(path: path, entry: entry)
    }
    ledger.members["labels"] = labels.json
    return named
  }
}

/// What the user says of a data set: members of its description, and of the description of its tasks.
package struct BIDSDescription: Sendable {
  let dataset: [String: JSONValue]
  let task: [String: JSONValue]

  /// The data set's name.
  var name: String? { dataset["Name"]?.string }

  /// The members that belong to tasks.
  private static let ofTasks: Set<String> = [
    "TaskDescription", "Instructions", "CogAtlasID", "CogPOID", "InstitutionName", "InstitutionAddress",
    "InstitutionalDepartmentName",
  ]

  package init(_ members: [String: JSONValue] = [:]) {
    dataset = members.filter { !Self.ofTasks.contains($0.key) }
    task = members.filter { Self.ofTasks.contains($0.key) }
  }
}

extension BIDSEntry {
  /// What is numbered together.
  fileprivate var runs: String { "\(participant)/\(session)/\(task)" }

  fileprivate init(_ heading: TrialHeading, _ pseudonymisation: Pseudonymisation, _ labels: inout BIDSLabels) {
    trial = pseudonymisation.identifier(heading.trial)
    participant =
      pseudonymisation.hidesCodes
      ? pseudonymisation.participant(heading.participant) : labels.label(heading.participant, .participant)
    session = labels.label(heading.session, .session)
    task = labels.label(heading.study, .task)
    run = 1
    start = pseudonymisation.time(heading.startDate, of: heading.participant).precise
    condition = heading.condition
    clip = heading.clipName
    (outcome, verdict) = (heading.outcome.rawValue, heading.verdict.rawValue)
    isSimulated = heading.simulation.isSimulated
    (group, localStart, timeZone, hearts) = (nil, nil, nil, [])
  }
}

extension TrialChronology {
  /// The headings of bundles in the order of the paths; those that no index has are read on all cores.
  fileprivate static func entries(
    _ paths: [String]
  ) async -> [Result<(path: String, heading: TrialHeading), BundleError>] {
    var entries: [Result<(path: String, heading: TrialHeading), BundleError>] = []
    let headings = await IndexedHeadings(of: paths)
    await Parallel.ordered(paths) { path in
      Result { () throws(BundleError) in (path, try headings.heading(of: path)) }
    } take: {
      entries.append($0)
    }
    return entries
  }
}
