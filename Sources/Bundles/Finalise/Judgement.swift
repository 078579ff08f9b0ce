import Basics
import Quantities
import Sound
import Study

/// A verdict with the caveats that led to it, a function of what happened in a trial and of nothing else.
///
/// The thresholds are the protocol's, or the station's own. A trial that was stopped or recovered is `suspect`, because
/// what it holds is true though not all of it is there, and `bad` where less than half of the stimulus was played; one
/// that failed is `bad`, as is one whose stimulus could not be heard, was muted or was lost. A sound that the server
/// resampled or made softer has a caveat that does not weigh.
struct Judgement: Equatable {
  private(set) var verdict = Verdict.good
  private(set) var caveats: [JudgedCaveat] = []
  private let thresholds: VerdictThresholds

  /// The version of these rules.
  static let rules = 1

  /// What is recorded for less than this is not judged by its coverage.
  static let minJudged = Duration.seconds(2)

  init(on account: TrialAccount, recordings: [RecorderCut]) {
    thresholds = account.opening.thresholds
    judgeOutcome(account)
    judgeSteps(account)
    judgeSound(account)
    judgeClock(account)
    let started = recordings.filter { !$0.segments.isEmpty }
    judgeLosses(started)
    judgeSamples(started)
    for recording in started { judgeValues(recording) }
    // Recorders that share a file share its damage.
    for recording in recordings where recording.waveformFile == recording.recorder.identifier {
      judgeSound(recording)
      let damage = recording.damage
      guard damage != RecorderCut.Damage() else { continue }
      add(
        .suspect, .waveformDamaged(recorder: recording.recorder.identifier, blocks: damage.blocks, bytes: damage.bytes))
    }
    judgeReadings(account)
    addInformative(account)
    for recording in recordings where recording.segments.isEmpty {
      add(.good, .neverStarted(recorder: recording.recorder.identifier))
    }
    caveats.sort { $0.verdict > .good && $1.verdict == .good }
  }

  /// What can be said of a trial that has not ended: what did not happen may still do.
  init(onRunning account: TrialAccount) {
    thresholds = account.opening.thresholds
    judgeSuspensions(account)
    judgeSteps(account)
    judgeSound(account, isRunning: account.closing == nil)
    judgeLosses(account.opening.recorders.map { RecorderCut($0, in: account) })
    judgeReadings(account)
  }

  private mutating func add(_ verdict: Verdict, _ caveat: Caveat) {
    self.verdict = max(self.verdict, verdict)
    caveats.append(JudgedCaveat(verdict: verdict, caveat: caveat))
  }

  private mutating func judgeOutcome(_ account: TrialAccount) {
    let why = account.closing?.reason
    switch account.closing?.outcome {
    case .completed, .declined: break
    case .stopped, .skipped, .repeated: add(.suspect, .stopped(reason: why))
    case .failed: add(.bad, .failed(reason: why))
    case .recovered, nil: add(.suspect, .recovered)
    }
    judgeSuspensions(account)
  }

  private mutating func judgeSuspensions(_ account: TrialAccount) {
    if account.course.suspensions > 0 { add(.suspect, .paused(times: account.course.suspensions)) }
    for judged in account.course.page.caveats { add(judged.verdict, judged.caveat) }
  }

  private mutating func judgeReadings(_ account: TrialAccount) {
    for sensor in account.readingsDropped.keys.sorted() {
      add(.suspect, .samplesDropped(sensor: sensor, count: account.readingsDropped[sensor] ?? 0))
    }
    for (sensor, unread) in account.readingsUnread.sorted(by: { $0.key < $1.key }) where unread.count > 0 {
      add(.suspect, .samplesUnread(sensor: sensor, count: unread.count, heldBack: unread.heldBack))
    }
    if let first = account.problems.first {
      add(.suspect, .journalDamaged(problems: account.problemCount, line: first.line, reason: first.reason))
    }
  }

  private mutating func judgeSteps(_ account: TrialAccount) {
    for step in account.course.steps where step.end == .skipped && account.isActive(step.identifier) {
      add(.suspect, .stepSkipped(step: step.identifier))
    }
    for question in account.course.unanswered {
      add(.suspect, .unanswered(step: question.step, question: question.question))
    }
  }

  // A clock that stops while the computer sleeps and a calendar that is set by hand both show here.
  private mutating func judgeClock(_ account: TrialAccount) {
    guard let drift = account.drift, Self.magnitude(drift) > thresholds.clockDrift else { return }
    add(.suspect, .clockJumped(by: drift))
  }

  // Of notes of the same name, the last one of a step counts.
  private mutating func judgeNotes(_ notes: [TrialRecord.Note]) {
    for (index, note) in notes.enumerated() {
      let isLast = !notes[(index + 1)...].contains { $0.step == note.step && $0.value.note == note.value.note }
      guard isLast, let objection = note.value.objection else { continue }
      add(.suspect, .stepObjected(step: note.step, note: note.value.note, reason: objection))
    }
  }

  // MARK: The stimulus

  private mutating func judgeSound(_ account: TrialAccount, isRunning: Bool = false) {
    let sound = account.sound
    // A stimulus that fails ends the trial, whose reason is the same.
    if let failure = sound.failure, account.closing?.outcome != .failed {
      add(.bad, .playbackFailed(reason: failure))
    }
    if let chosen = account.chosen { judge(chosen, account) }
    if let level = sound.level { judge(level) }
    // While a trial runs, a step may still do better.
    if !isRunning { judgeNotes(account.course.notes) }
    for segment in sound.segments {
      guard let onset = segment.onset else { continue }
      if onset.uncertainty > thresholds.onsetUncertainty {
        add(.suspect, .onsetUncertain(uncertainty: onset.uncertainty))
      }
      let distance = onset.time - segment.scheduled
      if Self.magnitude(distance) > thresholds.onsetTolerance { add(.suspect, .onsetShifted(by: distance)) }
    }
    if !isRunning, let onset = sound.segments.lazy.compactMap(\.onset).first,
      let lock = account.heartLock.lock(onset: onset),
      lock.rPeak == nil
    {
      add(.suspect, .lockUnconfirmed(step: account.chosen?.step ?? ""))
    }
    if sound.underruns > 0 { add(.suspect, .underruns(count: sound.underruns)) }
    if sound.sinkSuspensions > 0 { add(.suspect, .sinkSuspended(times: sound.sinkSuspensions)) }
    if sound.mutings > 0 { add(.bad, .muted(times: sound.mutings)) }
    for caveat in sound.others + sound.toneFaults { add(.suspect, caveat) }
    let shifts = account.markers.shifts(from: sound.segments, beyond: thresholds.onsetTolerance)
    for caveat in account.markers.failures + shifts { add(.suspect, caveat) }
    if !isRunning { judgeLength(account) }
  }

  private mutating func judge(_ chosen: ChosenClip, _ account: TrialAccount) {
    let name = chosen.clip.name
    for fault in chosen.warnings { add(.suspect, .clipFaulty(clip: name, fault: fault)) }
    if let caveat = Caveat.loudness(of: name, reached: chosen.reachedLoudness, target: chosen.target) {
      let distance = abs((chosen.target?.integrated ?? 0) - (chosen.reachedLoudness ?? 0))
      add(distance > thresholds.loudnessTolerance ? .suspect : .good, caveat)
    }
    if let speaker = account.opening.speaker, !speaker.isAudible {
      add(speaker.isSilentOnPurpose ? .good : .bad, .inaudible(sink: speaker.sink))
    }
    // The rules of a protocol may leave out the step of the stimulus.
    let isShown = account.course.steps.contains { $0.identifier == chosen.step }
    let isEndedByHand = [.stopped, .skipped, .repeated].contains(account.closing?.outcome)
    let mustHaveSounded = account.closing?.outcome == .completed && isShown || isEndedByHand
    if !account.sound.segments.contains(where: { $0.onset != nil }), mustHaveSounded, account.sound.failure == nil {
      add(.bad, .neverSounded(clip: name))
    }
  }

  private mutating func judge(_ level: PlayedLevel) {
    if level.isLimitedByPeak, let chosen = level.chosen {
      add(.suspect, .volumeLimited(chosen: chosen, played: level.unclipped))
    }
    if level.isLimitedByLevel, let played = level.level {
      add(.suspect, .levelLimited(wanted: played + level.unclipped - level.volume, maximum: level.maximum))
    }
  }

  // What was played is compared with what was asked for, however the trial ended.
  private mutating func judgeLength(_ account: TrialAccount) {
    let sound = account.sound
    let rate = account.chosen?.clip.sampleRate ?? 0
    guard sound.segments.contains(where: { $0.onset != nil }), sound.framesRequested > 0, rate > 0 else { return }
    if sound.hasOpenEnd, sound.failure == nil { add(.suspect, .endUnknown) }
    guard sound.framesPlayed < sound.framesRequested else { return }
    let share = Double(sound.framesPlayed) / Double(sound.framesRequested)
    func length(_ frames: Int) -> Duration { Duration(seconds: Double(frames) / Double(rate)) }
    add(
      share < thresholds.suspectPlayed ? .bad : .suspect,
      .playedInPart(played: length(sound.framesPlayed), requested: length(sound.framesRequested)))
  }

  private static func magnitude(_ duration: Duration) -> Duration { max(duration, .zero - duration) }

  // MARK: The recordings

  // A loss is the sensor's, however many recorders it concerns; a sensor may be lost often for the same reason.
  private mutating func judgeLosses(_ recordings: [RecorderCut]) {
    for (sensor, recordings) in Self.groups(recordings, by: \.recorder.sensor.name) {
      let gaps = recordings.flatMap(\.lossGaps)
      var reasons: [String?] = []
      for gap in gaps where !reasons.contains(gap.reason) { reasons.append(gap.reason) }
      for reason in reasons {
        let (times, length) = Self.union(gaps.filter { $0.reason == reason })
        add(.suspect, .sensorLost(sensor: sensor, times: times, lost: length, reason: reason ?? ""))
      }
    }
  }

  private mutating func judgeSamples(_ recordings: [RecorderCut]) {
    for (sensor, recordings) in Self.groups(recordings, by: \.recorder.sensor.name) {
      let empty = recordings.filter { $0.samples == 0 }
      if !empty.isEmpty {
        let isLong = empty.contains { $0.length >= Self.minJudged }
        let isBad = isLong && thresholds.suspectCoverage > 0
        add(isBad ? .bad : .suspect, .noSamples(sensor: sensor, recorders: empty.map(\.recorder.identifier)))
      }
      let others = recordings.filter { $0.samples > 0 }
      let silences = others.flatMap { $0.gaps.filter { $0.cause == .silence } }
      if !silences.isEmpty {
        let (times, length) = Self.union(silences)
        let silent = others.filter { $0.gaps.contains { $0.cause == .silence } }.map(\.recorder.identifier)
        add(.suspect, .silent(sensor: sensor, recorders: silent, times: times, silent: length))
      }
      for (step, recordings) in Self.groups(recordings, by: \.recorder.step) {
        let isTold = judgeReported(recordings, sensor, step)
        let isExplained = isTold || !silences.isEmpty || recordings.contains { !$0.lossGaps.isEmpty }
        judgeCoverage(recordings.filter { $0.samples > 0 }, step, isExplained: isExplained)
      }
    }
  }

  // A smaller share of implausible samples does not weigh.
  private mutating func judgeValues(_ recording: RecorderCut) {
    guard recording.implausible > 0, let plausible = recording.plausible else { return }
    let share = Double(recording.implausible) / Double(recording.samples)
    add(
      share > thresholds.suspectImplausible ? .bad : share > thresholds.goodImplausible ? .suspect : .good,
      .implausible(
        recorder: recording.recorder.identifier, count: recording.implausible, samples: recording.samples,
        from: plausible.lowerBound, to: plausible.upperBound, unit: recording.recorder.configuration.unit.symbol))
  }

  private mutating func judgeSound(_ recording: RecorderCut) {
    guard let sound = recording.sound else { return }
    let recorder = recording.recorder.identifier
    if sound.framesLost > 0 {
      let lost = Duration(seconds: Double(sound.framesLost) / Double(sound.rate))
      add(.suspect, .soundLost(recorder: recorder, times: sound.gapCount, lost: lost))
    }
    if sound.samplesClipped > 0 { add(.suspect, .soundClipped(recorder: recorder, samples: sound.samplesClipped)) }
  }

  // A sensor that slips on the skin may do so often: that is one reason, and the worst recording's figures.
  /// Judges what the sensor said of itself: times without contact or pulse, and of low quality.
  ///
  /// - Returns: whether they explain that samples are missing.
  private mutating func judgeReported(_ recordings: [RecorderCut], _ sensor: String, _ step: String) -> Bool {
    var isTold = false
    for cause in [TrialRecord.Gap.Cause.noContact, .noPulse] {
      let worst = recordings.map { recording in
        let gaps = recording.reportedGaps.filter { $0.cause == cause }.map(\.span.length)
        return (lost: gaps.reduce(.zero, +), longest: gaps.max() ?? .zero, recording: recording)
      }.max { $0.lost < $1.lost }
      guard let (lost, longest, recording) = worst, lost > .zero, recording.length > .zero,
        lost / recording.length > thresholds.contactLoss || longest > recording.maxSilence
      else { continue }
      add(
        .suspect,
        cause == .noContact
          ? .noContact(sensor: sensor, step: step, lost: lost, recorded: recording.length)
          : .noPulse(sensor: sensor, step: step, lost: lost, recorded: recording.length))
      isTold = true
    }
    if let recording = recordings.max(by: { $0.lowQualityLength < $1.lowQualityLength }), recording.length > .zero,
      recording.lowQualityLength / recording.length > thresholds.contactLoss
    {
      let low = min(recording.lowQualityLength, recording.length)
      add(.suspect, .lowQuality(sensor: sensor, step: step, low: low, recorded: recording.length))
    }
    return isTold
  }

  // What a loss, a silence or a lack of contact explains is told once, unless it makes the trial bad.
  private mutating func judgeCoverage(_ recordings: [RecorderCut], _ step: String, isExplained: Bool) {
    let poor = recordings.filter { $0.length >= Self.minJudged && $0.coverage < thresholds.goodCoverage }
    guard let worst = poor.min(by: { $0.coverage < $1.coverage }) else { return }
    let isBad = worst.coverage < thresholds.suspectCoverage
    guard isBad || !isExplained else { return }
    add(
      isBad ? .bad : .suspect,
      .coverage(
        recorders: poor.map(\.recorder.identifier), step: step, covered: worst.covered, recorded: worst.length))
  }

  // MARK: What does not weigh

  private mutating func addInformative(_ account: TrialAccount) {
    switch account.opening.simulation {
    case .none: break
    case .everything: add(.good, .simulated)
    case .sensors(let sensors): add(.good, .simulatedSensors(sensors: sensors))
    }
    if let speaker = account.opening.speaker {
      if let rate = speaker.sinkRate, let clip = account.chosen?.clip, rate != clip.sampleRate {
        add(.good, .resampled(from: clip.sampleRate, to: rate))
      }
      if let timing = speaker.timing, timing.basis == .cycle {
        add(.good, .coarseTiming(granularity: timing.granularity))
      }
      for (part, volume) in [(Caveat.VolumePart.sink, speaker.volume?.sink), (.stream, speaker.volume?.stream)] {
        if let volume, volume.contains(where: { $0 != 100 }) { add(.good, .volumeSet(of: part, volume: volume)) }
      }
    }
    for sensor in account.linesSkipped.keys.sorted() {
      add(.good, .linesSkipped(sensor: sensor, count: account.linesSkipped[sensor] ?? 0))
    }
    for note in account.sensorNotes { add(.good, note) }
    if account.unknownRecords > 0 {
      add(.good, .unknownRecords(count: account.unknownRecords, kinds: account.unknownKinds.keys.sorted()))
    }
  }

  /// Recordings that have something in common, in their order.
  private static func groups(_ recordings: [RecorderCut], by key: (RecorderCut) -> String) -> [(
    String, [RecorderCut]
  )] {
    var order: [String] = []
    for recording in recordings where !order.contains(key(recording)) { order.append(key(recording)) }
    return order.map { name in (name, recordings.filter { key($0) == name }) }
  }

  /// How many times gaps make up, those of several recorders taken together, and how long they last.
  private static func union(_ gaps: [TrialRecord.Gap]) -> (times: Int, length: Duration) {
    var times = 0
    var length = Duration.zero
    var end: Duration?
    for span in gaps.map(\.span).sorted(by: { $0.from < $1.from }) {
      if end.map({ span.from > $0 }) ?? true { times += 1 }
      length += max(.zero, span.to - max(span.from, end ?? span.from))
      end = max(end ?? span.to, span.to)
    }
    return (times, length)
  }
}
