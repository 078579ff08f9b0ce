package import Basics
import Quantities

/// What became of one trial that a crash, or a full disk, had left open.
package struct RecoveredTrial: Hashable, Sendable, CustomStringConvertible {
  /// The name of its folder under `open/`: the trial's identifier.
  let name: String

  package let fate: Fate

  /// What can become of such a trial.
  package enum Fate: Hashable, Sendable {
    /// Its bundle is at this path; `isWhole` says that the trial had ended before and only its bundle was missing.
    case finished(path: String, isWhole: Bool)
    /// Its bundle already existed, and what was left over was cleared.
    case cleared(path: String)
    /// It ended before its first record was written, and its folder was removed.
    case empty
    /// A living process records it; nothing was touched.
    case running
    /// It could not be made into a bundle; nothing of it was removed.
    case failed(reason: String)
  }

  /// One line for the person at the station.
  package var description: String {
    switch fate {
    case .finished(let path, isWhole: true): "\(name): finished the bundle “\(path.visible)” of a trial that had ended"
    case .finished(let path, isWhole: false): "\(name): recovered into “\(path.visible)”"
    case .cleared(let path): "\(name): cleared what was left beside its bundle “\(path.visible)”"
    case .empty: "\(name): removed; nothing had been recorded"
    case .running: "\(name): left alone; it is being recorded"
    case .failed(let reason): "\(name): \(reason)"
    }
  }
}

extension ResultsFolder {
  /// Makes a bundle of every open trial that no living process holds.
  ///
  /// A torn line at a journal's end is cut off, and a closing record with the outcome `recovered` is added where the
  /// trial had none. Calling it twice, or from two processes at once, does no harm.
  ///
  /// - Returns: what became of each, by name; empty when there was nothing to do.
  /// - Throws: ``BundleError/unwritable(folder:_:)`` when the folder cannot be read at all; what concerns one trial is
  ///   told in its fate.
  package func recover() throws(BundleError) -> [RecoveredTrial] {
    guard Folder.isFolder(openFolder) else { return [] }
    let names: [String]
    do {
      try prepare()
      names = try Folder.names(in: openFolder)
    } catch {
      throw .unwritable(folder: path, error)
    }
    return names.compactMap { name in recover(name).map { RecoveredTrial(name: name, fate: $0) } }
  }

  private func recover(_ name: String) -> RecoveredTrial.Fate? {
    let folder = "\(openFolder)/\(name)"
    if name.hasPrefix(".") || !Folder.exists(folder) { return nil }
    do {
      if let trial = TrialIdentifier(name) { return try recover(trial) }
      if name.hasSuffix(".gone"), TrialIdentifier(String(name.dropLast(5))) != nil {
        return clear(folder)
      }
      if name.hasSuffix(".part"), let trial = TrialIdentifier(String(name.dropLast(5))) {
        // Its open trial, which sorts before it, has been dealt with; without one, the folder was changed by hand.
        return Folder.exists(openPath(of: trial))
          ? nil : .failed(reason: "there is no open trial beside it; look at it by hand")
      }
      return .failed(reason: "this is not the name of a trial; move it elsewhere")
    } catch let error as FileError where error.isMissing && !Folder.exists(folder) {
      // Another process has done the work meanwhile.
      return nil
    } catch {
      return .failed(reason: "\(error)")
    }
  }

  // The process that set it aside may be removing it at this moment.
  private func clear(_ folder: String) -> RecoveredTrial.Fate? {
    do {
      try Folder.removeTree(folder)
    } catch {
      return error.isMissing ? nil : .failed(reason: error.description)
    }
    return nil
  }

  // What taking over a trial comes to.
  private enum Takeover {
    case taken(LockedFile)
    case settled(RecoveredTrial.Fate?)
  }

  private func takeOver(_ trial: TrialIdentifier) throws -> Takeover {
    let path = "\(openPath(of: trial))/\(TrialFile.journal)"
    // In this order: a process that finishes a trial removes its whole folder at once.
    guard Folder.exists(path) else {
      return .settled(Folder.exists(openPath(of: trial)) ? try removeEmpty(trial) : nil)
    }
    let journal = try LockedFile(path, .amend)
    guard try journal.take() else { return .settled(.running) }
    // The previous holder may have finished it meanwhile, or written it again after it had been removed.
    return journal.file.isAt(path) ? .taken(journal) : .settled(Folder.exists(path) ? .running : nil)
  }

  private func recover(_ trial: TrialIdentifier) throws -> RecoveredTrial.Fate? {
    switch try locked({ try takeOver(trial) }) {
    case .settled(let fate): return fate
    case .taken(let journal): return try journal.hold { try recover(trial, journal) }
    }
  }

  private func recover(_ trial: TrialIdentifier, _ journal: LockedFile) throws -> RecoveredTrial.Fate {
    let end = try JournalEnd(
      of: journal.file.path, waveforms: "\(openPath(of: trial))/\(TrialFile.waveformFolder)")
    let stood = Folder.exists(bundlePath(of: trial))
    guard end.lines > 0 || stood else { return try removeEmpty(trial) }
    if !stood {
      if try journal.file.size() > end.validBytes { try journal.file.truncate(to: end.validBytes) }
      if let closing = end.closing { try append(closing, to: journal.file, after: end.validBytes, trial) }
      try journal.file.synchronize()
    }
    let path = try Finaliser(results: self, trial: trial).finish()
    return stood ? .cleared(path: path) : .finished(path: path, isWhole: end.closing == nil)
  }

  private func append(_ closing: JournalRecord, to journal: borrowing File, after size: Int, _ trial: TrialIdentifier)
    throws(BundleError)
  {
    do {
      try journal.write(closing.line())
    } catch {
      try? journal.truncate(to: size)
      throw .unfinished(trial: trial.description, folder: openPath(of: trial), reason: error.description)
    }
  }

  private func removeEmpty(_ trial: TrialIdentifier) throws -> RecoveredTrial.Fate {
    try Finaliser(results: self, trial: trial).removeOpenTrial()
    return .empty
  }
}

/// How a journal that a crash left ends, and the record that it lacks.
struct JournalEnd {
  private(set) var lines = 0
  private(set) var validBytes = 0

  /// The record that closes the trial; `nil` if there is one already, or if no record can be read.
  private(set) var closing: JournalRecord?

  /// Reads what a crash left.
  ///
  /// - Parameters:
  ///   - path: the journal's path.
  ///   - waveforms: the folder of the trial's waveforms, of which the last may have arrived after the journal's end.
  /// - Throws: `FileError`.
  init(of path: String, waveforms: String) throws {
    var reader = try JournalReader(path)
    var sequence = -1
    var latest: Duration?
    var hasHead = false
    var isClosed = false
    while let line = try reader.next() {
      lines = line.number
      guard case .success(let record) = line.record else { continue }
      sequence = max(sequence, record.sequence)
      latest = max(latest ?? record.time, record.time)
      switch record.event {
      case .trialOpened: hasHead = true
      case .reading, .sample:
        if let arrived = record.event.delivery?.arrived { latest = max(latest ?? arrived, arrived) }
      case .trialClosed: isClosed = true
      default: break
      }
    }
    validBytes = reader.validBytes
    guard !isClosed, hasHead, var latest else { return }
    if let last = try WaveformDerivation(folder: waveforms).lastArrival() { latest = max(latest, last) }
    closing = JournalRecord(
      sequence: Plausible.sum(sequence, 1), time: latest,
      event: .trialClosed(TrialClosing(outcome: .recovered, reason: nil, calendar: nil)))
  }
}

extension RecoveredTrial {
  /// What became of the trial, as JSON.
  package var json: JSONValue {
    let (fate, path, reason): (String, String?, String?) =
      switch self.fate {
      case .finished(let path, isWhole: true): ("finished", path, nil)
      case .finished(let path, isWhole: false): ("recovered", path, nil)
      case .cleared(let path): ("cleared", path, nil)
      case .empty: ("removed", nil, nil)
      case .running: ("running", nil, nil)
      case .failed(let reason): ("failed", nil, reason)
      }
    return [
      "trial": .string(name), "fate": .string(fate), "path": .text(path),
      "reason": .text(reason),
    ]
  }
}
