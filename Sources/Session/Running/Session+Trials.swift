import Bundles
import Quantities
import Sound
import Study

extension Session {
  /// The pause between attempts to make a bundle while the disk is full.
  private static let roomPause = Duration.seconds(1)

  /// Performs trials of the plan, one after the other.
  ///
  /// - Returns: `.completed` if the session goes on, otherwise how the last trial ended.
  func performTrials(_ numbers: [Int]) async throws -> TrialEnd {
    var lost: TrialEnd?
    for number in numbers {
      let trial = plan.trials[number - 1]
      let loaded = trial.stimulus == nil ? nil : next
      let following = plan.stimulus(from: number + 1) { progress?.trialsLeft.contains($0) ?? true }
      let current = next
      // The next clip is decoded while this trial runs, so that nothing delays its onset.
      async let decoded =
        following == trial.stimulus || trial.stimulus == nil ? current : environment.loaded(following, for: setup)
      var isRepeated = false
      var losses = 0
      var hasVerdict = false
      repeat {
        // The server may have ended since the speaker was prepared.
        if let format = loaded?.stimulus.format, hasCheckedSensors {
          let isReady = try await outputs.awaitSpeaker(for: format, sessionOperator, on: clock)
          guard isReady else { return .stopped }
        }
        guard try await checkSensors() else { return .stopped }
        let concluded = try await perform(trial, loaded, replacesVerdict: hasVerdict)
        hasVerdict = hasVerdict || concluded.record != nil
        let end = concluded.end
        guard end == .completed || end == .skipped || end == .repeated || end.isSoundLost else { return end }
        guard !sessionOperator.givesUp, !concluded.endsSession else { return .stopped }
        let goesOn = number < plan.trials.count || end == .repeated
        if concluded.pausesSession, goesOn, await sessionOperator.answer(.paused(after: place(of: number))) == .end {
          return .stopped
        }
        guard !sessionOperator.givesUp else { return .stopped }
        losses += end.isSoundLost ? 1 : 0
        if end.isSoundLost, losses <= plan.maxRepeats(ofLostTrial: number) {
          sessionOperator.inform(.repeats(place(of: number)))
          isRepeated = true
        } else {
          isRepeated = await isToBeRepeated(number, concluded)
          guard !sessionOperator.givesUp else { return .stopped }
          if end.isSoundLost, !isRepeated { lost = end }
        }
      } while isRepeated
      next = try await decoded
    }
    // Steps around the trials go on after a lost trial; without them the session is interrupted and can be resumed.
    return setup.study.studyProtocol.hasTrials ? .completed : lost ?? .completed
  }

  /// Performs one trial, and counts its verdict, in place of that of an earlier attempt where there is one.
  private func perform(
    _ trial: PlannedTrial, _ loaded: LoadedStimulus?, replacesVerdict: Bool
  ) async throws -> ConcludedTrial {
    sessionOperator.inform(.trialOpens(place(of: trial.number), remaining: durationsLeft[trial.number - 1]))
    let concluded = try await perform(.trial(trial, loaded))
    if let record = concluded.record {
      if replacesVerdict { outcome.verdicts.removeLast() }
      outcome.verdicts.append(record.verdict)
    }
    return concluded
  }

  /// Whether the trial is performed again, which the operator is asked after a bad one.
  ///
  /// The earlier bundle is kept, and superseded.
  private func isToBeRepeated(_ number: Int, _ concluded: ConcludedTrial) async -> Bool {
    guard progress != nil, let record = concluded.record else { return false }
    if concluded.end == .repeated { return true }
    guard record.verdict == .bad, concluded.end != .skipped else { return false }
    return await sessionOperator.answer(.badTrial(place(of: number), reasons: record.reasons)) == .again
  }

  /// Opens a part's journal, performs its steps, makes its bundle, and hands it to the followers.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - onIdentifier: receives the part's identifier before anything is written.
  /// - Returns: how it ended, and the bundle.
  /// - Throws: ``SessionError``, or what kept the bundle from being made.
  func perform(
    _ part: SessionPart, onIdentifier: (TrialIdentifier) -> Void = { _ in }
  ) async throws -> ConcludedTrial {
    let identifier = environment.identify(clock.wallReading().wall)
    onIdentifier(identifier)
    hub.keepSamples()
    let zero = clock.wallReading()
    if let caveat = part.loudnessCaveat { sessionOperator.inform(.caveat(caveat)) }
    let opening = opening(of: part, identifier, zero)
    let open = try archive.open(
      opening, as: identifier, protocolBytes: setup.study.protocolBytes, clipToEmbed: clipToEmbed(of: part),
      clock: clock, report: { [sessionOperator] in sessionOperator.inform(.journal($0)) })
    let watcher = sessionOperator.watcher
    watcher?.see(.opened(identifier, stepLists(of: part)))
    watcher?.see(.recorded(JournalRecord(sequence: 0, time: .zero, event: .trialOpened(opening)), of: identifier))
    let journal = watcher.map { WatchedJournal(journal: open.journal, watcher: $0, part: identifier) } ?? open.journal
    let log = TrialLog(journal: journal, zero: zero.moment, clock: clock)
    let trial = Trial(context(of: part, log, try TrialWaveforms(opening) { try open.waveform($0) }))
    if let chosen = part.chosenClip { log.append(.clipChosen(chosen)) }
    let concluded = try await sessionOperator.perform(trial, at: place(of: part.number)) { end, isKept in
      guard isKept else {
        try await self.clock.hold { try await open.discard() }
        return ConcludedTrial(end: end)
      }
      log.append(.trialClosed(TrialClosing(end, .init(self.clock.wallReading(), since: zero.moment))))
      let (record, bundle) = try await self.conclude(open, part)
      return ConcludedTrial(end: end, record: record, bundle: bundle)
    }
    watcher?.see(.concluded(identifier, concluded.record, complaint: concluded.bundle?.complaint))
    if let record = concluded.record {
      note(
        .init(
          bundle: record.trial, number: part.number, outcome: record.closing.outcome, verdict: record.verdict))
    }
    if let bundle = concluded.bundle { followers.add(bundle) }
    return concluded
  }

  /// The steps that may come in a part, in lists that are numbered by themselves.
  private func stepLists(of part: SessionPart) -> [[Step]] {
    guard part.planned == nil else { return [part.steps] }
    return [part.steps] + part.steps.compactMap { $0.trials?.breaks?.steps }
  }

  /// Makes the bundle.
  ///
  /// While records are only in memory, waits for room on the disk; the operator is informed of their number, and can give
  /// them up.
  private func conclude(
    _ open: any ArchivedTrial, _ part: SessionPart
  ) async throws -> (record: TrialRecord, bundle: Bundle?) {
    var earlierInterruptions: Int?
    while true {
      do {
        return try await clock.hold { try await open.conclude() }
      } catch BundleError.unwritten(let trial, let count, let error) {
        if let earlierInterruptions, sessionOperator.interruptions > earlierInterruptions {
          sessionOperator.inform(.discarded(place(of: part.number), records: count))
          throw SessionError.recordsLost(trial: trial, count: count, error)
        }
        if earlierInterruptions == nil {
          earlierInterruptions = sessionOperator.interruptions
          sessionOperator.inform(.awaitsRoom(place(of: part.number), records: count))
        }
        try await clock.sleep(for: Self.roomPause)
      }
    }
  }
}

extension Plan {
  /// How often the protocol repeats a trial whose sound was lost.
  fileprivate func maxRepeats(ofLostTrial number: Int) -> Int {
    steps.lazy.compactMap(\.trials).first { $0.numbers?.contains(number) ?? false }?.repeatsLost ?? 0
  }
}

extension TrialClosing {
  /// How a trial ended, as its bundle says it.
  fileprivate init(_ end: TrialEnd, _ calendar: CalendarReading) {
    let (outcome, reason): (Outcome, String?) =
      switch end {
      case .completed: (.completed, nil)
      case .declined: (.declined, "the participant did not consent")
      case .stopped: (.stopped, "the operator ended it")
      case .skipped: (.skipped, "the operator went on with the next trial")
      case .repeated: (.repeated, "the operator had it performed again")
      case .soundLost(let reason), .failed(let reason): (.failed, reason)
      }
    self.init(outcome: outcome, reason: reason, calendar: calendar)
  }
}
