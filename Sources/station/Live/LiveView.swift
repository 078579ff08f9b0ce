import Analysis
import Basics
import Bundles
import Quantities
import Reports
import Study

/// `station show --live`: follows a trial through its journal until its bundle exists.
///
/// It only reads the journal, so that it cannot affect the trial.
struct LiveView: Sendable {
  /// The trial's identifier, or the path of its folder; `nil` for the running trial.
  let trial: String?
  let results: String
  /// Whether to wait for a trial if none is running.
  let waits: Bool
  let console: Console

  /// The interval at which the screen's clock advances and the trial's process is checked.
  private static let tick = Duration.seconds(1)

  private enum Signal {
    case changed
    case ticked
    case interrupted
  }

  func run() async throws -> ExitStatus {
    let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
    console.decouple()
    Interrupts.onEach { _ in continuation.yield(.interrupted) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        let clock = MonotonicClock()
        while !Task.isCancelled {
          try? await clock.sleep(until: clock.now.advanced(by: Self.tick), tolerance: nil)
          continuation.yield(.ticked)
        }
      }
      var iterator = signals.makeAsyncIterator()
      var watches: [FileWatch] = []
      defer { for watch in watches { watch.stop() } }
      func add(_ watch: FileWatch) {
        watches.append(watch)
        group.addTask { while await watch.wait() { continuation.yield(.changed) } }
      }
      guard var trial = try await choose(&iterator, add) else { return .done }
      if self.trial != nil, !trial.isOpen, trial.isFinished { return end(trial) }
      let journal: JournalReader
      do {
        journal = try JournalReader(trial.journalFile)
      } catch {
        // Perhaps it ended between the choice and this.
        guard !trial.isOpen else { throw error }
        guard trial.isFinished else { return endDiscarded() }
        trial = trial.inBundle
        journal = try JournalReader(trial.journalFile)
      }
      add(FileWatch(trial.journalFile))
      add(FileWatch(trial.bundlePath))
      return try await follow(trial, journal, &iterator) { continuation.yield(.changed) }
    }
  }

  // MARK: Which trial

  /// The trial to follow; `nil` if the wait for it was interrupted.
  private func choose(
    _ signals: inout AsyncStream<Signal>.Iterator, _ add: (FileWatch) -> Void
  ) async throws -> TrialUnderWay? {
    if let trial { return try ResultsFolder(results).trialUnderWay(named: trial) }
    let folder = ResultsFolder(results)
    var finishedBefore: Set<String>?
    var isWatched = false
    while true {
      let (running, crashed) = try folder.runningTrial()
      if let running { return running }
      guard waits else { throw TrialUnderWayError.none(results: results, crashed: crashed) }
      let finished = try folder.trials()
      if let finishedBefore {
        // A trial that started and finished while this process was stopped.
        let new = finished.lazy.filter { !finishedBefore.contains($0) }.compactMap { TrialIdentifier($0) }.first
        if let new { return folder.trialUnderWay(new).inBundle }
      } else {
        finishedBefore = Set(finished)
        console.line("waiting for a trial in “\(results.visible)”")
      }
      if !isWatched, Folder.isFolder("\(results)/open") {
        add(FileWatch(folder: "\(results)/open"))
        isWatched = true
      }
      if await signals.next(isolation: #isolation) == .interrupted { return nil }
    }
  }

  // MARK: Following it

  private func follow(
    _ trial: TrialUnderWay, _ opened: consuming JournalReader, _ signals: inout AsyncStream<Signal>.Iterator,
    wake: @escaping @Sendable () -> Void
  ) async throws -> ExitStatus {
    var journal = opened
    var live = LiveTrial(journal: trial.journalFile)
    var lines = LiveLines()
    var screen = console.canRedraw ? FullScreen(console) : nil
    func leave() {
      screen?.leave()
      screen = nil
    }
    defer { leave() }
    while true {
      // Check this before the journal: its writer writes the last lines before it exits.
      let isRecorded = trial.isRecorded
      let isOpen = trial.isOpen
      // Wait for a slow reader of the lines, but not if there is an interrupt.
      while screen == nil, console.isBehind {
        console.whenWritten(wake)
        if await signals.next(isolation: #isolation) == .interrupted { return .done }
      }
      var isRead = false
      while screen != nil || !console.isBehind {
        guard let line = try journal.next() else {
          isRead = true
          break
        }
        // The protocol is there before the first line is.
        if line.number == 1 { live.steps = Self.steps(of: trial) }
        try live.take(line)
        if screen == nil, case .success(let record) = line.record {
          for text in lines.lines(record, live) { console.line(text) }
        }
      }
      guard isRead else { continue }
      if screen != nil {
        let size = TerminalSize.current ?? TerminalSize(columns: 80, rows: 24)
        screen?.draw(LiveScreen(size: size).lines(live, at: now(live)))
      }
      if !isOpen || !isRecorded || live.progress.closing != nil, trial.isFinished {
        leave()
        return end(trial)
      }
      if !isOpen || console.isUnread {
        leave()
        return isOpen ? .done : endDiscarded()
      }
      guard isRecorded else {
        leave()
        throw TrialUnderWayError.crashed(trial.identifier)
      }
      if await signals.next(isolation: #isolation) == .interrupted { return .done }
    }
  }

  private func end(_ trial: TrialUnderWay) -> ExitStatus {
    console.line("bundle: \(trial.bundlePath.visible)")
    return .done
  }

  private func endDiscarded() -> ExitStatus {
    console.line("the trial was discarded: it has no bundle")
    return .failed
  }

  /// The time since the trial's zero by the system clock, but never before the latest record.
  private func now(_ live: LiveTrial) -> Duration {
    guard let zero = live.progress.opening?.zero else { return live.latest }
    let wall = MonotonicClock().wallReading().wall
    return max(live.latest, zero.time + .microseconds(wall.microseconds - zero.wall.microseconds))
  }

  /// The steps of the protocol; none if it cannot be read, since everything else can be shown without it.
  private static func steps(of trial: TrialUnderWay) -> [Step] {
    for file in [trial.protocolFile, trial.inBundle.protocolFile] {
      guard let bytes = try? File(file, .read, isRegular: true).contents(limit: StudyProtocolReader.largestFile)
      else { continue }
      return (try? StudyProtocolReader.read(bytes, fileName: file))?.studyProtocol.steps ?? []
    }
    return []
  }
}
