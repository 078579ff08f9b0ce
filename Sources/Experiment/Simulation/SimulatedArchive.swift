import Basics
import Bundles
import Quantities
import Study
import Synchronization

/// Keeps the records of sessions in memory, and of each trial no more than what its journal comes to.
final class MemoryArchive: SessionArchive {
  private let sessions = Mutex<[String: SessionRecord]>([:])

  func begin() throws -> [RecoveredTrial] { [] }

  func makeReady() throws(BundleError) {}

  func open(
    _ opening: TrialOpening, as identifier: TrialIdentifier, protocolBytes: [UInt8], clipToEmbed clip: Clip?,
    clock: any StationClock, report: @escaping @Sendable (DurableReport) -> Void
  ) throws -> any ArchivedTrial {
    let trial = RememberedTrial()
    trial.journal.append(time: .zero, event: .trialOpened(opening))
    return trial
  }

  func sessions(of participant: String, in study: String) throws -> [SessionRecord] {
    sessions.withLock { $0.values.filter { $0.participant == participant && $0.studyProtocol.identifier == study } }
      .sorted { $0.session < $1.session }
  }

  func session(_ session: String) throws(BundleError) -> SessionRecord {
    guard let record = sessions.withLock({ $0[session] }) else {
      throw .unreadable(path: session, reason: "there is no such session in memory")
    }
    return record
  }

  func write(_ record: SessionRecord, plan: JSONValue?) throws { sessions.withLock { $0[record.session] = record } }

  /// Nothing is kept: no one has signed.
  func write(_ consent: ConsentRecord) throws {}

  /// None: what is in memory ends with the simulation, and is not resumed.
  func stepsShown(in record: SessionRecord) throws(BundleError) -> [String: [TrialRecord.Step]] { [:] }
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
