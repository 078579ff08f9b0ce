import Basics
import Bundles
import Quantities
import Study
import Synchronization

/// Keeps the trials of a simulation in memory as long as they last, and then no more of each than what its journal comes to;
/// with a results folder its bundle too.
///
/// The record of a session is written when the session is over.
final class SimulatedArchive: SessionArchive {
  private let results: ResultsFolder?
  /// The sessions of each participant, in the order of time.
  private let sessions = Mutex<[String: [SessionRecord]]>([:])
  private let signatures = Mutex<[String: Int]>([:])

  /// - Parameter results: where bundles are written; `nil` writes none.
  init(_ results: ResultsFolder?) { self.results = results }

  func begin(_ holder: SessionHolder) throws -> (claim: SessionClaim?, recovered: [RecoveredTrial]) {
    try results?.begin(holder) ?? (nil, [])
  }

  func makeReady() throws(BundleError) { try results?.makeReady() }

  func open(
    _ opening: TrialOpening, as identifier: TrialIdentifier, protocolBytes: [UInt8], clipToEmbed clip: Clip?,
    clock: any StationClock, report: @escaping @Sendable (DurableReport) -> Void
  ) throws -> any ArchivedTrial {
    let trial: any ArchivedTrial
    if let results {
      // What is written in pieces while it is recorded, or copied, goes the way of a real trial.
      let hasFiles = clip != nil || opening.recorders.contains { opening.waveformFile(of: $0) != nil }
      guard !hasFiles else {
        return try results.open(
          opening, as: identifier, protocolBytes: protocolBytes, clipToEmbed: clip, clock: clock, report: report)
      }
      trial = MemoryTrial(identifier, in: results, protocolBytes: protocolBytes)
    } else {
      trial = RememberedTrial()
    }
    trial.journal.append(time: .zero, event: .trialOpened(opening))
    return trial
  }

  func sessions(of participant: String, in study: String) throws -> [SessionRecord] {
    sessions.withLock { $0[participant] ?? [] }
  }

  func write(_ record: SessionRecord, plan: () throws -> JSONValue) throws {
    sessions.withLock { sessions in
      let index = sessions[record.participant]?.firstIndex { $0.session == record.session }
      if let index {
        sessions[record.participant]?[index] = record
      } else {
        sessions[record.participant, default: []].append(record)
      }
    }
    if record.state != .running { try results?.write(record, plan: plan()) }
  }

  func write(_ consent: ConsentRecord) throws {
    try results?.write(consent)
    signatures.withLock { $0[consent.participant, default: 0] += 1 }
  }

  /// How often a participant has signed since this was asked before.
  func takeSignatures(of participant: String) -> Int {
    signatures.withLock { $0.removeValue(forKey: participant) ?? 0 }
  }

  /// None: what is in memory ends with the simulation, and is not resumed.
  func stepParts(of record: SessionRecord) throws(BundleError) -> [TrialRecord] { [] }
}

extension MemoryTrial: TrialJournal, ArchivedTrial {
  /// The trial itself.
  var journal: any TrialJournal { self }

  /// None: a trial with waveforms is not kept in memory.
  func waveform(_ file: String) throws -> any WaveformSink {
    preconditionFailure("a trial with waveforms is written while it is recorded")
  }

  /// Writes the bundle.
  func conclude() async throws -> (record: TrialRecord, bundle: Bundle?) { (try finish(), nil) }

  /// Nothing of it is anywhere else.
  func discard() async throws {}
}

/// A trial whose journal and waveforms are kept in memory until it ends.
private final class RememberedTrial: ArchivedTrial {
  private let memory = MemoryJournal()
  private let blocks = Mutex<[(file: String, block: WaveformBlock)]>([])

  var journal: any TrialJournal { memory }

  func waveform(_ file: String) throws -> any WaveformSink { Sink(file: file, trial: self) }

  func conclude() async throws -> (record: TrialRecord, bundle: Bundle?) {
    (TrialRecord(journal: memory.records, blocks: blocks.withLock { $0 }), nil)
  }

  func discard() async throws {}

  private struct Sink: WaveformSink {
    let file: String
    let trial: RememberedTrial

    var droppedFrames: Int { 0 }

    func append(_ block: WaveformBlock) -> Int? {
      trial.blocks.withLock { blocks in
        blocks.append((file, block))
        return blocks.count - 1
      }
    }
  }
}
