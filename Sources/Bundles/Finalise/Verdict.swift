import Basics
import Quantities
import Study

/// How far a trial can be trusted.
package enum Grade: String, Sendable, CaseIterable, Comparable {
  /// Nothing speaks against it.
  case good
  /// Somebody should look at it.
  case suspect
  /// It did not give what it was made for.
  case bad

  /// Better before worse.
  package static func < (left: Grade, right: Grade) -> Bool {
    let order = allCases
    return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}

/// A grade with its reasons, a function of what happened in a trial and of nothing else.
///
/// The thresholds are the protocol's, or the station's own. A trial that was stopped or recovered is `suspect`, because
/// what it holds is true though not all of it is there, and `bad` where less than half of the stimulus was played; one
/// that failed is `bad`, as is one whose stimulus nobody could hear, was muted or was lost. A sound that the server
/// resampled or made softer is a remark in the result's warnings, not a fault.
struct Verdict: Equatable {
  private(set) var grade = Grade.good
  private(set) var reasons: [VerdictReason] = []
  private let thresholds: VerdictThresholds

  /// The version of these rules; results from before they were numbered follow others.
  static let rules = 2

  /// What is recorded for less than this is not judged by its coverage.
  static let shortestJudged = Duration.seconds(2)

  init(on account: TrialAccount, recordings: [RecorderCut]) {
    thresholds = account.opening.thresholds
    judgeOutcome(account)
    judgeSteps(account)
    judgeSound(account)
    judgeClock(account)
    let recordings = recordings.filter { !$0.segments.isEmpty }
    judgeLosses(account, recordings)
    judgeSamples(recordings)
    for recording in recordings { judgeValues(recording) }
    judgeReadings(account)
  }

  /// What can be said of a trial that has not ended: what did not happen may still do.
  init(onRunning account: TrialAccount) {
    thresholds = account.opening.thresholds
    judgeSuspensions(account)
    judgeSteps(account)
    judgeSound(account, isRunning: account.closing == nil)
    judgeLosses(account, account.opening.recorders.map { RecorderCut($0, in: account) })
    judgeReadings(account)
  }

  private mutating func add(_ grade: Grade, _ reason: VerdictReason) {
    self.grade = max(self.grade, grade)
    reasons.append(reason)
  }

  private mutating func add(_ grade: Grade, _ reason: String) { add(grade, .other(reason)) }

  private mutating func judgeOutcome(_ account: TrialAccount) {
    let why = account.closing?.reason
    switch account.closing?.outcome {
    case .completed: break
    case .stopped: add(.suspect, .stopped(why))
    case .failed: add(.bad, .failed(why))
    case .recovered, nil: add(.suspect, .recovered)
    }
    judgeSuspensions(account)
  }

  private mutating func judgeSuspensions(_ account: TrialAccount) {
    if account.suspensions > 0 { add(.suspect, .paused(account.suspensions)) }
  }

  private mutating func judgeReadings(_ account: TrialAccount) {
    for sensor in account.readingsDropped.keys.sorted() {
      add(.suspect, .readingsDropped(sensor: sensor, account.readingsDropped[sensor] ?? 0))
    }
    if account.problemCount > 0 { add(.suspect, .journalDamaged) }
  }

  private mutating func judgeSteps(_ account: TrialAccount) {
    for step in account.steps where step.end?.reason == .skipped && account.isActive(step.identifier) {
      add(.suspect, .stepSkipped(step.identifier))
    }
  }

  // A clock that stands still while the computer sleeps, and a calendar that somebody sets, both show here.
  private mutating func judgeClock(_ account: TrialAccount) {
    guard let drift = account.drift, Self.magnitude(drift) > thresholds.clockDrift else { return }
    add(.suspect, .clockJumped(drift))
  }

  // MARK: The stimulus

  private mutating func judgeSound(_ account: TrialAccount, isRunning: Bool = false) {
    let sound = account.sound
    // A trial that failed because its sound did has said so.
    let isTold = account.closing?.outcome == .failed && account.closing?.reason == sound.failure
    if let failure = sound.failure, !isTold { add(.bad, .soundFailed(failure)) }
    if let chosen = account.chosen { judge(chosen, account) }
    for segment in sound.segments {
      guard let onset = segment.onset else { continue }
      if onset.uncertainty > thresholds.onsetUncertainty { add(.suspect, .onsetUncertain(onset.uncertainty)) }
      let distance = onset.time - segment.scheduled
      if Self.magnitude(distance) > thresholds.onsetTolerance { add(.suspect, .onsetOff(by: distance)) }
    }
    if sound.underruns > 0 { add(.suspect, .underruns(sound.underruns)) }
    for move in sound.moves { add(.suspect, .moved(to: move)) }
    if sound.sinkSuspensions > 0 { add(.suspect, .sinkSuspended(sound.sinkSuspensions)) }
    if sound.mutings > 0 { add(.bad, .muted(sound.mutings)) }
    for volume in sound.volumes { add(.suspect, .volumeChanged(to: volume)) }
    for slip in sound.slips { add(.suspect, .shifted(slip)) }
    if !sound.otherPrograms.isEmpty { add(.suspect, .otherPrograms(sound.otherPrograms)) }
    for other in sound.others { add(.suspect, "playback was disturbed: \(other)") }
    for fault in sound.toneFaults { add(.suspect, fault) }
    if !isRunning { judgeLength(account) }
  }

  private mutating func judge(_ chosen: ChosenClip, _ account: TrialAccount) {
    let name = chosen.clip.name
    for warning in chosen.warnings { add(.suspect, .clipFaulty(clip: name, warning)) }
    if let target = chosen.missedTarget(by: thresholds.loudnessTolerance), let reached = chosen.reachedLoudness {
      add(
        .suspect,
        .loudnessMissed(clip: name, reached: reached, target: target.integrated, peakLimit: target.truePeakLimit))
    }
    if let speaker = account.opening.speaker, !speaker.isAudible, !speaker.isSilentOnPurpose {
      add(.bad, .inaudible(sink: speaker.sink))
    }
    let mustHaveSounded = account.closing?.outcome == .completed || account.closing?.outcome == .stopped
    if !account.sound.segments.contains(where: { $0.onset != nil }), mustHaveSounded, account.sound.failure == nil {
      add(.bad, .neverSounded(clip: name))
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
      .playedInPart(length(sound.framesPlayed), of: length(sound.framesRequested)))
  }

  private static func magnitude(_ duration: Duration) -> Duration { max(duration, .zero - duration) }

  // MARK: The recordings

  // A loss is the sensor's, however many recorders it concerns; a sensor may be lost often for the same reason.
  private mutating func judgeLosses(_ account: TrialAccount, _ recordings: [RecorderCut]) {
    for (sensor, recordings) in Self.groups(recordings, by: \.source.name) {
      let gaps = recordings.flatMap(\.lossGaps)
      var reasons: [String] = []
      for case .lost(let reason) in gaps.map(\.cause) where !reasons.contains(reason) { reasons.append(reason) }
      for reason in reasons {
        let (times, length) = Self.union(gaps.filter { $0.cause == .lost(reason) })
        add(.suspect, .sensorLost(sensor, times: times, length, reason: reason))
      }
    }
  }

  private mutating func judgeSamples(_ recordings: [RecorderCut]) {
    for (sensor, recordings) in Self.groups(recordings, by: \.source.name) {
      let empty = recordings.filter { $0.samples == 0 }
      if !empty.isEmpty {
        let isLong = empty.contains { $0.length >= Self.shortestJudged }
        let isBad = isLong && thresholds.suspectCoverage > 0
        add(isBad ? .bad : .suspect, .noSamples(sensor: sensor, recorders: empty.map(\.identifier)))
      }
      let others = recordings.filter { $0.samples > 0 }
      let silences = others.flatMap { $0.gaps.filter { $0.cause == .silence } }
      if !silences.isEmpty {
        let (times, length) = Self.union(silences)
        let silent = others.filter { $0.gaps.contains { $0.cause == .silence } }.map(\.identifier)
        add(.suspect, .silent(sensor: sensor, recorders: silent, times: times, length))
      }
      for (step, recordings) in Self.groups(recordings, by: \.recorder.step) {
        let isTold = judgeContact(recordings, sensor, step)
        let isExplained = isTold || !silences.isEmpty || recordings.contains { !$0.lossGaps.isEmpty }
        judgeCoverage(recordings.filter { $0.samples > 0 }, step, isExplained: isExplained)
      }
    }
  }

  // A smaller share of implausible samples is a warning.
  private mutating func judgeValues(_ recording: RecorderCut) {
    guard let reason = recording.implausibleSamples else { return }
    let share = Double(recording.implausible) / Double(recording.samples)
    guard share > thresholds.goodImplausible else { return }
    add(share > thresholds.suspectImplausible ? .bad : .suspect, reason)
  }

  // A sensor that slips on the skin may do so often: that is one reason, and the worst recording's figures.
  private mutating func judgeContact(_ recordings: [RecorderCut], _ sensor: String, _ step: String) -> Bool {
    let worst = recordings.map { recording in
      (lost: recording.contactGaps.reduce(.zero) { $0 + ($1.end - $1.start) }, recording: recording)
    }.max { $0.lost < $1.lost }
    guard let (lost, recording) = worst, lost > .zero, recording.length > .zero else { return false }
    let longest = recording.contactGaps.map { $0.end - $0.start }.max() ?? .zero
    guard lost / recording.length > thresholds.contactLoss || longest > RecorderCut.longestSilence else { return false }
    add(.suspect, .noContact(sensor: sensor, step: step, lost, of: recording.length))
    return true
  }

  // What a loss, a silence or a lack of contact explains is told once, unless it makes the trial bad.
  private mutating func judgeCoverage(_ recordings: [RecorderCut], _ step: String, isExplained: Bool) {
    let poor = recordings.filter { $0.length >= Self.shortestJudged && $0.coverage < thresholds.goodCoverage }
    guard let worst = poor.min(by: { $0.coverage < $1.coverage }) else { return }
    let isBad = worst.coverage < thresholds.suspectCoverage
    guard isBad || !isExplained else { return }
    add(
      isBad ? .bad : .suspect,
      .coverage(recorders: poor.map(\.identifier), step: step, worst.covered, of: worst.length))
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
  private static func union(_ gaps: [RecorderCut.Gap]) -> (times: Int, length: Duration) {
    var times = 0
    var length = Duration.zero
    var end: Duration?
    for gap in gaps.sorted(by: { $0.start < $1.start }) {
      if end.map({ gap.start > $0 }) ?? true { times += 1 }
      length += max(.zero, gap.end - max(gap.start, end ?? gap.start))
      end = max(end ?? gap.end, gap.end)
    }
    return (times, length)
  }
}

extension ChosenClip {
  /// The loudness that was asked for, where it was missed by more than so many LU.
  func missedTarget(by tolerance: Double) -> LoudnessTarget? {
    guard let target, let reached = reachedLoudness, abs(target.integrated - reached) > tolerance else { return nil }
    return target
  }
}

extension RecorderCut {
  /// How many of its samples have values that no person can have; `nil` for none.
  var implausibleSamples: VerdictReason? {
    guard implausible > 0, let plausible else { return nil }
    return .implausible(
      recorder: identifier, implausible, of: samples, outside: plausible, unit: recorder.configuration.unit.symbol)
  }

  /// The recorder's identifier.
  var identifier: String { recorder.configuration.identifier }
}
