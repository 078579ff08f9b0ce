import Analysis
import Basics
import Bundles
import Quantities
import Reports

/// `station show --live`: follows a session from trial to trial through its journals, until its last bundle exists.
///
/// It only reads the journals, so that it cannot affect the session.
struct LiveView: Sendable {
  /// A participant, a session, a trial, or the path of its folder; `nil` for the running session.
  let name: String?
  let results: String
  /// Whether to wait for a session if none is running.
  let waits: Bool
  let console: Console

  /// The interval at which the screen's clock advances, and trials and their process are looked for.
  private static let tick = Duration.seconds(1)

  private enum Signal {
    case changed
    case ticked
    case interrupted
  }

  private var folder: ResultsFolder { ResultsFolder(results) }

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
      func add(_ watch: FileWatch) {
        group.addTask { while await watch.wait() { continuation.yield(.changed) } }
      }
      var folderWatch: FileWatch?
      defer { folderWatch?.stop() }
      func watchFolder() {
        guard folderWatch == nil, Folder.isFolder("\(results)/open") else { return }
        let watch = FileWatch(folder: "\(results)/open")
        folderWatch = watch
        add(watch)
      }
      // What a crash left open may be recovered meanwhile. A trial that is just being opened has no first line yet.
      let crashed = try folder.trialsUnderWay().filter { !$0.isRecorded && $0.opening != nil }
      var known = Set(try folder.trials() + crashed.map(\.identifier.description))
      guard let work = try await choose(&iterator, &known, watchFolder) else { return .done }
      if name != nil, case .trial(let trial) = work, !trial.isOpen, trial.isFinished {
        return end(.bundle(trial.bundlePath), Self.judged(.bundle(trial.bundlePath)).complaint)
      }
      watchFolder()
      return try await follow(work, known, &iterator, add) { continuation.yield(.changed) }
    }
  }

  // MARK: What to follow

  /// Chooses what to follow; `nil` if the wait for it was interrupted.
  ///
  /// A session that came and went since is followed as well, unless its trials are among those that were `finished`, or
  /// left open by a crash, before.
  private func choose(
    _ signals: inout AsyncStream<Signal>.Iterator, _ finished: inout Set<String>, _ watch: () -> Void
  ) async throws -> FollowedWork? {
    var isWaiting = false
    while true {
      let (running, crashed) = try folder.runningSession(of: name, without: finished)
      if let running { return running.work }
      if let name, let trial = try folder.trialUnderWay(named: name) { return .trial(trial) }
      guard waits else {
        guard let name else { throw TrialUnderWayError.none(results: results, crashed: crashed) }
        throw TrialUnderWayError.notRunning(name, results: results, running: try folder.runningSessions().sessions)
      }
      if isWaiting, let missed = try missed(&finished) { return missed }
      if !isWaiting { console.line("waiting for a trial in “\(results.visible)”") }
      isWaiting = true
      watch()
      if await signals.next(isolation: #isolation) == .interrupted { return nil }
    }
  }

  /// What started and finished while this process was stopped.
  private func missed(_ finished: inout Set<String>) throws -> FollowedWork? {
    for folderName in try folder.trials() where !finished.contains(folderName) {
      guard let trial = TrialIdentifier(folderName).map(folder.trialUnderWay), let opening = trial.opening,
        name == nil || opening.participant == name
      else {
        finished.insert(folderName)
        continue
      }
      return opening.place.map { .session($0.run) } ?? .trial(trial.inBundle)
    }
    return nil
  }

  // MARK: Following it

  private func follow(
    _ work: FollowedWork, _ known: Set<String>, _ signals: inout AsyncStream<Signal>.Iterator,
    _ watch: (FileWatch) -> Void, wake: @escaping @Sendable () -> Void
  ) async throws -> ExitStatus {
    // The steps around trials come before the trial.
    var followed: [FollowedTrial] = []
    var session = LiveSession()
    if case .session(let identifier) = work {
      for heading in try await BundleIndex(folder).trials.lazy.map(\.heading) where heading.run == identifier {
        if let number = heading.number { session.add(heading.verdict, ofTrial: number) }
      }
    }
    var known = known
    var status = ExitStatus.done
    var screen = console.canRedraw ? FullScreen(console) : nil
    func leave() {
      screen?.leave()
      screen = nil
    }
    defer { leave() }
    if case .trial(let trial) = work {
      guard let first = try FollowedTrial(trial, watch) else { return end(.discarded) }
      followed = [first]
      session.open(first.identifier, first.beginning)
    }
    var looks = true
    while true {
      if looks, case .session(let identifier) = work {
        for trial in try opened(in: identifier, &known) {
          if let next = try FollowedTrial(trial, watch) {
            followed.append(next)
            session.open(next.identifier, next.beginning)
          } else {
            status = end(.discarded)
          }
        }
      }
      // Wait for a slow reader of the lines, but not if there is an interrupt.
      while screen == nil, console.isBehind {
        console.whenWritten(wake)
        if await signals.next(isolation: #isolation) == .interrupted { return .done }
      }
      try read(followed, into: &session, isOnScreen: screen != nil)
      screen?.draw(
        LiveScreen(size: .current ?? TerminalSize(columns: 80, rows: 24)).lines(
          session, at: MonotonicClock().wallReading().wall))
      do {
        for trial in followed {
          guard let ended = try trial.end(in: session) else { continue }
          let (record, complaint) = Self.judged(ended)
          if end(ended, complaint) == .failed { status = .failed }
          followed.removeAll { $0 === trial }
          session.end(trial.identifier, record, complaint: complaint)
          looks = true
        }
      } catch {
        leave()
        throw error
      }
      if console.isUnread { return .done }
      if followed.contains(where: \.isBehind) { continue }
      if followed.isEmpty, !work.isSession || !session.leadsOn { return status }
      let signal = await signals.next(isolation: #isolation)
      if signal == .interrupted { return .done }
      looks = signal == .ticked || followed.count < 2
    }
  }

  /// The trials of a session that were opened since, oldest first, those with a bundle included.
  private func opened(in session: String, _ known: inout Set<String>) throws -> [TrialUnderWay] {
    let open = try folder.trialsUnderWay().map(\.identifier.description)
    var opened: [TrialUnderWay] = []
    for name in Set(open + (try folder.trials())).subtracting(known).sorted() {
      guard let trial = TrialIdentifier(name).map(folder.trialUnderWay) else { continue }
      // Without a first line it is looked at once more.
      guard let opening = trial.opening else { continue }
      known.insert(name)
      if opening.place?.run == session { opened.append(trial) }
    }
    return opened
  }

  private func read(_ followed: [FollowedTrial], into session: inout LiveSession, isOnScreen: Bool) throws {
    let tell: (String) -> Void = { [console] in console.line($0) }
    for (index, trial) in followed.enumerated() {
      // The samples of a trial are in the journal of the steps around it as well.
      trial.tellsSamples = index == followed.count - 1
      try trial.read(into: &session, while: { isOnScreen || !console.isBehind }, isOnScreen ? nil : tell)
    }
  }

  /// The record of a trial that ended, and why it is not good; a bundle that cannot be read says why.
  private static func judged(_ end: FollowedTrial.End) -> (record: TrialRecord?, complaint: String?) {
    guard case .bundle(let path) = end else { return (nil, nil) }
    do {
      let bundle = try Bundle(path)
      return (bundle.record, bundle.complaint)
    } catch {
      return (nil, "\(error)")
    }
  }

  private func end(_ end: FollowedTrial.End, _ complaint: String? = nil) -> ExitStatus {
    switch end {
    case .bundle(let path):
      if let complaint {
        let columns = console.isTerminal ? TerminalSize.current?.columns : nil
        console.line(complaint.shortened(to: columns ?? .max))
      }
      console.line("bundle: \(path.visible)")
      return .done
    case .discarded:
      console.line("the trial was discarded: it has no bundle")
      return .failed
    }
  }
}
