import Basics
import Quantities
import Study

/// What happened in a trial, apart from its readings: the fold of a journal, of a size that does not grow with it.
struct TrialAccount {
  let opening: TrialOpening
  let openedAt: Duration
  private(set) var closing: TrialClosing?
  private(set) var closedAt: Duration?
  private(set) var chosen: ChosenClip?
  private(set) var sound = SoundAccount()
  private(set) var markers = MarkerAccount()
  /// The heartbeat that the stimulus followed.
  private(set) var heartLock = LockAccount()
  /// The steps, the answers and the pauses.
  private(set) var course = TrialCourse()
  /// The segments of each recorder, by its identifier.
  private(set) var segments: [String: [Segment]] = [:]
  /// The times without a connection of each sensor, by its name.
  private(set) var losses: [String: [Loss]] = [:]
  /// The device behind each sensor, as far as it said so when it connected.
  private(set) var devices: [String: Device] = [:]
  /// The waveforms, in the order in which they began.
  private(set) var waveforms: [WaveformHead] = []
  private(set) var linesSkipped: [String: Int] = [:]
  private(set) var readingsDropped: [String: Int] = [:]
  /// How long each sensor was held back that sent more than could be read, and how many samples waited unread in the end.
  private(set) var readingsUnread: [String: (heldBack: Duration, count: Int)] = [:]
  /// What was odd about sensors, each thing once.
  private(set) var sensorNotes: [Caveat] = []
  /// How many records there are of each kind that is not known: of the first few kinds, and in all.
  private(set) var unknownKinds: [String: Int] = [:]
  private(set) var unknownRecords = 0
  /// How many records there are, and what is wrong with the journal: the first few problems of `problemCount`.
  private(set) var records = 0
  private(set) var problems: [JournalProblem] = []
  private(set) var problemCount = 0
  /// The latest time in any record.
  private(set) var latest: Duration
  private var sequence = SequenceCheck()

  /// A recorder's work from its start or resumption to its stop.
  struct Segment {
    let index: Int
    let start: Duration
    /// `nil` when nothing says that it stopped: it lasted to the end.
    var stop: Duration?
  }

  /// A time in which a sensor had no connection.
  struct Loss {
    let start: Duration
    /// `nil` when it never came back.
    var end: Duration?
    let reason: String
  }

  /// Where the trial ends on its own clock: never before its last step does.
  var end: Duration { course.steps.reduce(closedAt ?? latest) { max($0, $1.left ?? $0) } }

  /// How much further the calendar went than the trial's clock; `nil` if the calendar was not read at the end.
  var drift: Duration? {
    guard let end = closing?.calendar else { return nil }
    return .milliseconds(end.wall.milliseconds - opening.zero.wall.milliseconds) - (end.time - opening.zero.time)
  }

  /// Whether a step is one in which something is played or recorded.
  func isActive(_ step: String) -> Bool {
    chosen?.step == step || opening.recorders.contains { $0.step == step }
  }

  /// Reads a whole journal once.
  ///
  /// - Throws: ``BundleError/headless(folder:reason:)`` where the first record does not open a trial.
  init(of journal: JournalSource) throws {
    var reader = try JournalReader(journal)
    // What was kept in memory begins with the record that opens the trial.
    let path = if case .file(let path) = journal { path } else { "" }
    guard let first = try reader.next() else {
      throw BundleError.headless(folder: Folder.parent(of: path), reason: "its journal holds no whole line")
    }
    self = try TrialAccount(opening: first, of: path)
    while let line = try reader.next() { take(line) }
    // Of a sound that was lost with the program, no more is known than when it was heard of last.
    if sound.failure == nil { breakOffSound(at: latest) }
  }

  private mutating func breakOffSound(at time: Duration) {
    sound.breakOff(at: time, rate: chosen?.clip.sampleRate ?? 0)
  }

  /// Begins with a journal's first line.
  ///
  /// - Throws: ``BundleError/headless(folder:reason:)`` where it does not open a trial.
  init(opening line: JournalReader.Line, of journal: String) throws(BundleError) {
    switch line.record {
    case .failure(let problem):
      throw BundleError.headless(folder: Folder.parent(of: journal), reason: problem.description)
    case .success(let record):
      guard case .trialOpened(let opening) = record.event else {
        throw BundleError.headless(
          folder: Folder.parent(of: journal), reason: "its journal begins with \(record.event.kind), not trial.open")
      }
      self.init(opening: opening, at: record.time)
      take(record, line: 1)
    }
  }

  /// Takes a whole journal that was kept in memory.
  ///
  /// - Precondition: its first record opens a trial.
  init(of records: [JournalRecord]) {
    guard let first = records.first, case .trialOpened(let opening) = first.event else {
      preconditionFailure("a journal begins with the record that opens its trial")
    }
    self.init(opening: opening, at: first.time)
    for (index, record) in records.enumerated() { take(record, line: index + 1) }
    if sound.failure == nil { breakOffSound(at: latest) }
  }

  /// A trial of which nothing is known but its head.
  init(opening: TrialOpening, at time: Duration = .zero) {
    self.opening = opening
    (openedAt, latest) = (time, time)
  }

  /// Takes the journal's next line.
  mutating func take(_ line: JournalReader.Line) {
    switch line.record {
    case .failure(let problem): note(problem)
    case .success(let record): take(record, line: line.number)
    }
  }

  private mutating func note(_ problem: JournalProblem) {
    problemCount += 1
    if problems.count < 20 { problems.append(problem) }
  }

  fileprivate mutating func take(_ record: JournalRecord, line: Int) {
    if let problem = sequence.take(record.sequence, line: line) { note(problem) }
    if closing != nil { note(JournalProblem(line: line, reason: "it comes after the record that closes the trial")) }
    records += 1
    latest = max(latest, record.time)
    let time = record.time
    course.take(record.event, at: time)
    markers.take(record.event)
    heartLock.take(record.event, at: time)
    if case .soundFailed = record.event, sound.failure == nil { breakOffSound(at: time) }
    switch record.event {
    case .reading, .sample: latest = max(latest, record.event.delivery?.arrived ?? latest)
    case .clipChosen(let clip): chosen = chosen ?? clip
    case .soundLevelled, .soundScheduled, .soundStarted, .soundEnded, .soundDisturbed, .soundFailed:
      sound.take(record.event)
    case .toneStarted, .toneEnded, .toneDisturbed, .toneFailed, .speechScheduled, .speechStarted, .speechEnded,
      .speechDisturbed, .speechFailed:
      sound.take(record.event)
    case .recorderStarted(let recorder, _, let segment):
      segments[recorder, default: []].append(Segment(index: segment, start: time))
    case .recorderStopped(let recorder, _, let segment):
      guard let index = segments[recorder]?.lastIndex(where: { $0.index == segment && $0.stop == nil }) else { break }
      segments[recorder]?[index].stop = time
    case .sensorConnected(let sensor, let device):
      if let device { devices[sensor] = device }
      guard let index = losses[sensor]?.indices.last, losses[sensor]?[index].end == nil else { break }
      losses[sensor]?[index].end = time
    case .sensorLost(let sensor, let reason, _):
      if let last = losses[sensor]?.last, last.end == nil { break }
      losses[sensor, default: []].append(Loss(start: time, reason: reason))
    case .waveformOpened(let head): waveforms.append(head)
    case .linesSkipped(let sensor, let count, _, _):
      linesSkipped[sensor] = Plausible.sum(linesSkipped[sensor] ?? 0, count)
    case .readingsDropped(let sensor, let count):
      readingsDropped[sensor] = Plausible.sum(readingsDropped[sensor] ?? 0, count)
    case .readingsHeldBack(let sensor, let heldBack, let unread):
      let known = readingsUnread[sensor] ?? (.zero, 0)
      readingsUnread[sensor] = (known.heldBack + heldBack, Plausible.sum(known.count, unread))
    case .sensorNoted(let sensor, let text):
      let note = Caveat.sensorNoted(sensor: sensor, text: text)
      if sensorNotes.count < 20, !sensorNotes.contains(note) { sensorNotes.append(note) }
    case .trialClosed(let closing):
      guard self.closing == nil else { break }
      self.closing = closing
      closedAt = time
    case .unknown(let kind):
      unknownRecords += 1
      if unknownKinds[kind] != nil || unknownKinds.count < 20 { unknownKinds[kind, default: 0] += 1 }
    default: break
    }
  }
}

/// What a trial has come to so far, from the lines of its journal as they come.
package struct TrialProgress: Sendable {
  private var account: TrialAccount?

  package init() {}

  /// Takes the journal's next line.
  ///
  /// - Throws: ``BundleError/headless(folder:reason:)`` where the first line opens no trial.
  package mutating func take(_ line: JournalReader.Line, from journal: String) throws(BundleError) {
    if account == nil {
      account = try TrialAccount(opening: line, of: journal)
    } else {
      account?.take(line)
    }
  }

  /// Takes the journal's next record as it is written; those before the one that opens the trial say nothing.
  package mutating func take(_ record: JournalRecord) {
    if account == nil, case .trialOpened(let opening) = record.event {
      account = TrialAccount(opening: opening, at: record.time)
    }
    account?.take(record, line: record.sequence + 1)
  }

  /// The journal's head; `nil` before it was read.
  package var opening: TrialOpening? { account?.opening }

  /// The steps and answers so far.
  package var course: TrialCourse { account?.course ?? TrialCourse() }

  /// The clip; `nil` before it was chosen.
  package var clip: ChosenClip? { account?.chosen }

  /// How it ended; `nil` while it runs.
  package var closing: TrialClosing? { account?.closing }

  /// What would already weigh on the verdict.
  package var caveats: [Caveat] { account.map { Judgement(onRunning: $0).caveats.map(\.caveat) } ?? [] }

  /// The verdict so far.
  package var verdict: Verdict { account.map { Judgement(onRunning: $0).verdict } ?? .good }
}
