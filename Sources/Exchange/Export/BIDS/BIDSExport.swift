package import Analysis
package import Basics
import Bundles
import Quantities
import Recordings

/// Writes trials as a BIDS data set, or adds the new ones to it.
///
/// Trials are named in their order and then written on all cores. What is in the data set already is neither read nor
/// changed, so that adding a few trials to many takes as long as they do.
package struct BIDSExport: Sendable {
  private let folder: String
  private let version: String
  private let disguise: Disguise
  private let clips: String?
  private let given: BIDSDescription

  /// So many trials are written before the ledger says so: after an interruption as many are written again.
  private static let portion = 500

  /// Prepares an export.
  ///
  /// - Parameters:
  ///   - folder: the data set's folder; a new one, an empty one, or one with an earlier export.
  ///   - version: the program's version.
  ///   - disguise: what is said instead of what could identify.
  ///   - clips: the folder of clips to take copies from; `nil` for those that bundles embed.
  ///   - given: what the user says of the data set.
  package init(
    to folder: String, version: String, disguise: Disguise = .none, clips: String? = nil,
    given: BIDSDescription = BIDSDescription()
  ) {
    (self.folder, self.version, self.disguise, self.clips, self.given) = (folder, version, disguise, clips, given)
  }

  /// Writes the trials that the data set does not have.
  ///
  /// - Parameters:
  ///   - operands: results folders and bundles.
  ///   - selection: which of their trials are taken.
  ///   - progress: called with the number of trials that were written, and how many there are to write.
  /// - Returns: what came of it; a trial that cannot be read is a problem and is not in the data set.
  /// - Throws: ``ExportError`` and `FileError`.
  package func write(
    _ operands: [String], _ selection: TrialSelection, progress: (_ done: Int, _ of: Int) -> Void
  ) async throws -> ExportOutcome {
    try ExportKind.bids.prepare(folder)
    let disguise = disguise
    var ledger = try BIDSLedger(of: folder) ?? BIDSLedger(options: disguise.options)
    guard ledger.options == disguise.options else {
      throw ExportError.otherOptions(path: folder, were: ledger.options, are: disguise.options)
    }
    var outcome = ExportOutcome()
    outcome.omissions = disguise.omissions
    let known = Set(ledger.entries.map(\.trial))
    var paths: [String] = []
    for operand in operands {
      do throws(RecordingError) {
        // The folder's name is the trial's identifier.
        paths += try TrialPaths.expand(operand).filter { !known.contains(disguise.identifier(Folder.name(of: $0))) }
      } catch {
        outcome.problems.append("\(error)")
      }
    }
    var trials: [(path: String, heading: TrialHeading)] = []
    var paired: [String: String] = [:]
    for entry in await TrialOrder.entries(paths) {
      switch entry {
      case .failure(let error): outcome.problems.append("\(error)")
      case .success(let one):
        guard selection.takes(one.heading), !known.contains(disguise.identifier(one.heading.trial)) else { continue }
        if let other = paired.updateValue(one.path, forKey: one.heading.trial) {
          outcome.problems.append(
            "“\(one.path.visible)” is the same trial as “\(other.visible)”, and is in the data set once")
          continue
        }
        trials.append(one)
      }
    }
    if !ledger.entries.allSatisfy(\.isSimulated) || selection.leavesOutSimulated(of: trials.map(\.heading)),
      !selection.includesSimulated
    {
      outcome.simulatedLeftOut = trials.count { $0.heading.simulation.isSimulated && !$0.heading.isAround }
      trials.removeAll { $0.heading.simulation.isSimulated }
    }
    trials.sort { $0.heading.trial < $1.heading.trial }
    if trials.isEmpty, known.isEmpty, outcome.problems.isEmpty {
      throw outcome.simulatedLeftOut > 0
        ? ExportError.onlySimulated(count: outcome.simulatedLeftOut) : ExportError.noTrials
    }
    if let first = trials.first {
      let title = given.name ?? "Trials of \(first.heading.study.visible)"
      let day = String(disguise.time(first.heading.startDate, of: first.heading.participant).precise.prefix(10))
      try BIDSDataset.begin(
        folder, name: title, version: version, since: day, disguise: disguise, given: given.dataset,
        isSimulated: trials.contains { $0.heading.simulation.isSimulated })
    }
    try await write(trials, &ledger, &outcome, progress)
    outcome.trials = ledger.entries.count
    outcome.simulated = ledger.entries.count(where: \.isSimulated)
    return outcome
  }

  private func write(
    _ trials: [(path: String, heading: TrialHeading)], _ ledger: inout BIDSLedger, _ outcome: inout ExportOutcome,
    _ progress: (_ done: Int, _ of: Int) -> Void
  ) async throws {
    let stimuli = try BIDSStimuli(of: folder, clips: clips)
    var runs: [String: Int] = [:]
    for entry in ledger.entries { runs[entry.runs] = max(runs[entry.runs] ?? 0, entry.run) }
    var done = 0
    for start in stride(from: 0, to: trials.count, by: Self.portion) {
      var named: [BIDSTrial] = []
      for (path, heading) in trials[start..<min(start + Self.portion, trials.count)] {
        var entry = BIDSLedger.Entry(heading, disguise, &ledger.labels)
        entry.run = (runs[entry.runs] ?? 0) + 1
        runs[entry.runs] = entry.run
        try Folder.ensure("\(folder)/\(entry.folder)/beh")
        named.append(BIDSTrial(path: path, entry: entry))
      }
      var changed: Set<String> = []
      var failure: (any Error)?
      let (folder, disguise, given) = (folder, disguise, given)
      await Parallel.ordered(named) { trial in
        Result {
          do { return try trial.write(to: folder, disguise, stimuli, given) } catch {
            trial.remove(from: folder)
            throw error
          }
        }
      } take: { result in
        done += 1
        progress(done, trials.count)
        switch result {
        case .success(let entry):
          ledger.entries.append(entry)
          changed.insert(entry.folder)
          outcome.added += 1
        case .failure(let error as FileError) where !error.isMissing: failure = failure ?? error
        case .failure(let error): outcome.problems.append("\(error)")
        }
      }
      // After a loss of power too, what the ledger lists is there.
      try Folder.synchronizeFileSystem(folder)
      if let failure { throw failure }
      try BIDSDataset(folder, ledger).writeLists(changed: changed)
      try ledger.write(to: folder)
    }
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

  /// What an object says.
  package init(_ members: [String: JSONValue] = [:]) {
    dataset = members.filter { !Self.ofTasks.contains($0.key) }
    task = members.filter { Self.ofTasks.contains($0.key) }
  }
}

extension BIDSLedger.Entry {
  /// What is numbered together.
  fileprivate var runs: String { "\(participant)/\(session)/\(task)" }

  fileprivate init(_ heading: TrialHeading, _ disguise: Disguise, _ labels: inout BIDSLabels) {
    trial = disguise.identifier(heading.trial)
    participant =
      disguise.hidesCodes
      ? disguise.participant(heading.participant) : labels.label(heading.participant, .participant)
    session = labels.label(heading.session, .session)
    task = labels.label(heading.study, .task)
    run = 1
    start = disguise.time(heading.startDate, of: heading.participant).precise
    condition = heading.condition
    clip = heading.clipName
    (outcome, verdict) = (heading.outcome.rawValue, heading.verdict.rawValue)
    isSimulated = heading.simulation.isSimulated
    (group, localStart, timeZone, hearts) = (nil, nil, nil, [])
  }
}

extension TrialOrder {
  /// The headings of bundles, read on all cores, in the order of the paths.
  fileprivate static func entries(
    _ paths: [String]
  ) async -> [Result<(path: String, heading: TrialHeading), BundleError>] {
    var entries: [Result<(path: String, heading: TrialHeading), BundleError>] = []
    await Parallel.ordered(paths) { path in
      Result { () throws(BundleError) in (path, try TrialHeading(ofBundle: path)) }
    } take: {
      entries.append($0)
    }
    return entries
  }
}
