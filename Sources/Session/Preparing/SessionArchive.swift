import Basics
import Bundles
import Quantities
import Study

/// Where a session keeps its trials and its own record: a results folder, or the memory of a simulation.
protocol SessionArchive: Sendable {
  /// Makes sure that trials can be recorded and that no other process performs the session, and completes the trials that a
  /// crash has left.
  ///
  /// - Parameter holder: who performs the session.
  /// - Returns: the claim of the session, to be ended after it, and what became of those trials.
  /// - Throws: what keeps the session from being performed here.
  func begin(_ holder: SessionHolder) throws -> (claim: SessionClaim?, recovered: [RecoveredTrial])

  /// Makes the place ready for what belongs to it beside trials.
  func makeReady() throws(BundleError)

  /// Opens a trial.
  ///
  /// - Parameters:
  ///   - opening: the first record of its journal, which is appended.
  ///   - identifier: the trial's identifier.
  ///   - protocolBytes: the protocol's file, byte for byte.
  ///   - clip: the clip to keep with the trial; `nil` leaves it where it is.
  ///   - clock: paces the journal's waits for the disk.
  ///   - report: told when the disk refuses the journal, on the journal's thread.
  /// - Returns: the trial.
  /// - Throws: `BundleError` if it cannot be opened.
  func open(
    _ opening: TrialOpening, as identifier: TrialIdentifier, protocolBytes: [UInt8], clipToEmbed clip: Clip?,
    clock: any StationClock, report: @escaping @Sendable (DurableReport) -> Void
  ) throws -> any ArchivedTrial

  /// The sessions of a participant in a study, in the order of time.
  func sessions(of participant: String, in study: String) throws -> [SessionRecord]

  /// Keeps the record of a session in place of the one before.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - plan: gives its plan as JSON, for an archive that writes it down.
  /// - Throws: what keeps it from being written; the record before is still there then.
  func write(_ record: SessionRecord, plan: () throws -> JSONValue) throws

  /// Keeps a signed consent, apart from everything else.
  func write(_ consent: ConsentRecord) throws

  /// The records of a session's steps around its trials, in the order of time.
  func stepParts(of record: SessionRecord) throws(BundleError) -> [TrialRecord]
}

/// A trial that runs, and what becomes of it.
protocol ArchivedTrial: Sendable {
  /// The trial's journal, which begins with the record that opens it.
  var journal: any TrialJournal { get }

  /// Makes the place of a waveform's blocks.
  func waveform(_ file: String) throws -> any WaveformSink

  /// Concludes a trial whose journal was closed; it may be called again after it failed.
  ///
  /// - Returns: the trial's record, and its bundle, if there is one.
  func conclude() async throws -> (record: TrialRecord, bundle: Bundle?)

  /// Removes the trial and everything recorded in it.
  func discard() async throws
}

extension ResultsFolder: SessionArchive {
  /// Opens a trial in the folder.
  func open(
    _ opening: TrialOpening, as identifier: TrialIdentifier, protocolBytes: [UInt8], clipToEmbed clip: Clip?,
    clock: any StationClock, report: @escaping @Sendable (DurableReport) -> Void
  ) throws -> any ArchivedTrial {
    let trial = try openTrial(
      identifier: identifier, protocolBytes: protocolBytes, clipToEmbed: clip, clock: clock, report: report)
    trial.journal.append(time: .zero, event: .trialOpened(opening))
    return FiledTrial(trial: trial)
  }

  /// Writes the record of a session in place of the one before.
  func write(_ record: SessionRecord, plan: () throws -> JSONValue) throws {
    try write(record, plan: plan())
  }
}

/// A trial in a results folder.
private struct FiledTrial: ArchivedTrial {
  let trial: OpenTrial

  var journal: any TrialJournal { trial.journal }

  func waveform(_ file: String) throws -> any WaveformSink { try trial.openWaveform(file) }

  func conclude() async throws -> (record: TrialRecord, bundle: Bundle?) {
    let bundle = try Bundle(await trial.finish())
    return (bundle.record, bundle)
  }

  func discard() async throws { try await trial.discard() }
}
