import Bundles
import Quantities
import Study
import Synchronization

/// Where a trial writes what happens, in the order of the calls.
protocol TrialJournal: Sendable {
  /// Takes an event that happened at `time` since the trial's zero, without waiting for the disk.
  ///
  /// - Returns: the record's number; `nil` for what could not be taken.
  @discardableResult
  func append(time: Duration, event: JournalEvent) -> Int?
}

extension JournalWriter: TrialJournal {}

/// A journal in memory, for tests and rehearsals.
final class MemoryJournal: TrialJournal {
  private let entries = Mutex<[JournalRecord]>([])

  init() {}

  /// Keeps the event as the next record, and says its number.
  @discardableResult
  func append(time: Duration, event: JournalEvent) -> Int? {
    entries.withLock { entries in
      entries.append(JournalRecord(sequence: entries.count, time: time, event: event))
      return entries.count - 1
    }
  }

  /// What was appended so far.
  var records: [JournalRecord] { entries.withLock { $0 } }
}

/// A trial's journal with the trial's zero: takes moments, writes times since the zero.
struct TrialLog: Sendable {
  let journal: any TrialJournal
  let zero: Moment
  let clock: any StationClock

  /// Writes down what happens now, or happened at a moment.
  func append(_ event: JournalEvent, at moment: Moment? = nil) {
    journal.append(time: time(of: moment ?? clock.now), event: event)
  }

  /// The time of a moment since the trial's zero.
  func time(of moment: Moment) -> Duration { zero.duration(to: moment) }

  /// The time of a measured moment since the trial's zero.
  func time(of measured: MeasuredMoment) -> MeasuredTime {
    MeasuredTime(time: time(of: measured.moment), uncertainty: measured.uncertainty)
  }

  /// When a screen was painted, with its time since the trial's zero.
  func screen(
    _ step: String, _ question: Question?, _ paint: ScreenPaint, _ pictures: [StudyPicture]
  ) -> TrialRecord.Screen {
    TrialRecord.Screen(
      step: step, question: question?.identifier, painted: time(of: paint.painted),
      pictures: pictures.compactMap { picture in
        paint.pictures[picture.sha256].map { .init(file: picture.file, sha256: picture.sha256, size: $0) }
      })
  }

  /// An input with its times since the trial's zero.
  func input(_ input: AnswerInput) -> TrialRecord.Input {
    TrialRecord.Input(
      painted: input.painted.map(time), made: time(of: input.made), device: input.device,
      firstContact: input.firstContact.map(time), changes: input.changes)
  }
}

/// Where the blocks of a waveform go.
protocol WaveformSink: Sendable {
  /// Takes a block without waiting for the disk; its number, or `nil` if there is no room for it.
  @discardableResult
  func append(_ block: WaveformBlock) -> Int?

  /// How many frames found no room.
  var droppedFrames: Int { get }
}

extension WaveformWriter: WaveformSink {}
