import Analysis
import Basics
import Bundles
import Quantities
import Reports
import Study

/// A part of a session whose journal `station show --live` reads while it is written.
final class FollowedTrial {
  /// How a trial that is no longer followed ended.
  enum End {
    /// Its bundle is at this path.
    case bundle(String)
    case discarded
  }

  private let trial: TrialUnderWay
  private var journal: JournalReader
  private var lines = LiveLines()
  private let watches: [FileWatch]
  private var isRecorded = true
  private var isOpen = true

  /// Opens a trial's journal, wherever it lies by now; `nil` for a trial that was discarded before.
  ///
  /// - Parameters:
  ///   - trial: the trial.
  ///   - watch: is told each file that changes with the trial.
  /// - Throws: `FileError` when its journal cannot be read.
  init?(_ trial: TrialUnderWay, _ watch: (FileWatch) -> Void) throws {
    var place = trial
    let reader: JournalReader
    do {
      reader = try JournalReader(trial.journalFile)
    } catch {
      // Perhaps it ended between the choice and this.
      guard !trial.isOpen else { throw error }
      guard trial.isFinished else { return nil }
      place = trial.inBundle
      reader = try JournalReader(place.journalFile)
    }
    self.trial = place
    journal = reader
    watches = [FileWatch(place.journalFile), FileWatch(place.bundlePath)]
    for one in watches { watch(one) }
  }

  deinit { for watch in watches { watch.stop() } }

  var identifier: TrialIdentifier { trial.identifier }

  /// What is known of it before its first line.
  var beginning: LiveTrial { LiveTrial(journal: trial.journalFile) }

  /// Whether readings and samples are told as well.
  var tellsSamples = true

  /// Whether more was written than was read, since a slow reader of the lines is waited for.
  private(set) var isBehind = false

  /// Reads what was written since into the session, line by line; `tell` takes lines that say it, unless a screen shows it.
  ///
  /// - Throws: `FileError` when the journal cannot be read, and `BundleError` where its first line opens no trial.
  func read(into session: inout LiveSession, while goesOn: () -> Bool, _ tell: ((String) -> Void)?) throws {
    // Check this before the journal: its writer writes the last lines before it exits.
    (isRecorded, isOpen) = (trial.isRecorded, trial.isOpen)
    isBehind = true
    while goesOn() {
      guard let line = try journal.next() else {
        isBehind = false
        return
      }
      try session.take(line, of: identifier)
      if line.number == 1, let isAround = session[identifier]?.isAround {
        session[identifier]?.steps = steps(isAround: isAround)
      }
      guard let tell, case .success(let record) = line.record, let live = session[identifier] else { continue }
      guard tellsSamples || !record.event.isOfSensor else { continue }
      for text in lines.lines(record, live) { tell(text) }
    }
  }

  /// How it ended; `nil` while it runs, or its bundle is being made.
  ///
  /// - Throws: ``TrialUnderWayError`` if its program crashed.
  func end(in session: LiveSession) throws -> End? {
    guard !isBehind else { return nil }
    if !isOpen || !isRecorded || session[identifier]?.progress.closing != nil, trial.isFinished {
      return .bundle(trial.bundlePath)
    }
    guard isOpen else { return .discarded }
    guard isRecorded else { throw TrialUnderWayError.crashed(trial.identifier) }
    return nil
  }

  /// The steps that may come; none if the protocol cannot be read, since everything else can be shown without it.
  private func steps(isAround: Bool) -> [[Step]] {
    for file in [trial.protocolFile, trial.inBundle.protocolFile] {
      guard let bytes = try? File(file, .read, isRegular: true).contents(limit: StudyProtocolReader.maxFile)
      else { continue }
      guard let study = (try? StudyProtocolReader.read(bytes, fileName: file))?.studyProtocol else { return [] }
      let trials = study.steps.compactMap(\.trials)
      guard !trials.isEmpty else { return [study.steps] }
      guard isAround else { return trials.map(\.steps) }
      return [study.steps] + trials.compactMap { $0.breaks?.steps }
    }
    return []
  }
}

extension JournalEvent {
  fileprivate var isOfSensor: Bool {
    switch self {
    case .reading, .sample: true
    default: false
    }
  }
}
